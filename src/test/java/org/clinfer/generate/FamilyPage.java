package org.clinfer.generate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.clinfer.expr.Expr;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.ProfileRule;
import org.clinfer.profile.Reading;
import org.clinfer.profile.RuleSet;
import org.clinfer.tensor.DType;

/** Writes the page of one family of devices: its devices, their figures, what they run, and every rule. */
final class FamilyPage {

    private final RuleSet family;
    private final List<DeviceProfile> profiles;
    private final List<String> lines = new ArrayList<>();

    FamilyPage(ProfileCatalog catalog, RuleSet family) {
        this.family = family;
        this.profiles = catalog.profiles().stream()
                .filter(profile -> profile.rules().family().equals(family.family()))
                .toList();
    }

    String text() {
        lines.add("# " + prose(family.title()));
        lines.add("");
        lines.add("Generated from [`" + family.family() + ".ini`](../../device-profiles/rules/" + family.family()
                + ".ini) and the profiles of the family by");
        lines.add("`" + GeneratedFiles.COMMAND + "`; change those, not this file.");
        lines.add("[README.md](README.md) has the words in which the rules speak.");
        lines.add("");
        lines.add("- Vendor: " + prose(family.vendor()));
        lines.add("- Source: " + prose(family.source()));
        family.evidence().ifPresent(evidence -> lines.add("- Evidence: " + prose(evidence.toString())));
        family.memory().ifPresent(memory -> lines.add("- Memory of a device, in bytes: `" + memory.source() + "`"));
        if (family.hasVendorFiles()) {
            lines.add("- Files of the vendor's own are taken as they are; one that has `" + family.detect()
                    + "` is of this family without saying so.");
        }
        devices();
        figures();
        operators();
        converts();
        quantization();
        outcomes();
        family.cost().ifPresent(model -> {
            heading("Cost");
            lines.addAll(new CostSection(model).lines());
        });
        rules();
        return String.join("\n", lines) + "\n";
    }

    private static String prose(String text) {
        return MarkdownTable.plain(text).replace("*", "\\*");
    }

    private void heading(String text) {
        lines.add("");
        lines.add("## " + text);
        lines.add("");
    }

    private static String names(List<DeviceProfile> some) {
        return some.stream().map(DeviceProfile::name).collect(Collectors.joining(", "));
    }

    private void devices() {
        heading("Devices");
        MarkdownTable table = new MarkdownTable(List.of("profile", "device", "source of the figures"));
        for (DeviceProfile profile : profiles) {
            table.row(List.of(
                    "[`" + profile.name() + "`](../../device-profiles/" + profile.file() + ")",
                    prose(profile.title()),
                    prose(profile.source())));
        }
        lines.addAll(table.lines());
        Map<String, List<DeviceProfile>> notes = new LinkedHashMap<>();
        for (DeviceProfile profile : profiles) {
            if (!profile.note().isEmpty()) {
                notes.computeIfAbsent(profile.note(), none -> new ArrayList<>()).add(profile);
            }
            profile.reading()
                    .ifPresent(reading -> notes.computeIfAbsent(
                                    "Its restrictions are read as the " + reading.label() + " has them.",
                                    none -> new ArrayList<>())
                            .add(profile));
        }
        if (!notes.isEmpty()) {
            lines.add("");
            notes.forEach((note, about) -> lines.add("- " + names(about) + ": " + prose(note)));
        }
    }

    private void converts() {
        if (family.converts().isEmpty()) {
            return;
        }
        heading("What the converter does before");
        MarkdownTable table = new MarkdownTable(List.of("step", "source"));
        family.converts().forEach((step, source) -> table.row(List.of("`" + step.word() + "`", prose(source))));
        lines.addAll(table.lines());
    }

    private void quantization() {
        family.quantization().ifPresent(by -> {
            heading("Quantization");
            lines.add("- `--float32-as` takes " + (by.types().isEmpty() ? "nothing" : labels(by.types())) + ".");
            if (!by.kinds().isEmpty()) {
                lines.add("- Integers are computed with by " + String.join(", ", by.kinds()) + ".");
            }
            by.bias().ifPresent(type -> lines.add("- Biases are then of " + type + "."));
            by.results().ifPresent(type -> lines.add("- Results are then of " + type + "."));
            by.others().ifPresent(type -> lines.add("- Tensors of all other operators are then of " + type + "."));
            lines.add("- Source: " + prose(by.source()));
        });
    }

    private void outcomes() {
        heading("A published network beside a check");
        List<PublishedOutcome> outcomes = PublishedOutcome.of(family.family());
        if (outcomes.isEmpty()) {
            lines.add("No published outcome of the vendor's tool for a network that is at hand here is known.");
            PublishedOutcome.searched(family.family())
                    .ifPresent(where -> lines.addAll(List.of("", "Looked through: " + prose(where) + ".")));
            return;
        }
        MarkdownTable table = new MarkdownTable(
                List.of("network", "profile", "`--float32-as`", "published", "check", "difference", "source"));
        for (PublishedOutcome outcome : outcomes) {
            PublishedOutcome.Counts ours = outcome.ours();
            table.row(List.of(
                    outcome.network(),
                    "`" + outcome.profile() + "`",
                    outcome.float32As().map(DType::label).orElse(""),
                    prose(outcome.statement()),
                    ours.onDevice() + " of " + ours.nodes() + " nodes on the device, "
                            + (ours.unknown() == 0 ? "" : ours.unknown() + " unknown, ")
                            + ours.partitions() + (ours.partitions() == 1 ? " part" : " parts"),
                    prose(outcome.difference().orElse("none")),
                    prose(outcome.source())));
        }
        lines.addAll(table.lines());
    }

    private static String labels(List<DType> types) {
        return types.stream().map(DType::label).collect(Collectors.joining(", "));
    }

    /** The keys that rules look at, and of which memory and time are computed, in the order of the rules. */
    private Set<String> keys() {
        Set<String> sections = profiles.stream()
                .flatMap(profile -> profile.sections().stream())
                .collect(Collectors.toSet());
        Set<String> keys = new LinkedHashSet<>();
        family.rules().forEach(rule -> keys.addAll(rule.keys(sections)));
        keys.addAll(family.memory().map(Expr::fields).orElse(Set.of()));
        family.cost().ifPresent(model -> keys.addAll(model.keys(sections)));
        if (family.isRunByKernels()) {
            profiles.forEach(profile -> keys.addAll(profile.figures().keySet()));
        }
        return keys;
    }

    private void figures() {
        Set<String> keys = new TreeSet<>(keys());
        if (keys.isEmpty()) {
            return;
        }
        heading(family.isRunByKernels() ? "Figures" : "Figures that rules look at");
        MarkdownTable table = new MarkdownTable(List.of("figure", "value", "profiles"));
        keys.forEach(key -> rows(table, key));
        lines.addAll(table.lines());
        List<String> sources = new ArrayList<>();
        for (String key : keys) {
            Map<String, List<DeviceProfile>> bySource = new LinkedHashMap<>();
            for (DeviceProfile profile : profiles) {
                if (!profile.sourceOf(key).equals(profile.source())) {
                    bySource.computeIfAbsent(profile.sourceOf(key), none -> new ArrayList<>())
                            .add(profile);
                }
            }
            bySource.forEach(
                    (source, about) -> sources.add("- `" + key + "` of " + names(about) + ": " + prose(source)));
        }
        if (!sources.isEmpty()) {
            lines.add("");
            lines.add("Figures with a source of their own:");
            lines.add("");
            lines.addAll(sources);
        }
    }

    /** A row for each value of a figure; the commonest is that of all others, if it is that of many. */
    private void rows(MarkdownTable table, String key) {
        Map<String, List<DeviceProfile>> byValue = new LinkedHashMap<>();
        for (DeviceProfile profile : profiles) {
            profile.figure(key)
                    .ifPresent(figure -> byValue.computeIfAbsent(figure.value(), none -> new ArrayList<>())
                            .add(profile));
        }
        int most = byValue.values().stream().mapToInt(List::size).max().orElse(0);
        int stated = byValue.values().stream().mapToInt(List::size).sum();
        String first = "`" + key + "`";
        String common = "";
        for (Map.Entry<String, List<DeviceProfile>> value : byValue.entrySet()) {
            boolean isCommon = common.isEmpty() && value.getValue().size() == most && most > 3;
            if (isCommon) {
                common = value.getKey().isEmpty() ? "not known" : value.getKey();
            }
        }
        boolean isCommonLeft = !common.isEmpty();
        for (Map.Entry<String, List<DeviceProfile>> value : byValue.entrySet()) {
            String shown = value.getKey().isEmpty() ? "not known" : value.getKey();
            if (isCommonLeft && shown.equals(common)) {
                continue;
            }
            table.row(List.of(first, prose(shown), byValue.size() == 1 ? everyOne(stated) : names(value.getValue())));
            first = "";
        }
        if (isCommonLeft) {
            String whose = byValue.size() == 1 ? everyOne(stated) : "all others";
            table.row(List.of(first, prose(common), whose));
        }
    }

    private String everyOne(int stated) {
        return stated == profiles.size() ? "all" : "all that state it";
    }

    private void operators() {
        heading("Operators");
        Map<List<String>, List<DeviceProfile>> byList = new LinkedHashMap<>();
        profiles.forEach(profile -> byList.computeIfAbsent(profile.operators(), none -> new ArrayList<>())
                .add(profile));
        if (byList.isEmpty()) {
            byList.put(family.operators(), List.of());
        }
        byList.forEach((operators, about) -> {
            String whose = byList.size() == 1 ? "" : names(about) + ": ";
            lines.add("- " + whose
                    + (operators.isEmpty()
                            ? family.isRunByKernels()
                                    ? "every operator of which a kernel of Clinfer takes the use on such a device"
                                    : "every operator, as far as the rules allow"
                            : operators.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "))));
        });
        if (byList.keySet().stream().allMatch(List::isEmpty)) {
            return;
        }
        lines.add("");
        lines.add(
                family.isComplete()
                        ? "The list is complete: what is not in it falls back."
                        : "The list is not complete: of what is not in it nothing is known, and it is reported as"
                                + " unknown.");
    }

    private void rules() {
        if (family.rules().isEmpty()) {
            heading("Rules");
            lines.add(family.isRunByKernels() ? "None." : "None beside the list of operators.");
            return;
        }
        Map<List<String>, List<ProfileRule>> byKinds = new LinkedHashMap<>();
        family.rules()
                .forEach(rule -> byKinds.computeIfAbsent(rule.kinds(), none -> new ArrayList<>())
                        .add(rule));
        byKinds.forEach((kinds, rules) -> {
            heading("Rules for " + (kinds.equals(List.of("*")) ? "every operator" : String.join(", ", kinds)));
            for (int i = 0; i < rules.size(); i++) {
                if (i > 0) {
                    lines.add("");
                }
                rule(rules.get(i));
            }
        });
    }

    private void rule(ProfileRule rule) {
        lines.add("### " + rule.id());
        lines.add("");
        lines.add("Broken: " + prose(rule.message()) + ".");
        lines.add("");
        lines.add("```");
        rule.lets().forEach((name, value) -> code(name + " = ", value));
        rule.when().ifPresent(condition -> code("when ", condition));
        rule.total().ifPresent(amount -> code("total = sum over the network of ", amount));
        code("require ", rule.require());
        lines.add("```");
        lines.add("");
        lines.add("Source: " + prose(rule.source()) + "."
                + rule.evidence()
                        .filter(evidence -> !family.evidence().equals(Optional.of(evidence)))
                        .map(evidence -> " Evidence: " + prose(evidence.toString()) + ".")
                        .orElse("")
                + (rule.unit().isEmpty() ? "" : " Unit: " + prose(rule.unit()) + ".")
                + only(Reading.label(rule.readings())));
    }

    private static String only(String readings) {
        return readings.isEmpty() ? "" : " Only with `--reading " + readings.replace(", ", "` or `") + "`.";
    }

    /** An expression in lines of about a hundred characters. */
    private void code(String before, Expr expression) {
        lines.addAll(CodeLines.of(before, expression.source()));
    }
}
