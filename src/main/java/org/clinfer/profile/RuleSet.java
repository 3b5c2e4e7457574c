package org.clinfer.profile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.expr.Expr;
import org.clinfer.tensor.DType;
import org.clinfer.text.Spelling;

/**
 * The rules of one family of devices: a file of {@code device-profiles/rules}.
 *
 * @param family the family's name, the file's name without suffix
 * @param title for people
 * @param vendor who makes the devices
 * @param operators the kinds of operators, and names of operators, that the devices run at all; empty: all
 * @param isComplete whether the devices run nothing else; false: of others nothing is known
 * @param detect a key, as {@code Section.key}, by which a profile that names no family is recognised; may be empty
 * @param hasVendorFiles whether a profile may be a file of the vendor's own, whose other sections and keys are taken as they
 *     are
 * @param isRunByKernels whether Clinfer's own kernels run networks on the devices, so that they decide what runs
 * @param memory bytes of memory of a device, over the profile; empty where nothing is published
 * @param converts what the family's converter does to a network before the device is asked, with the document of each
 *     step
 * @param quantization the types after the family's own quantization; empty where nothing is known of it
 * @param cost the formulas by which the devices take their time; empty where nothing is published
 * @param source where the rules come from
 * @param evidence the ground on which its list of operators stands, and each rule that names no other; empty where the
 *     file does not say
 * @param file the file's name
 * @param hash SHA-256 of the file's text, in hexadecimal digits
 * @param rules what an operator must be like to run there
 */
public record RuleSet(
        String family,
        String title,
        String vendor,
        List<String> operators,
        boolean isComplete,
        String detect,
        boolean hasVendorFiles,
        boolean isRunByKernels,
        Optional<Expr> memory,
        Map<ConverterStep, String> converts,
        Optional<FamilyQuantization> quantization,
        Optional<CostModel> cost,
        String source,
        Optional<Evidence> evidence,
        String file,
        String hash,
        List<ProfileRule> rules) {

    private static final Set<String> FAMILY_KEYS = Set.of(
            "title",
            "vendor",
            "operators",
            "complete",
            "detect",
            "vendor_files",
            "kernels",
            "memory",
            "source",
            "evidence",
            "sdk",
            "read",
            "let.");
    private static final String FAMILY = "family";
    private static final String CONVERTS = "converts";
    private static final String QUANTIZATION = "quantization";

    /** The sections that are no rules. */
    private static final Set<String> HEADS = Set.of(CONVERTS, QUANTIZATION);

    private static final Set<String> QUANTIZATION_KEYS =
            Set.of("types", "kinds", "bias", "results", "others", "source");
    private static final Set<String> RULE_KEYS = Set.of(
            "let.",
            "when",
            ProfileRule.TOTAL,
            "require",
            "message",
            "unit",
            "source",
            "evidence",
            "sdk",
            "read",
            "reading");

    public RuleSet {
        operators = List.copyOf(operators);
        converts = converts.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(converts));
        rules = List.copyOf(rules);
    }

    /**
     * Reads a rule file.
     *
     * @throws ProfileException if it is malformed
     */
    static RuleSet parse(String family, IniFile file) {
        return parse(family, file, file.thrown()).orElseThrow();
    }

    /**
     * The rules of a file without those that are malformed.
     *
     * @param problems told of everything that is malformed or missing
     * @return empty where there is no section of the family
     */
    static Optional<RuleSet> parse(String family, IniFile file, IniFile.Problems problems) {
        Optional<IniFile.Section> head = file.section(FAMILY);
        if (head.isEmpty()) {
            noFamily(file, problems);
        }
        return head.map(section -> parse(family, file, section, problems));
    }

    private static RuleSet parse(String family, IniFile file, IniFile.Section head, IniFile.Problems problems) {
        SectionFields fields = new SectionFields(file, head, FAMILY_KEYS, problems);
        Map<String, Expr> lets = fields.expressions("let.");
        Optional<Evidence> evidence = fields.evidence(Optional.empty());
        SharedNames shared = new SharedNames(lets);
        List<ProfileRule> rules = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (IniFile.Section section : file.sections()) {
            if (section.line() == head.line() || HEADS.contains(section.name()) || CostModel.isPart(section)) {
                continue;
            }
            rule(file, section, shared, evidence, problems).ifPresent(rule -> {
                boolean isNew = true;
                for (String kind : rule.kinds()) {
                    for (Reading reading : rule.readings()) {
                        isNew &= ids.add(kind + "/" + rule.id() + "/" + reading);
                    }
                }
                if (!isNew) {
                    problems.at(section.line(), "there are two rules [" + section.name() + "]");
                }
                rules.add(rule);
            });
        }
        return new RuleSet(
                family,
                fields.required("title"),
                fields.required("vendor"),
                fields.list("operators"),
                fields.flag("complete"),
                fields.text("detect"),
                fields.flag("vendor_files"),
                fields.flag("kernels"),
                fields.expression("memory"),
                file.section(CONVERTS)
                        .map(section -> converts(section, problems))
                        .orElse(Map.of()),
                file.section(QUANTIZATION).map(section -> quantization(file, section, problems)),
                CostModel.parse(file, lets, problems),
                fields.required("source"),
                evidence,
                file.name(),
                file.hash(),
                rules);
    }

    /** Says that a file has no family, at a section that is nearly called so where there is one. */
    private static void noFamily(IniFile file, IniFile.Problems problems) {
        file.sections().stream()
                .filter(section ->
                        Spelling.nearest(section.name(), Set.of(FAMILY)).isPresent())
                .findFirst()
                .ifPresentOrElse(
                        section -> problems.at(
                                section.line(),
                                "there is no section [family], but " + IniFile.shown(section.name())
                                        + Spelling.question(section.name(), Set.of(FAMILY))),
                        () -> problems.at(
                                1, "there is no section [family], which has title, vendor and source of the rules"));
    }

    /** The steps of a converter, each with its source. */
    private static Map<ConverterStep, String> converts(IniFile.Section section, IniFile.Problems problems) {
        Map<ConverterStep, String> steps = new EnumMap<>(ConverterStep.class);
        for (IniFile.Entry entry : section.entries()) {
            Optional<ConverterStep> step = ConverterStep.of(entry.key());
            if (step.isEmpty()) {
                problems.at(
                        entry.line(),
                        "there is no step '" + entry.key() + "' of a converter, only "
                                + String.join(", ", ConverterStep.words())
                                + Spelling.question(entry.key(), ConverterStep.words()));
            } else if (entry.value().isEmpty()) {
                problems.at(entry.line(), entry.key() + " needs its source");
            } else {
                steps.put(step.get(), entry.value());
            }
        }
        return steps;
    }

    private static FamilyQuantization quantization(IniFile file, IniFile.Section section, IniFile.Problems problems) {
        SectionFields fields = new SectionFields(file, section, QUANTIZATION_KEYS, problems);
        boolean isNone = fields.required("types").equals("none");
        return new FamilyQuantization(
                isNone ? List.of() : fields.types("types"),
                fields.list("kinds"),
                fields.type("bias"),
                fields.type("results"),
                fields.type("others"),
                fields.required("source"));
    }

    /**
     * The rule of a section {@code [kind, kind/id]}.
     *
     * @param shared the names of the family
     * @param evidence that of the family
     * @return empty where its name or what it requires is malformed
     */
    private static Optional<ProfileRule> rule(
            IniFile file,
            IniFile.Section section,
            SharedNames shared,
            Optional<Evidence> evidence,
            IniFile.Problems problems) {
        int slash = section.name().lastIndexOf('/');
        List<String> kinds = Arrays.stream(
                        section.name().substring(0, Math.max(slash, 0)).split(",", -1))
                .map(String::strip)
                .filter(kind -> !kind.isEmpty())
                .toList();
        String id = section.name().substring(slash + 1).strip();
        if (kinds.isEmpty() || id.isEmpty()) {
            problems.at(
                    section.line(),
                    "expected [kind/rule], found [" + section.name() + "]" + Spelling.question(section.name(), HEADS));
            return Optional.empty();
        }
        SectionFields fields = new SectionFields(file, section, RULE_KEYS, problems);
        Map<String, Expr> own = fields.expressions("let.");
        fields.required("require");
        String message = fields.required("message");
        String source = fields.required("source");
        Optional<Expr> when = fields.expression("when");
        Optional<Expr> total = fields.expression(ProfileRule.TOTAL);
        Optional<Evidence> ownEvidence = fields.evidence(evidence);
        Set<Reading> readings = fields.readings("reading");
        Optional<Expr> require = fields.expression("require");
        if (require.isEmpty()) {
            return Optional.empty();
        }
        Set<String> used = new HashSet<>(require.get().names());
        if (total.isPresent() && !used.contains(ProfileRule.TOTAL)) {
            problems.at(fields.line(ProfileRule.TOTAL), "require does not speak of the total");
        }
        when.ifPresent(condition -> used.addAll(condition.names()));
        total.ifPresent(amount -> used.addAll(amount.names()));
        return Optional.of(new ProfileRule(
                kinds,
                id,
                shared.needed(own, used),
                when,
                total,
                require.get(),
                message,
                fields.text("unit"),
                source,
                ownEvidence,
                readings,
                file.name() + ":" + section.line()));
    }

    /**
     * {@return whether networks for the family may be quantized or converted to a type, as far as is known}
     *
     * @param type the type of the network
     */
    public boolean takes(DType type) {
        return quantization.isEmpty() || quantization.get().types().contains(type);
    }
}
