package org.clinfer.judge;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Finding;
import org.clinfer.check.RuleId;
import org.clinfer.expr.Comparison;
import org.clinfer.expr.Scope;
import org.clinfer.infer.CheckedNode;
import org.clinfer.profile.ConverterStep;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileRule;
import org.clinfer.profile.Reading;
import org.clinfer.profile.RuleSet;
import org.clinfer.profile.Vocabulary;
import org.clinfer.tensor.DType;

/** Holds nodes against the rules of one device profile, under one reading. Stateless, and free to be used by threads. */
public final class ProfileJudge {

    private static final String EVERY_KIND = "*";

    private final DeviceProfile profile;
    private final RuleScope ruleScope;
    private final Reading reading;
    private final Map<List<String>, List<ProfileRule>> byKinds = new ConcurrentHashMap<>();
    private final Map<String, List<ProfileRule>> byId;

    /**
     * @param profile the device
     * @param vocabulary the words of the rules
     * @param reading how restrictions are read; where the profile asks for one itself, that counts
     */
    public ProfileJudge(DeviceProfile profile, Vocabulary vocabulary, Reading reading) {
        this.profile = profile;
        this.ruleScope = new RuleScope(vocabulary);
        this.reading = profile.reading().orElse(reading);
        this.byId = profile.rules().rules().stream().collect(Collectors.groupingBy(ProfileRule::id));
    }

    /** {@return the profile of the device} */
    public DeviceProfile profile() {
        return profile;
    }

    /** {@return the way in which restrictions are read} */
    public Reading reading() {
        return reading;
    }

    /**
     * {@return what a report by these rules rests on}
     *
     * @param asWritten whether the network is judged without what a converter does with it
     * @param float32As the type that float32 is judged as, if another
     * @param countedAs the type that values on the device are counted as, if another
     * @param passingTypes other types in which more would run
     * @param conversions how often each step of a converter was taken
     */
    public CheckReport.Basis basis(
            boolean asWritten,
            Optional<DType> float32As,
            Optional<DType> countedAs,
            List<DType> passingTypes,
            Map<ConverterStep, Integer> conversions) {
        return new CheckReport.Basis(
                profile.file(),
                profile.hash(),
                profile.rules().file(),
                profile.rules().hash(),
                reading,
                float32As,
                countedAs,
                passingTypes,
                asWritten,
                conversions);
    }

    /**
     * {@return every rule that the node breaks, and every one that cannot be decided for it; empty: the device runs
     * it}
     *
     * @param node the node
     */
    public List<Finding> judge(CheckedNode node) {
        boolean takesAll =
                profile.operators().isEmpty() && profile.rules().rules().isEmpty();
        return takesAll ? List.of() : judge(ruleScope.of(node));
    }

    /** The same of a node in the words of the rules. */
    List<Finding> judge(Vocabulary.Use use) {
        if (!isListed(use)) {
            return List.of(unlisted(use.kinds().get(0)));
        }
        Scope scope = profile.over(use.scope());
        List<ProfileRule> broken = broken(use);
        List<Finding> findings = new ArrayList<>();
        for (ProfileRule rule : broken) {
            finding(rule, use, scope, broken).ifPresent(findings::add);
        }
        return findings;
    }

    /** The rules that the node breaks, or that cannot be decided for it. */
    List<ProfileRule> broken(Vocabulary.Use use) {
        Scope scope = profile.over(use.scope());
        return concerning(use).stream().filter(rule -> !rule.holds(scope)).toList();
    }

    /**
     * Tells whether the device runs it.
     *
     * @param first the rules to try first
     */
    boolean passes(Vocabulary.Use use, List<ProfileRule> first) {
        Scope scope = profile.over(use.scope());
        for (ProfileRule rule : first) {
            if (kind(rule, use).isPresent() && !rule.holds(scope)) {
                return false;
            }
        }
        return isListed(use) && concerning(use).stream().allMatch(rule -> rule.holds(scope));
    }

    /** Tells whether the device runs operators of its kind at all. */
    boolean isListed(Vocabulary.Use use) {
        List<String> runs = profile.operators();
        return runs.isEmpty() || use.kinds().stream().anyMatch(runs::contains);
    }

    /** The rules that are meant for a use, as they are read, in their order. */
    private List<ProfileRule> concerning(Vocabulary.Use use) {
        return byKinds.computeIfAbsent(
                use.kinds(),
                kinds -> profile.rules().rules().stream()
                        .filter(rule -> !rule.isOfNetwork() && rule.readings().contains(reading))
                        .filter(rule -> kind(rule, use).isPresent())
                        .toList());
    }

    /** The rules on all nodes together, as they are read. */
    List<ProfileRule> totals() {
        return profile.rules().rules().stream()
                .filter(rule -> rule.total().isPresent() && rule.readings().contains(reading))
                .toList();
    }

    /** The rules on what stands before a node, as they are read. */
    List<ProfileRule> orders() {
        return profile.rules().rules().stream()
                .filter(rule -> rule.isOfOrder() && rule.readings().contains(reading))
                .toList();
    }

    /** Tells whether a rule is meant for a use. */
    static boolean isFor(ProfileRule rule, Vocabulary.Use use) {
        return kind(rule, use).isPresent();
    }

    /** The finding that a use breaks one rule, or that this cannot be decided; empty where the rule holds. */
    Optional<Finding> finding(ProfileRule rule, Vocabulary.Use use) {
        return finding(rule, use, profile.over(use.scope()), List.of(rule));
    }

    /** The kind for which a rule is meant for this use. */
    private static Optional<String> kind(ProfileRule rule, Vocabulary.Use use) {
        return rule.kinds().stream()
                .filter(of -> of.equals(EVERY_KIND) || use.kinds().contains(of))
                .findFirst();
    }

    /** The readings under which a broken rule is broken; empty where it is under all of them. */
    private String onlyReadings(ProfileRule broken, Vocabulary.Use use, Scope scope) {
        return Reading.label(requireNonNull(byId.get(broken.id())).stream()
                .filter(rule -> kind(rule, use).isPresent())
                .filter(rule -> rule.judge(scope) instanceof ProfileRule.Broken)
                .flatMap(rule -> rule.readings().stream())
                .toList());
    }

    /** An operator that is not among those the device is known to run. */
    private Finding unlisted(String kind) {
        RuleSet rules = profile.rules();
        RuleId id = new RuleId(rules.family() + "/operators");
        if (rules.isComplete()) {
            return new Finding(id, profile.title() + " does not run " + kind);
        }
        String message = "whether " + profile.title() + " runs " + kind + " is not known here";
        return new Finding(
                id,
                message,
                Optional.of(new Finding.BrokenRule(
                        false,
                        message,
                        List.of(),
                        "",
                        "",
                        "",
                        "",
                        List.of(),
                        rules.source(),
                        rules.evidence(),
                        "",
                        List.of())));
    }

    /** @param all the rules that the use breaks */
    private Optional<Finding> finding(ProfileRule rule, Vocabulary.Use use, Scope scope, List<ProfileRule> all) {
        RuleId id = new RuleId(
                String.join("/", profile.rules().family(), kind(rule, use).orElseThrow(), rule.id()));
        ProfileRule.Judgement judgement = rule.judge(scope);
        if (judgement instanceof ProfileRule.Broken broken) {
            String message = rule.message() + " (" + broken.explanation() + ")";
            return Optional.of(new Finding(id, message, Optional.of(broken(rule, broken, use, scope, all))));
        }
        if (judgement instanceof ProfileRule.Undecided undecided) {
            String message = "cannot be decided: " + rule.message() + " (" + undecided.explanation() + ")";
            return Optional.of(new Finding(
                    id,
                    message,
                    Optional.of(new Finding.BrokenRule(
                            false,
                            undecided.explanation(),
                            List.of(),
                            "",
                            "",
                            "",
                            rule.unit(),
                            places(rule),
                            rule.source(),
                            rule.evidence(),
                            Reading.label(rule.readings()),
                            List.of()))));
        }
        return Optional.empty();
    }

    private Finding.BrokenRule broken(
            ProfileRule rule, ProfileRule.Broken broken, Vocabulary.Use use, Scope scope, List<ProfileRule> all) {
        Optional<Comparison> comparison = broken.comparison();
        return new Finding.BrokenRule(
                true,
                broken.explanation(),
                broken.workings(),
                comparison.map(of -> of.actual().value().toString()).orElse(""),
                comparison.map(of -> of.limit().value().toString()).orElse(""),
                comparison.flatMap(Comparison::margin).map(Object::toString).orElse(""),
                rule.unit(),
                places(rule),
                rule.source(),
                rule.evidence(),
                onlyReadings(rule, use, scope),
                comparison.flatMap(of -> otherLimit(rule, of, use, all)).stream()
                        .toList());
    }

    /** The limit that would pass, where it is a figure of the profile, may be equal, and all other rules hold. */
    private Optional<Finding.PassingValue> otherLimit(
            ProfileRule rule, Comparison comparison, Vocabulary.Use use, List<ProfileRule> broken) {
        Comparison.Side limit = comparison.limit();
        boolean mayBeEqual =
                comparison.operator().equals("<=") || comparison.operator().equals(">=");
        if (!mayBeEqual || !rule.keys(profile.sections()).contains(limit.text())) {
            return Optional.empty();
        }
        Scope other = profile.with(limit.text(), comparison.actual().value()).apply(use.scope());
        // What is broken now decides soonest.
        return Stream.concat(broken.stream(), concerning(use).stream()).allMatch(each -> each.holds(other))
                ? Optional.of(new Finding.PassingValue(
                        limit.text(),
                        limit.value().toString(),
                        comparison.actual().value().toString()))
                : Optional.empty();
    }

    private List<String> places(ProfileRule rule) {
        Set<String> sections = profile.sections();
        List<String> places = new ArrayList<>();
        for (String key : rule.keys(sections)) {
            profile.figure(key).ifPresent(figure -> places.add(figure.place()));
        }
        return places;
    }
}
