package org.clinfer.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The page on the command line: what {@code --help} prints of each command. */
public final class CommandPage {

    private static final int WIDTH = 100;

    private CommandPage() {}

    /** {@code docs/cli.md}. */
    public static String text() {
        CommandLine program = Main.program();
        StringBuilder page = new StringBuilder();
        page.append("# The command line\n\n");
        page.append(
                "What `clinfer help COMMAND` prints, generated from the commands. Texts and tables are as wide as\n");
        page.append(
                "the terminal, between 80 and 200 characters, or as `COLUMNS` says; in a pipe always 200, but for\n");
        page.append(
                "help, which has 80. Long work shows how far it is in a terminal alone, on stderr (`--quiet`: not\n");
        page.append(
                "there either). Ctrl-C ends a command with 130; traces are completed, unfinished files and temporary\n");
        page.append(
                "folders taken away. `source <(clinfer completion bash)`, or `zsh`, lets the shell complete commands,\n");
        page.append("options and their values.\n");
        page.append("A file whose name begins with `-` is written `./-net.onnx`, or after `--`.\n\n");
        page.append(section("clinfer", program));
        program.getSubcommands().forEach((name, command) -> page.append(section("clinfer " + name, command)));
        return page.toString().stripTrailing() + "\n";
    }

    private static String section(String title, CommandLine command) {
        command.getCommandSpec().usageMessage().autoWidth(false);
        command.getCommandSpec().usageMessage().width(WIDTH);
        List<String> lines = command.getUsageMessage(Ansi.OFF)
                .lines()
                .map(String::stripTrailing)
                .toList();
        return "## " + title + "\n\n```\n" + String.join("\n", lines) + "\n```\n\n";
    }
}
