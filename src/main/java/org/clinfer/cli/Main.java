package org.clinfer.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.clinfer.DeviceChoice;
import org.clinfer.Precision;
import org.clinfer.cli.io.TypeText;
import org.clinfer.errors.InputException;
import org.clinfer.image.ValueRange;
import org.clinfer.tensor.DType;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program {@code clinfer}. */
@Command(
        name = "clinfer",
        description = "Runs and checks neural networks on any OpenCL device, and on the CPU.",
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all is well",
            "1:the answer is no (a verification failed, a check found what --fail-on names)",
            "2:bad usage or bad input file",
            "3:the device or Clinfer itself failed"
        })
public final class Main implements Callable<Integer> {

    /** By name, so that the annotations of one command alone are read: those of all take a while. */
    private static final Map<String, Class<?>> COMMANDS = commands();

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Print a stack trace with an error.")
    private boolean debug;

    @Option(names = "--quiet", scope = ScopeType.INHERIT, description = "Show no progress in a terminal.")
    @SuppressWarnings("unused") // Progress asks for it by name
    private boolean quiet;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Runs one command and exits with its code. */
    public static void main(String[] args) {
        StandardError.direct();
        System.setProperty("java.awt.headless", "true");
        StandardOutput stdout = new StandardOutput();
        PrintWriter out = new PrintWriter(stdout, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int exitCode = run(out, err, args);
        out.flush();
        Optional<String> lost = stdout.failure();
        lost.ifPresent(why -> err.println("clinfer: stdout cannot be written: " + why));
        err.flush();
        System.exit(lost.isPresent() ? ExitCode.FAILURE : exitCode);
    }

    /** Runs one command; what it prints goes to {@code out} and {@code err}. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        Main main = new Main();
        CommandLine line = program(main, asked(args));
        line.setOut(new Terminal(out, false))
                .setErr(new Terminal(err, true))
                .setParameterExceptionHandler(Main::reportUsage)
                .setExecutionStrategy(Main::execute)
                .setExecutionExceptionHandler((thrown, command, parsed) -> main.report(thrown, command));
        try {
            return line.execute(args);
        } catch (OutOfMemoryError | StackOverflowError | LinkageError fatal) {
            return main.report(fatal, line);
        }
    }

    private static int execute(ParseResult parsed) {
        ParseResult command = parsed;
        while (command.hasSubcommand()) {
            command = command.subcommand();
        }
        try {
            if (!command.isUsageHelpRequested() && !command.isVersionHelpRequested()) {
                OutputPlaces.require(command.commandSpec());
            }
            int exitCode = new CommandLine.RunLast().execute(parsed);
            PrecisionSelection.requireWholeTrace(command.commandSpec());
            return exitCode;
        } catch (IOException | InputException | UsageException wrong) {
            throw new CommandLine.ExecutionException(
                    command.commandSpec().commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /** The program with all commands, to look at. */
    static CommandLine program() {
        return program(new Main(), COMMANDS);
    }

    static List<String> commandNames() {
        return List.copyOf(COMMANDS.keySet());
    }

    private static CommandLine program(Main main, Map<String, Class<?>> commands) {
        CommandLine line = new CommandLine(main);
        commands.forEach(line::addSubcommand);
        HelpText.form(line);
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false)
                .setAbbreviatedOptionsAllowed(false)
                .registerConverter(DeviceChoice.class, text -> orUsage(() -> DeviceChoice.parse(text)))
                .registerConverter(Precision.class, text -> orUsage(() -> Precision.parse(text)))
                .registerConverter(ValueRange.class, text -> orUsage(() -> ValueRange.of(text)))
                .registerConverter(Path.class, text -> orUsage(() -> FileArgument.path(text)))
                .registerConverter(FailOn.class, FailOn::of)
                .registerConverter(DType.class, Main::dtype);
    }

    private static Map<String, Class<?>> commands() {
        Map<String, Class<?>> byName = new LinkedHashMap<>();
        byName.put("devices", DevicesCommand.class);
        byName.put("profiles", ProfilesCommand.class);
        byName.put("ops", OpsCommand.class);
        byName.put("show", ShowCommand.class);
        byName.put("run", RunCommand.class);
        byName.put("verify", VerifyCommand.class);
        byName.put("check", CheckCommand.class);
        byName.put("bench", BenchCommand.class);
        byName.put("serve", ServeCommand.class);
        byName.put("tune", TuneCommand.class);
        byName.put("cache", CacheCommand.class);
        byName.put("convert", ConvertCommand.class);
        byName.put("new-operator", NewOperatorCommand.class);
        byName.put("demo", DemoCommand.class);
        byName.put("completion", CompletionCommand.class);
        byName.put("help", HelpCommand.class);
        return byName;
    }

    /** The command that is asked for; all of them where it is another word, or tells of the others. */
    private static Map<String, Class<?>> asked(String... args) {
        for (String word : args) {
            if (!word.startsWith("-")) {
                Class<?> command = COMMANDS.get(word);
                return command == null || command == HelpCommand.class ? COMMANDS : Map.of(word, command);
            }
        }
        return COMMANDS;
    }

    private static <T> T orUsage(Supplier<T> conversion) {
        try {
            return conversion.get();
        } catch (IllegalArgumentException | UsageException wrong) {
            throw new CommandLine.TypeConversionException(wrong.getMessage());
        }
    }

    private static int reportUsage(ParameterException wrong, String... arguments) {
        wrong.getCommandLine().getErr().println(UsageProblem.line(wrong, arguments));
        return ExitCode.BAD_INPUT;
    }

    private int report(Throwable thrown, CommandLine command) {
        CommandFailure failure = CommandFailure.of(thrown);
        command.getOut().flush();
        command.getErr().println("clinfer: " + failure.line());
        failure.log().forEach(command.getErr()::println);
        if (debug) {
            CommandFailure.trace(thrown).forEach(command.getErr()::println);
        }
        return failure.exitCode();
    }

    /** Nothing was asked for. */
    @Override
    public Integer call() {
        CommandLine line = spec.commandLine();
        line.getErr().println("clinfer: a command is missing");
        line.usage(line.getErr(), line.getColorScheme());
        return ExitCode.BAD_INPUT;
    }

    private static DType dtype(String text) {
        try {
            return TypeText.dtype(text);
        } catch (IllegalArgumentException unknown) {
            throw new CommandLine.TypeConversionException(unknown.getMessage());
        }
    }
}
