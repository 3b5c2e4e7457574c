package org.clinfer.cli;

import java.util.List;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what a shell needs to complete commands, options and their values. */
@Command(
        name = "completion",
        description = "Prints a script with which bash or zsh completes commands, options and their values.")
final class CompletionCommand implements Runnable {

    /** The shells there is a script for. */
    private enum Shell {
        BASH,
        ZSH
    }

    @Parameters(paramLabel = "bash|zsh", description = "The shell; the script is the same for both.")
    @SuppressWarnings("unused") // it is checked by being read
    private void shell(Shell given) {
        // the script asks in which shell it is
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        CommandLine program = Main.program();
        program.getSubcommands().values().forEach(command -> complete(command.getCommandSpec()));
        AutoComplete.bash("clinfer", program).lines().forEach(spec.commandLine().getOut()::println);
    }

    /** Gives every argument the words that it may be. */
    private static void complete(CommandSpec command) {
        for (OptionSpec option : List.copyOf(command.options())) {
            List<String> words = OptionWords.of(option);
            if (!words.isEmpty() && !option.inherited()) {
                command.remove(option);
                command.addOption(
                        OptionSpec.builder(option).completionCandidates(words).build());
            }
        }
        for (PositionalParamSpec position : List.copyOf(command.positionalParameters())) {
            List<String> words = words(position);
            if (!words.isEmpty()) {
                command.remove(position);
                command.addPositional(PositionalParamSpec.builder(position)
                        .completionCandidates(words)
                        .build());
            }
        }
    }

    private static List<String> words(ArgSpec argument) {
        return argument.paramLabel().toLowerCase(Locale.ROOT).equals("command")
                ? Main.commandNames()
                : OptionWords.of(argument);
    }
}
