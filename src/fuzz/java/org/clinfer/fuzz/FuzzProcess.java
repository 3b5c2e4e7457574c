package org.clinfer.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Java process with Jazzer in it. */
final class FuzzProcess {

    /** A file may be this long. */
    private static final int MOST_BYTES = 1_000_000;

    /** The calls of a finding that its report has. */
    private static final int MOST_CALLS = 12;

    /** Wall time after which a file hangs, where processor time could not be looked at. */
    private static final int HANGS_SECONDS = 120;

    /** From here on the better compiler makes up for what it costs. */
    private static final int LONG_SECONDS = 60;

    private static final String SHORT = "-XX:TieredStopAtLevel=1";
    private static final String LONG = "-XX:+TieredCompilation";

    private static final Pattern COVERED = Pattern.compile("cov: (\\d+)");
    private static final Pattern EXECUTED = Pattern.compile("stat::number_of_executed_units: (\\d+)");
    private static final Pattern EXECUTED_SO_FAR = Pattern.compile("(?m)^#(\\d+)\\t");

    private FuzzProcess() {}

    /** The end of a process. */
    record Outcome(int exitCode, Path log, String text, long seconds) {

        String figures() {
            String executed = last(EXECUTED, text);
            return (executed.isEmpty() ? last(EXECUTED_SO_FAR, text) : executed) + " files in " + seconds
                    + " s, coverage " + last(COVERED, text);
        }

        /** The first line that says what is wrong, or else the last line. */
        String lastWords() {
            List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
            return lines.stream()
                    .filter(line -> line.contains("Error") || line.contains("ERROR") || line.contains("Exception"))
                    .findFirst()
                    .orElse(lines.isEmpty() ? "it says nothing" : lines.get(lines.size() - 1))
                    .strip();
        }

        /** The exceptions that were found, with the first calls of each, and the inputs where Jazzer writes them out. */
        List<String> reports() {
            List<String> reports = new ArrayList<>();
            int calls = 0;
            for (String line : text.lines().toList()) {
                boolean begins = line.startsWith("== Java Exception");
                calls = begins ? 0 : calls + 1;
                boolean isCall = line.startsWith("\tat ") && calls <= MOST_CALLS;
                if (begins || isCall || line.startsWith("Base64: ")) {
                    reports.add(line);
                }
            }
            return reports;
        }

        private static String last(Pattern pattern, String text) {
            String found = "";
            Matcher matcher = pattern.matcher(text);
            while (matcher.find()) {
                found = matcher.group(1);
            }
            return found;
        }
    }

    /** Whether Jazzer runs at all. */
    static Outcome probe(Path folder) throws IOException, InterruptedException {
        List<String> command = java(SHORT);
        command.add("--target_class=" + NothingEntry.class.getName());
        command.add("--instrumentation_includes=" + NothingEntry.class.getName());
        command.add("--hooks=false");
        command.add("-runs=10");
        return run(command, folder.resolve("probe.log"));
    }

    static Outcome fuzz(Target target, Path folder, String seconds) throws IOException, InterruptedException {
        List<String> command = java(Integer.parseInt(seconds) < LONG_SECONDS ? SHORT : LONG);
        command.add("--target_class=" + FuzzEntry.class.getName());
        command.add("--target_args=" + target.name());
        String covered = "org.clinfer.**:com.sun.imageio.plugins.**";
        command.add("--instrumentation_includes=" + covered);
        command.add("--custom_hook_includes=" + covered);
        command.add("--instrumentation_excludes=org.clinfer.cpu.**:org.clinfer.fuzz.**:org.clinfer.robustness.**");
        command.add("--keep_going=" + System.getProperty("fuzz.findings", "10"));
        command.add("--reproducer_path=" + folder);
        command.add("-artifact_prefix=" + folder.resolve("findings") + "/");
        command.add("-dict=" + folder.resolve("words.dict"));
        command.add("-max_total_time=" + seconds);
        command.add("-max_len=" + MOST_BYTES);
        command.add("-timeout=" + HANGS_SECONDS);
        command.add("-report_slow_units=" + HANGS_SECONDS);
        command.add("-rss_limit_mb=0");
        command.add("-print_final_stats=1");
        command.add("-verbosity=1");
        command.add(folder.resolve("corpus").toString());
        command.add(folder.resolve("seeds").toString());
        return run(command, folder.resolve("log.txt"));
    }

    private static List<String> java(String compiler) {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                compiler,
                "-Djava.awt.headless=true",
                "-Dclinfer.cache=off",
                "-Dclinfer.trust=true",
                "-Dlog.level=OFF",
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer"));
    }

    private static Outcome run(List<String> command, Path log) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        int code = process.waitFor();
        String text = Files.readString(log, StandardCharsets.ISO_8859_1);
        return new Outcome(code, log, text, (System.nanoTime() - start) / 1_000_000_000);
    }
}
