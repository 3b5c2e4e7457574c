package org.clinfer.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.clinfer.expr.Comparison;
import org.clinfer.expr.Scope;
import org.clinfer.expr.Value;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.Reading;
import org.clinfer.profile.Rule;
import org.clinfer.profile.RuleSet;
import org.clinfer.profile.Vocabulary;
import org.clinfer.tensor.TensorType;

/** Holds nodes against the rules of one device profile, under one reading. Stateless, and free to be used by threads. */
public final class ProfileJudge {

    private static final String EVERY_KIND = "*";

    private final DeviceProfile profile;
    private final Vocabulary vocabulary;
    private final Reading reading;

    /** @param reading how restrictions are read; where the profile asks for one itself, that counts */
    public ProfileJudge(DeviceProfile profile, Vocabulary vocabulary, Reading reading) {
        this.profile = profile;
        this.vocabulary = vocabulary;
        this.reading = profile.reading().orElse(reading);
    }

    public DeviceProfile profile() {
        return profile;
    }

    public Reading reading() {
        return reading;
    }

    /** Every rule that the node breaks, and every one that cannot be decided for it; empty: the device runs it. */
    public List<Finding> judge(CheckedNode node) {
        Vocabulary.Use use = use(node);
        RuleSet rules = profile.rules();
        List<String> runs = profile.operators();
        if (!runs.isEmpty() && use.kinds().stream().noneMatch(runs::contains)) {
            return List.of(unlisted(use.kinds().get(0), runs));
        }
        Scope scope = profile.over(use.scope());
        List<Finding> findings = new ArrayList<>();
        for (Rule rule : rules.rules()) {
            boolean concerns = rule.reading().filter(only -> only != reading).isEmpty();
            Optional<String> kind = concerns ? kind(rule, use) : Optional.empty();
            if (kind.isPresent()) {
                String id = rules.family() + "/" + kind.get() + "/" + rule.id();
                finding(rule, id, rule.judge(scope), () -> onlyReading(rule, use, scope))
                        .ifPresent(findings::add);
            }
        }
        return findings;
    }

    /** The kind for which a rule is meant for this use. */
    private static Optional<String> kind(Rule rule, Vocabulary.Use use) {
        return rule.kinds().stream()
                .filter(of -> of.equals(EVERY_KIND) || use.kinds().contains(of))
                .findFirst();
    }

    /** The reading under which a broken rule is broken; empty where it is under the other one too. */
    private String onlyReading(Rule broken, Vocabulary.Use use, Scope scope) {
        boolean alsoOtherwise = profile.rules().rules().stream()
                .filter(rule -> rule.id().equals(broken.id()) && !rule.reading().equals(broken.reading()))
                .filter(rule -> kind(rule, use).isPresent())
                .anyMatch(rule -> rule.judge(scope) instanceof Rule.Broken);
        return alsoOtherwise ? "" : broken.reading().map(Reading::label).orElse("");
    }

    /** The node in the words of the rules: those for its operator, else for what it is lowered to. */
    private Vocabulary.Use use(CheckedNode node) {
        CheckedNode spoken = node;
        List<String> names = new ArrayList<>();
        for (CheckedNode form = node; form != null; form = form.lowered()) {
            names.add(form.node().op());
            spoken = form;
            if (vocabulary.operators().contains(form.node().op())) {
                break;
            }
        }
        if (!vocabulary.operators().contains(spoken.node().op())) {
            spoken = node;
        }
        Scope scope = spoken.binding().scope().with(tensors(spoken));
        Vocabulary.Use use = vocabulary.use(spoken.node().op(), scope);
        List<String> kinds = new ArrayList<>(use.kinds());
        names.stream().filter(name -> !kinds.contains(name)).forEach(kinds::add);
        return new Vocabulary.Use(kinds, use.scope());
    }

    /** What every operator has: the shapes and data types of its tensors. */
    private static Map<String, Value> tensors(CheckedNode node) {
        List<TensorType> inputs = new ArrayList<>();
        for (TensorType type : node.inputTypes()) {
            if (type != null) {
                inputs.add(type);
            }
        }
        return Map.of(
                "input_dims", dims(inputs),
                "input_dtypes", dtypes(inputs),
                "output_dims", dims(node.outputTypes()),
                "output_dtypes", dtypes(node.outputTypes()));
    }

    private static Value dims(List<TensorType> types) {
        return Value.list(types.stream().map(type -> Value.dims(type.shape())).toList());
    }

    private static Value dtypes(List<TensorType> types) {
        return Value.list(
                types.stream().map(type -> Value.of(type.dtype().label())).toList());
    }

    /** An operator that is not among those the device is known to run. */
    private Finding unlisted(String kind, List<String> runs) {
        RuleSet rules = profile.rules();
        String id = rules.family() + "/operators";
        if (rules.isComplete()) {
            return new Finding(id, profile.title() + " does not run " + kind + ", only " + shown(runs));
        }
        String message = "whether " + profile.title() + " runs " + kind + " is not known here, only of " + shown(runs);
        return new Finding(
                id,
                message,
                Optional.of(new Finding.BrokenRule(
                        false, message, "", "", "", "", List.of(), rules.source(), "", List.of())));
    }

    private static String shown(List<String> operators) {
        int most = 12;
        String first = String.join(", ", operators.subList(0, Math.min(most, operators.size())));
        return operators.size() > most ? first + ", … (" + operators.size() + " in all)" : first;
    }

    private Optional<Finding> finding(Rule rule, String id, Rule.Judgement judgement, Supplier<String> onlyReading) {
        if (judgement instanceof Rule.Broken broken) {
            String message = rule.message() + " (" + broken.explanation() + ")";
            return Optional.of(new Finding(id, message, Optional.of(broken(rule, broken, onlyReading.get()))));
        }
        if (judgement instanceof Rule.Undecided undecided) {
            String message = "not known whether " + rule.message() + " (" + undecided.explanation() + ")";
            return Optional.of(new Finding(
                    id,
                    message,
                    Optional.of(new Finding.BrokenRule(
                            false,
                            undecided.explanation(),
                            "",
                            "",
                            "",
                            rule.unit(),
                            places(rule),
                            rule.source(),
                            rule.reading().map(Reading::label).orElse(""),
                            List.of()))));
        }
        return Optional.empty();
    }

    private Finding.BrokenRule broken(Rule rule, Rule.Broken broken, String onlyReading) {
        Optional<Comparison> comparison = broken.comparison();
        return new Finding.BrokenRule(
                true,
                broken.explanation(),
                comparison.map(of -> of.actual().value().toString()).orElse(""),
                comparison.map(of -> of.limit().value().toString()).orElse(""),
                comparison.flatMap(Comparison::margin).map(Object::toString).orElse(""),
                rule.unit(),
                places(rule),
                rule.source(),
                onlyReading,
                comparison.flatMap(of -> otherLimit(rule, of)).stream().toList());
    }

    /** What the limit would have to be, where it is a figure of the profile and may be equal. */
    private Optional<Finding.PassingValue> otherLimit(Rule rule, Comparison comparison) {
        Comparison.Side limit = comparison.limit();
        boolean mayBeEqual =
                comparison.operator().equals("<=") || comparison.operator().equals(">=");
        return mayBeEqual && rule.keys(profile.sections()).contains(limit.text())
                ? Optional.of(new Finding.PassingValue(
                        limit.text(),
                        limit.value().toString(),
                        comparison.actual().value().toString()))
                : Optional.empty();
    }

    private List<String> places(Rule rule) {
        Set<String> sections = profile.sections();
        List<String> places = new ArrayList<>();
        for (String key : rule.keys(sections)) {
            profile.figure(key).ifPresent(figure -> places.add(figure.place()));
        }
        return places;
    }
}
