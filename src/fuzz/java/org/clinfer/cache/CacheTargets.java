package org.clinfer.cache;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.device.DeviceFacts;
import org.clinfer.fuzz.Target;
import org.clinfer.options.CacheFolder;

/** Files of the cache folder, whose damage counts as absence: nothing is thrown, and the next thing is kept. */
public final class CacheTargets {

    private static final DeviceFacts DEVICE = Devices.withDriver("1");
    private static final String KEY = ProgramCache.key(DEVICE, "kernel void f() {}", "");
    private static final TunedChoices.Choice CHOICE = new TunedChoices.Choice("fast", 1.5, "usual", 2);
    private static final byte[] BINARY = {1, 2, 3};
    private static final String QUESTIONS = "asked-1-x";

    private static final List<String> WORDS = List.of(
            "\"device\"",
            "\"vendor\"",
            "\"driver\"",
            "\"platform\"",
            "\"exact\"",
            "\"choices\"",
            "\"node\"",
            "\"variant\"",
            "\"micros\"",
            "\"usual\"",
            "\"passed\"",
            "\"failed\"",
            "1e999",
            "null",
            "{}",
            "[]");

    private CacheTargets() {}

    public static List<Target> all() {
        return List.of(
                new Target("program", CacheTargets::programSeeds, List.of("CLNFPRG1"), CacheTargets::program),
                new Target("choices", CacheTargets::choiceSeeds, WORDS, CacheTargets::choices),
                new Target("tested", CacheTargets::testedSeeds, WORDS, CacheTargets::tested),
                new Target(
                        "questions",
                        folder -> List.of("drivers\nwhat\n".getBytes(StandardCharsets.UTF_8)),
                        List.of(),
                        CacheTargets::questions));
    }

    private static void require(boolean kept, String what) {
        if (!kept) {
            throw new AssertionError(what);
        }
    }

    private static List<byte[]> contents(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            Path file = files.filter(each -> !each.getFileName().toString().startsWith("."))
                    .filter(each -> each.toString().matches(".*\\.(bin|json)"))
                    .findFirst()
                    .orElseThrow();
            return List.of(Files.readAllBytes(file));
        }
    }

    private static void replace(Path folder, byte[] bytes) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            Path file = files.filter(each -> each.toString().matches(".*\\.(bin|json)"))
                    .findFirst()
                    .orElseThrow();
            Files.write(file, bytes);
        }
    }

    private static List<byte[]> programSeeds(Path folder) throws IOException {
        new ProgramCache(folder).store(KEY, "f.cl", BINARY);
        return contents(folder.resolve("programs"));
    }

    private static void program(byte[] bytes, Path folder) throws IOException {
        ProgramCache cache = new ProgramCache(folder);
        require(cache.store(KEY, "f.cl", BINARY), "a program is not stored");
        replace(folder.resolve("programs"), bytes);
        cache.entries();
        cache.find(KEY);
        require(cache.store(KEY, "f.cl", BINARY), "a program is not stored again");
        require(cache.find(KEY).isPresent(), "a program that was stored is not found");
    }

    private static List<byte[]> choiceSeeds(Path folder) throws IOException {
        TunedChoices.of(CacheFolder.at(folder), DEVICE).add(Set.of("a"), Map.of("a", CHOICE));
        return contents(folder.resolve("tuned"));
    }

    private static void choices(byte[] bytes, Path folder) throws IOException {
        CacheFolder cache = CacheFolder.at(folder);
        TunedChoices.of(cache, DEVICE).add(Set.of("a"), Map.of("a", CHOICE));
        replace(folder.resolve("tuned"), bytes);
        TunedChoices.kept(folder);
        TunedChoices choices = TunedChoices.of(cache, DEVICE);
        require(choices.add(Set.of("b"), Map.of("b", CHOICE)), "a choice is not stored");
        require(TunedChoices.of(cache, DEVICE).choice("b").isPresent(), "a choice that was stored is not found");
    }

    private static List<byte[]> testedSeeds(Path folder) throws IOException {
        TestedKernels.of(CacheFolder.at(folder), DEVICE)
                .add(new TestedKernels.Results(Set.of("f"), Map.of("g", "is wrong")));
        return contents(folder.resolve("tested"));
    }

    private static void tested(byte[] bytes, Path folder) throws IOException {
        CacheFolder cache = CacheFolder.at(folder);
        TestedKernels.of(cache, DEVICE).add(new TestedKernels.Results(Set.of("f"), Map.of()));
        replace(folder.resolve("tested"), bytes);
        TestedKernels.of(cache, DEVICE).add(new TestedKernels.Results(Set.of("h"), Map.of()));
        require(
                TestedKernels.of(cache, DEVICE).results().passed().contains("h"),
                "a result that was stored is not found");
    }

    private static void questions(byte[] bytes, Path folder) throws IOException {
        Files.write(folder.resolve(QUESTIONS), bytes);
        try (DriverQuestions questions = DriverQuestions.begun(CacheFolder.at(folder), "drivers")) {
            questions.isFatal("what");
            questions.ask("what");
        }
    }
}
