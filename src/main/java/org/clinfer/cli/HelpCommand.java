package org.clinfer.cli;

import org.clinfer.text.Spelling;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what {@code --help} prints. */
@Command(name = "help", description = "Prints how the program, or one of its commands, is used.")
final class HelpCommand implements Runnable {

    @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "The command; all of them if left out.")
    private String name = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        CommandLine program = spec.commandLine().getParent();
        CommandLine asked = name.isEmpty() ? program : program.getSubcommands().get(name);
        if (asked == null) {
            throw new UsageException("there is no command '" + name + "'; there are "
                    + String.join(", ", program.getSubcommands().keySet())
                    + Spelling.question(name, program.getSubcommands().keySet()));
        }
        asked.usage(spec.commandLine().getOut(), asked.getColorScheme());
    }
}
