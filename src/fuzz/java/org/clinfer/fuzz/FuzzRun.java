package org.clinfer.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * The program of the profile {@code fuzz}: lets Jazzer write files for each target, in a process of its own. The exit code
 * is 0 if nothing was found, 1 if something was, and 3 if Jazzer does not run here and {@code fuzz.optional} is not {@code true}.
 */
public final class FuzzRun {

    /** The folders and programs of a run. */
    static final Path ROOT = Path.of("out", "fuzz");

    private static final int FOUND = 1;
    private static final int CANNOT_RUN = 3;

    private final String seconds = System.getProperty("fuzz.seconds", "30");

    private FuzzRun() {}

    public static void main(String[] arguments) throws Exception {
        String input = System.getProperty("fuzz.input", "");
        String names = System.getProperty("fuzz.targets", "");
        if (!input.isEmpty()) {
            FuzzEntry.main(new String[] {names, input});
            return;
        }
        List<Target> targets = names.isEmpty() || names.equals("all")
                ? Targets.all()
                : Arrays.stream(names.split(",", -1)).map(Targets::named).toList();
        System.exit(new FuzzRun().of(targets));
    }

    private int of(List<Target> targets) throws IOException, InterruptedException {
        FuzzProcess.Outcome probe = FuzzProcess.probe(Files.createDirectories(ROOT));
        if (probe.exitCode() != 0) {
            System.out.println(
                    "fuzz: nothing is fuzzed, because Jazzer does not run on this machine: " + probe.lastWords());
            return Boolean.getBoolean("fuzz.optional") ? 0 : CANNOT_RUN;
        }
        ExecutorService workers = Executors.newFixedThreadPool(Integer.getInteger("fuzz.parallel", 1));
        try {
            List<Future<Integer>> running = new ArrayList<>();
            for (Target target : targets) {
                Callable<Integer> work = () -> fuzz(target);
                running.add(workers.submit(work));
            }
            int failed = 0;
            for (Future<Integer> one : running) {
                failed += one.get() > 0 ? 1 : 0;
            }
            System.out.println("fuzz: " + targets.size() + " targets, " + failed + " of them with findings");
            return failed > 0 ? FOUND : 0;
        } catch (ExecutionException broken) {
            throw new IllegalStateException(broken.getCause());
        } finally {
            workers.shutdownNow();
        }
    }

    /** The number of findings. */
    private int fuzz(Target target) throws IOException, InterruptedException {
        Path folder = ROOT.resolve(target.name());
        Path findings = Files.createDirectories(folder.resolve("findings"));
        Files.createDirectories(folder.resolve("corpus"));
        write(target, folder);
        List<Path> before = files(findings);
        FuzzProcess.Outcome outcome = FuzzProcess.fuzz(target, folder, seconds);
        List<Path> found = new ArrayList<>(files(findings));
        found.removeAll(before);
        StringBuilder line = new StringBuilder("fuzz: " + target.name() + ": " + outcome.figures());
        for (Path file : found) {
            line.append("\n  found: mvn -q test -Pfuzz -Dfuzz.targets=")
                    .append(target.name())
                    .append(" -Dfuzz.input=")
                    .append(file);
        }
        if (!found.isEmpty()) {
            outcome.reports().forEach(report -> line.append("\n  ").append(report));
        }
        boolean ended = outcome.exitCode() == 0 || !found.isEmpty();
        if (!ended) {
            line.append("\n  ended with ")
                    .append(outcome.exitCode())
                    .append(", see ")
                    .append(outcome.log())
                    .append(": ")
                    .append(outcome.lastWords());
        }
        System.out.println(line);
        return ended ? found.size() : 1;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    /** The sound files and the words of a target. */
    private static void write(Target target, Path folder) throws IOException {
        Path seeds = folder.resolve("seeds");
        Path work = folder.resolve("work");
        deleteAll(seeds);
        deleteAll(work);
        Files.createDirectories(seeds);
        Files.createDirectories(work);
        int number = 0;
        for (byte[] seed : target.seeds().make(work)) {
            Files.write(seeds.resolve("seed-" + number++), seed);
        }
        StringBuilder words = new StringBuilder();
        Stream.concat(target.words().stream(), Stream.of(Parts.MARK))
                .filter(word -> !word.isEmpty())
                .forEach(word -> words.append('"').append(escaped(word)).append("\"\n"));
        Files.writeString(folder.resolve("words.dict"), words);
    }

    private static String escaped(String word) {
        StringBuilder text = new StringBuilder();
        for (byte each : word.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = each >= ' ' && each < 127 && each != '"' && each != '\\';
            text.append(plain ? String.valueOf((char) each) : String.format("\\x%02x", each & 0xff));
        }
        return text.toString();
    }

    private static void deleteAll(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
