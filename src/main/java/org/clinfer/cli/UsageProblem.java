package org.clinfer.cli;

import java.io.File;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.clinfer.text.Printable;
import org.clinfer.text.Spelling;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The line of stderr for arguments that a command does not take: what is wrong, what may be meant, where help is. */
final class UsageProblem {

    private UsageProblem() {}

    /** @param arguments all that were given */
    static String line(ParameterException wrong, String... arguments) {
        CommandLine command = wrong.getCommandLine();
        List<String> unknown = unknown(wrong);
        String problem = unknown.isEmpty() ? message(wrong) : unmatched(command, unknown.get(0));
        return "clinfer: " + Printable.message(problem + fileName(command, unknown, arguments)) + " (see "
                + command.getCommandSpec().qualifiedName() + " --help)";
    }

    /** The words that are unknown; they are told instead of the argument that is missing in their place. */
    private static List<String> unknown(ParameterException wrong) {
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            return unmatched.getUnmatched();
        }
        return wrong instanceof MissingParameterException
                ? wrong.getCommandLine().getUnmatchedArguments()
                : List.of();
    }

    private static String unmatched(CommandLine command, String word) {
        Collection<String> commands = command.getSubcommands().keySet();
        if (word.startsWith("-")) {
            String option = option(word);
            List<String> options = command.getCommandSpec().options().stream()
                    .filter(each -> !each.hidden())
                    .map(each -> each.longestName())
                    .toList();
            return "unknown option '" + option + "'" + Spelling.question(option, options);
        }
        return commands.isEmpty()
                ? unexpected(command, word)
                : "there is no command '" + word + "'" + Spelling.question(word, commands);
    }

    /** One of any number of files that cannot be a file's name is left over, and not refused as such. */
    private static String unexpected(CommandLine command, String word) {
        if (!command.getCommandSpec().positionalParameters().isEmpty()) {
            try {
                FileArgument.path(word);
            } catch (UsageException noName) {
                return String.valueOf(noName.getMessage());
            }
        }
        return "unexpected argument '" + word + "'";
    }

    private static String option(String word) {
        int equals = word.indexOf('=');
        return equals < 0 ? word : word.substring(0, equals);
    }

    /** The spelling of a file that was taken for options, or for options with a value ({@code -output.onnx}). */
    private static String fileName(CommandLine command, List<String> unknown, String... arguments) {
        CommandSpec spec = command.getCommandSpec();
        if (spec.positionalParameters().isEmpty()) {
            return "";
        }
        return Stream.of(arguments)
                .takeWhile(word -> !word.equals("--"))
                .filter(word -> word.startsWith("-") && spec.findOption(option(word)) == null)
                .filter(word -> new File(word).exists() || (unknown.contains(word) && word.matches("[^=]*[.][^=]*")))
                .findFirst()
                .map(word -> "; a file of that name is written './" + word + "'")
                .orElse("");
    }

    private static String message(ParameterException wrong) {
        String message = String.valueOf(wrong.getMessage()).lines().findFirst().orElse("bad usage");
        ArgSpec argument = wrong.getArgSpec();
        String value = wrong.getValue();
        if (argument == null || value == null) {
            return message;
        }
        List<String> words = OptionWords.of(argument);
        String question = Spelling.question(value.toLowerCase(Locale.ROOT), words);
        int enumeration = message.indexOf(": expected one of [");
        return enumeration < 0
                ? message + question
                : message.substring(0, enumeration) + ": '" + value + "' is none of " + String.join(", ", words)
                        + question;
    }
}
