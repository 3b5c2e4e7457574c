package org.clinfer.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.clinfer.cache.DriverQuestions;
import org.clinfer.cache.KnownMatrixUnits;
import org.clinfer.cache.OwnFolder;
import org.clinfer.cache.ProgramCache;
import org.clinfer.cache.TestedKernels;
import org.clinfer.cache.TunedChoices;
import org.clinfer.options.CacheFolder;
import org.clinfer.report.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows or empties what is kept between runs. */
@Command(
        name = "cache",
        description =
                "Shows what is kept between runs: compiled programs, and what 'clinfer tune' chose; --clear also forgets"
                        + " which kernels were tested on a device ('clinfer devices' shows that). The folder is"
                        + " that of the property " + CacheFolder.PROPERTY + ", else of the environment variable "
                        + CacheFolder.VARIABLE + " ('off': none), else clinfer in XDG_CACHE_HOME or ~/.cache.")
final class CacheCommand implements Callable<Integer> {

    private static final double KIBIBYTE = 1024;
    private static final int CONFIGURATION_WIDTH = 100;

    @Option(names = "--clear", description = "Take everything away.")
    private boolean clear;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        CacheFolder folder = OwnFolder.of(CacheFolder.current());
        PrintWriter out = spec.commandLine().getOut();
        if (folder.path().isEmpty()) {
            out.println("nothing is kept between runs: " + folder.reason());
            return ExitCode.OK;
        }
        Path path = folder.path().get();
        if (clear) {
            int programs = new ProgramCache(path).clear();
            int devices = TunedChoices.clear(path);
            TestedKernels.clear(path);
            KnownMatrixUnits.clear(path);
            DriverQuestions.clear(path);
            out.println(path + ": taken away; programs: " + programs + ", devices with choices: " + devices);
            return ExitCode.OK;
        }
        out.println(path);
        programs(new ProgramCache(path).entries());
        TunedChoices.kept(path).forEach(this::choices);
        return ExitCode.OK;
    }

    private void programs(List<ProgramCache.Entry> entries) {
        PrintWriter out = spec.commandLine().getOut();
        if (!entries.isEmpty()) {
            TextTable table = new TextTable().row("KIB", "HITS", "LAST USE", "PROGRAM");
            entries.forEach(entry -> table.row(
                    kibibytes(entry.bytes()),
                    Long.toString(entry.uses()),
                    entry.lastUse().toInstant().toString(),
                    entry.label()));
            Screen.of(spec).print(table);
        }
        long bytes = entries.stream().mapToLong(ProgramCache.Entry::bytes).sum();
        out.println(counted(entries.size(), "program") + ", " + kibibytes(bytes) + " KiB");
    }

    private void choices(TunedChoices.Kept kept) {
        PrintWriter out = spec.commandLine().getOut();
        out.println();
        out.println("tuned for " + kept.device() + ", driver " + kept.driver() + ": "
                + counted(kept.choices().size(), "choice") + ", " + kibibytes(kept.bytes()) + " KiB");
        TextTable table = new TextTable().row("VARIANT", "US", "INSTEAD OF", "US", "NODE");
        kept.choices().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> table.row(
                        entry.getValue().variant(),
                        micros(entry.getValue().micros()),
                        entry.getValue().usual(),
                        micros(entry.getValue().usualMicros()),
                        TextTable.shortened(entry.getKey(), CONFIGURATION_WIDTH)));
        Screen.of(spec).print(table);
    }

    private static String counted(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static String micros(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String kibibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f", bytes / KIBIBYTE);
    }
}
