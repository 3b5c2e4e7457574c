package org.clinfer.cli;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.clinfer.text.Printable;
import org.clinfer.text.Spelling;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The line of stderr for arguments that a command does not take: what is wrong, what may be meant, where help is. */
final class UsageProblem {

    private UsageProblem() {}

    static String line(ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        String problem = wrong instanceof UnmatchedArgumentException unmatched
                        && !unmatched.getUnmatched().isEmpty()
                ? unmatched(command, unmatched.getUnmatched().get(0))
                : message(wrong);
        return "clinfer: " + Printable.message(problem) + " (see "
                + command.getCommandSpec().qualifiedName() + " --help)";
    }

    private static String unmatched(CommandLine command, String word) {
        Collection<String> commands = command.getSubcommands().keySet();
        if (word.startsWith("-")) {
            int equals = word.indexOf('=');
            String option = equals < 0 ? word : word.substring(0, equals);
            List<String> options = command.getCommandSpec().options().stream()
                    .filter(each -> !each.hidden())
                    .map(each -> each.longestName())
                    .toList();
            return "unknown option '" + option + "'" + Spelling.question(option, options);
        }
        return commands.isEmpty()
                ? "unexpected argument '" + word + "'"
                : "there is no command '" + word + "'" + Spelling.question(word, commands);
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
