package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class HelpTextTest {

    @Test
    void everyCommandHasAnExampleThatItTakes() {
        CommandLine program = Main.program();
        for (String command : Main.commandNames()) {
            List<String> examples = HelpText.examples(command);
            assertThat(examples).as(command).isNotEmpty();
            for (String example : examples) {
                String arguments = example.replaceAll("^source <\\(|\\)$", "");
                assertThat(arguments).startsWith("clinfer " + command);
                program.parseArgs(arguments.substring("clinfer ".length()).split(" ", -1));
            }
        }
    }

    @Test
    void helpFitsIntoEightyColumns() {
        for (String command : Main.commandNames()) {
            List<String> lines = clinfer("help", command).out();
            assertThat(lines).as(command).allMatch(line -> line.length() <= 80);
            assertThat(lines).as(command).contains("Any command:", "Examples:");
        }
        assertThat(clinfer("help").out()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void optionsOfSeveralCommandsAreGroups() {
        List<String> lines = clinfer("run", "--help").out();

        assertThat(lines).containsSubsequence("Pictures:", "Where and how to compute:", "Device profiles:");
        assertThat(lines.subList(lines.indexOf("Pictures:"), lines.indexOf("Where and how to compute:")))
                .anyMatch(line -> line.contains("--resize"))
                .noneMatch(line -> line.contains("--device"));
    }
}
