package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clinfer.opencl.RequiresOpenCl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tutorial of docs/descriptions.md as a reader follows it: its files are written, its commands print what it says. */
@RequiresOpenCl
class TutorialTest {

    private static final Pattern BLOCK = Pattern.compile("```(\\S*)(?: (\\S+))?\\n(.*?)```", Pattern.DOTALL);
    private static final String PROGRAM = "./clinfer ";

    @TempDir
    private Path folder;

    private static String tutorial() throws IOException {
        String page = Files.readString(Path.of("docs/descriptions.md"));
        return page.substring(page.indexOf("## From nothing"), page.indexOf("## The format"));
    }

    @Test
    void everyStepDoesWhatIsSaid() throws IOException {
        Matcher block = BLOCK.matcher(tutorial());
        List<String> printed = new ArrayList<>();
        int files = 0;
        int commands = 0;
        int said = 0;
        while (block.find()) {
            if (block.group(2) != null) {
                Files.writeString(folder.resolve(block.group(2)), block.group(3));
                files++;
            } else if (block.group(1).equals("text")) {
                assertThat(block.group(3).lines())
                        .allSatisfy(line ->
                                assertThat(printed).anyMatch(pattern(line).asMatchPredicate()));
                said++;
            } else {
                printed.clear();
                for (String line : block.group(3).lines().toList()) {
                    printed.addAll(ran(line));
                    commands++;
                }
            }
        }
        assertThat(List.of(files, commands, said)).containsExactly(4, 6, 4);
    }

    /** What a line says, with anything for an ellipsis and for blanks. */
    private static Pattern pattern(String line) {
        return Pattern.compile(Arrays.stream(line.strip().split("…", -1))
                .map(part ->
                        Arrays.stream(part.split(" +", -1)).map(Pattern::quote).toList())
                .map(words -> String.join(" +", words))
                .reduce((one, other) -> one + ".*" + other)
                .orElseThrow());
    }

    private List<String> ran(String line) {
        assertThat(line).startsWith(PROGRAM);
        List<Object> words = new ArrayList<>();
        for (String word : line.substring(PROGRAM.length()).split(" ", -1)) {
            words.add(word.startsWith("mine") ? folder.resolve(word) : word);
        }
        if (words.contains("verify") || words.contains("run")) {
            words.addAll(List.of("--device", "opencl"));
        }
        Ran ran = clinfer(words.toArray());
        assertThat(ran.err()).as(line).allMatch(each -> each.equals("trying Smooth"));
        assertThat(ran.code()).as("%s", ran).isLessThan(ExitCode.BAD_INPUT);
        return ran.out();
    }
}
