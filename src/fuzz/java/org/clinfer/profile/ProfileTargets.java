package org.clinfer.profile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.clinfer.CapabilityChecker;
import org.clinfer.check.CheckReport;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.files.ResourceFolder;
import org.clinfer.fuzz.Judge;
import org.clinfer.fuzz.Parts;
import org.clinfer.fuzz.Target;
import org.clinfer.graph.Graph;
import org.clinfer.robustness.CheckedNetwork;

/** Device profiles, which are looked through, read, and hold a network against their limits; and files of rules. */
public final class ProfileTargets {

    private static final long MAX_BYTES = 1 << 20;
    private static final int SEEDS = 12;
    private static final int LONGEST_SEED = 30_000;

    private static final List<String> WORDS = List.of(
            "[clinfer]",
            "family",
            "dtypes",
            "operators",
            "source",
            "rules",
            "[version]",
            "SoC_version",
            "[SoCInfo]",
            "[AICoreSpec]",
            "ai_core_cnt",
            "[family]",
            "title",
            "vendor",
            "detect",
            "vendor_files",
            "kernels",
            "complete",
            "memory",
            "let.",
            "when",
            "require",
            "message",
            "unit",
            "reading",
            "x.dims[0]",
            "weights.dims[1]",
            "input_dims",
            "[Conv2d/a]",
            " = ",
            "\\\n",
            "<=",
            "&&",
            "? 1 : 0",
            "all(list, x -> x)");

    private static final String DEVICE = """
            [clinfer]
            family = mine
            name = Device
            source = nowhere
            [Spec]
            size = 1024
            """;

    private ProfileTargets() {}

    public static List<Target> all() {
        return List.of(
                new Target("profile", folder -> resources("device-profiles"), WORDS, ProfileTargets::profile),
                new Target("rules", folder -> rules(), WORDS, ProfileTargets::rules));
    }

    private static List<byte[]> resources(String folder) throws IOException {
        Map<String, byte[]> files = new ResourceFolder(".ini", MAX_BYTES).inResources(ProfileCatalog.class, folder);
        return files.entrySet().stream()
                .filter(file -> !file.getKey().endsWith("vocabulary.ini"))
                .map(Map.Entry::getValue)
                .filter(file -> file.length < LONGEST_SEED)
                .limit(SEEDS)
                .toList();
    }

    private static List<byte[]> rules() throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        for (byte[] rules : resources("device-profiles/rules")) {
            seeds.add(Parts.joined(rules, DEVICE.getBytes(StandardCharsets.UTF_8)));
        }
        return seeds;
    }

    /** The objects that the checks need beside the files. */
    private static final class Known {
        static final ProfileCatalog CATALOG = ProfileCatalog.builtIn();
        static final CapabilityChecker CHECKER = CapabilityChecker.builtIn();
        static final Graph NETWORK = CheckedNetwork.read(CHECKER);
        static final Set<String> OPERATORS = OpCatalog.builtIn().operators().stream()
                .map(OpDescription::optype)
                .collect(Collectors.toSet());
        static final Map<String, byte[]> VOCABULARY = vocabulary();

        private static Map<String, byte[]> vocabulary() {
            try {
                Map<String, byte[]> files = new ResourceFolder(".ini", MAX_BYTES)
                        .inResources(ProfileCatalog.class, "device-profiles/rules");
                return files.entrySet().stream()
                        .filter(file -> file.getKey().endsWith("vocabulary.ini"))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
            } catch (IOException failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    private static void profile(byte[] bytes, Path folder) throws Exception {
        Path file = Files.write(folder.resolve("x.ini"), bytes);
        Judge.refusesOrDoes(() -> ProfileReview.of(file, Known.CATALOG, Known.OPERATORS, Optional::empty)
                .findings()
                .forEach(Judge::requireText));
        Judge.refusesOrDoes(() -> check(Known.CATALOG.read(file)));
    }

    private static void rules(byte[] bytes, Path folder) throws Exception {
        List<byte[]> parts = Parts.of(bytes, 2);
        Map<String, byte[]> rules = new TreeMap<>(Known.VOCABULARY);
        rules.put("mine.ini", parts.get(0));
        byte[] device = parts.size() > 1 ? parts.get(1) : DEVICE.getBytes(StandardCharsets.UTF_8);
        Judge.refusesOrDoes(() -> {
            ProfileCatalog catalog = ProfileCatalog.of(rules, Map.of("device.ini", device));
            for (DeviceProfile profile : catalog.profiles()) {
                check(profile);
            }
        });
    }

    private static void check(DeviceProfile profile) {
        CheckReport report = Known.CHECKER.check(Known.NETWORK, Map.of(), profile, Reading.PUBLISHED);
        report.nodes().forEach(node -> node.findings().forEach(Judge::requireText));
    }
}
