package org.clinfer.profile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.FieldUses;
import org.clinfer.expr.Scope;
import org.clinfer.tensor.DType;

/**
 * The formulas by which a family of devices takes its time: the sections {@code [cost]} and {@code [cost KINDS]} of a rule
 * file. They speak the words of the rules, and of the figures of a profile.
 *
 * @param lets names and what they stand for, in order; each sees those before it
 * @param figures the formulas of the whole device
 * @param float32As the type of a float32 network on the device where none was asked for
 * @param source the documents
 * @param accuracy the error against published figures; empty where there are none to compare with
 * @param kinds the formulas of kinds of operators; the first that is meant for a use counts
 */
public record CostModel(
        Map<String, Expr> lets,
        Map<CostFigure, Expr> figures,
        Optional<DType> float32As,
        String source,
        Optional<String> accuracy,
        List<KindCost> kinds) {

    static final String SECTION = "cost";
    private static final String PREFIX = SECTION + " ";

    /** The names of a node's amounts that formulas see beside the words of the rules. */
    public static final Set<String> AMOUNTS = Set.of("multiply_adds", "read_bytes", "written_bytes", "weight_bytes");

    private static final String WEIGHT_BYTES = "weight_bytes";
    private static final String SOURCE = "source";
    private static final String ACCURACY = "accuracy";
    private static final String FLOAT32_AS = "float32_as";
    private static final Set<String> KIND_KEYS =
            Set.of("let.", "cycles", "read_bytes", "written_bytes", "weight_bytes", "node_seconds", SOURCE);

    /**
     * The formulas of some kinds of operators.
     *
     * @param kinds the kinds, or names of operators; {@code *} stands for all
     * @param lets names and what they stand for
     * @param cycles cycles of the clock that a use computes
     * @param amounts bytes that it moves where they are not those of its tensors, by the names of {@link #AMOUNTS}
     * @param nodeSeconds seconds that it takes beside, where they are not those of any node
     * @param source the document; empty for that of the family
     * @param where file and line
     */
    public record KindCost(
            List<String> kinds,
            Map<String, Expr> lets,
            Expr cycles,
            Map<String, Expr> amounts,
            Optional<Expr> nodeSeconds,
            String source,
            String where) {

        public KindCost {
            kinds = List.copyOf(kinds);
            lets = Collections.unmodifiableMap(new LinkedHashMap<>(lets));
            amounts = Collections.unmodifiableMap(new LinkedHashMap<>(amounts));
        }

        boolean isFor(List<String> of) {
            return kinds.contains(Vocabulary.ALL) || kinds.stream().anyMatch(of::contains);
        }

        /** Its formulas. */
        List<Expr> formulas() {
            List<Expr> all = new ArrayList<>(List.of(cycles));
            all.addAll(amounts.values());
            nodeSeconds.ifPresent(all::add);
            return all;
        }
    }

    /**
     * The bytes that a use of an operator moves.
     *
     * @param read bytes of what it takes, without weights
     * @param written bytes of what it gives
     * @param weights bytes of its constants
     */
    public record Traffic(long read, long written, long weights) {}

    /**
     * The time of a use of an operator.
     *
     * @param computeSeconds seconds of the arithmetic alone
     * @param memorySeconds seconds of the device's own memory alone
     * @param overheadSeconds seconds that are added to the longer of both
     * @param weightBytes bytes of weights that have to be on the device
     */
    public record DeviceTime(double computeSeconds, double memorySeconds, double overheadSeconds, long weightBytes) {

        /**
         * {@return the time of one after the other}
         *
         * @param other the time of what comes after it
         */
        public DeviceTime plus(DeviceTime other) {
            return new DeviceTime(
                    computeSeconds + other.computeSeconds,
                    memorySeconds + other.memorySeconds,
                    overheadSeconds + other.overheadSeconds,
                    weightBytes + other.weightBytes);
        }
    }

    public CostModel {
        lets = Collections.unmodifiableMap(new LinkedHashMap<>(lets));
        figures = Map.copyOf(figures);
        kinds = List.copyOf(kinds);
    }

    static boolean isPart(IniFile.Section section) {
        return section.name().equals(SECTION) || section.name().startsWith(PREFIX);
    }

    /**
     * Reads the sections of a rule file.
     *
     * @param shared the names of the family
     * @param problems told of every entry that is malformed or missing
     * @return empty where the file has none
     */
    static Optional<CostModel> parse(IniFile file, Map<String, Expr> shared, IniFile.Problems problems) {
        Optional<IniFile.Section> head = file.section(SECTION);
        List<IniFile.Section> parts = file.sections().stream()
                .filter(section -> section.name().startsWith(PREFIX))
                .toList();
        if (head.isEmpty()) {
            parts.stream()
                    .findFirst()
                    .ifPresent(part ->
                            problems.at(part.line(), "[" + part.name() + "] needs a section [" + SECTION + "]"));
            return Optional.empty();
        }
        Set<String> known = new HashSet<>(CostFigure.keys());
        known.addAll(Set.of("let.", SOURCE, ACCURACY, FLOAT32_AS));
        SectionFields fields = new SectionFields(file, head.get(), known, problems);
        Map<String, Expr> lets = new LinkedHashMap<>(shared);
        lets.putAll(fields.expressions("let."));
        Map<CostFigure, Expr> figures = new LinkedHashMap<>();
        for (CostFigure figure : CostFigure.values()) {
            fields.expression(figure.key()).ifPresent(formula -> figures.put(figure, formula));
        }
        return Optional.of(new CostModel(
                lets,
                figures,
                fields.type(FLOAT32_AS),
                fields.required(SOURCE),
                Optional.of(fields.text(ACCURACY)).filter(text -> !text.isEmpty()),
                parts.stream()
                        .flatMap(part -> kind(file, part, problems).stream())
                        .toList()));
    }

    /** Empty where it has no formula of cycles. */
    private static Optional<KindCost> kind(IniFile file, IniFile.Section section, IniFile.Problems problems) {
        SectionFields fields = new SectionFields(file, section, KIND_KEYS, problems);
        fields.required("cycles");
        Map<String, Expr> amounts = new LinkedHashMap<>();
        for (String amount : List.of("read_bytes", "written_bytes", "weight_bytes")) {
            fields.expression(amount).ifPresent(formula -> amounts.put(amount, formula));
        }
        List<String> kinds = Arrays.stream(
                        section.name().substring(PREFIX.length()).split(",", -1))
                .map(String::strip)
                .filter(kind -> !kind.isEmpty())
                .toList();
        Map<String, Expr> own = fields.expressions("let.");
        Optional<Expr> nodeSeconds = fields.expression("node_seconds");
        return fields.expression("cycles")
                .map(cycles -> new KindCost(
                        kinds,
                        own,
                        cycles,
                        amounts,
                        nodeSeconds,
                        fields.text(SOURCE),
                        file.name() + ":" + section.line()));
    }

    /**
     * {@return the value of a formula of the whole device; empty where it has none, or a figure of the profile is not
     * known}
     *
     * @param figure the formula
     * @param profile the device
     */
    public OptionalDouble figure(CostFigure figure, DeviceProfile profile) {
        Expr formula = figures.get(figure);
        if (formula == null) {
            return OptionalDouble.empty();
        }
        return new Formulas(lets, profile.over(Scope.empty())).number(formula);
    }

    /**
     * {@return whether a profile has the figures of which time can be computed: the clock is one of them}
     *
     * @param profile the device
     */
    public boolean isFor(DeviceProfile profile) {
        return figure(CostFigure.CLOCK_HZ, profile).isPresent();
    }

    /**
     * {@return the figures that the clock is made of and a profile does not give, as {@code Section.key}}
     *
     * @param profile the device
     */
    public List<String> missing(DeviceProfile profile) {
        Set<String> keys = new TreeSet<>();
        Optional.ofNullable(figures.get(CostFigure.CLOCK_HZ)).ifPresent(clock -> {
            keys.addAll(clock.fields());
            new SharedNames(lets).needed(clock.names()).values().forEach(let -> keys.addAll(let.fields()));
        });
        return keys.stream()
                .filter(key -> profile.figure(key)
                        .filter(figure -> !figure.value().isEmpty())
                        .isEmpty())
                .toList();
    }

    /**
     * The time of a use of an operator on a device.
     *
     * @param profile the device
     * @param use the use, in the words of the rules
     * @param traffic bytes that it moves
     * @param multiplyAdds empty where they are not known
     * @return empty where no formula is meant for it, or something is not known
     */
    public Optional<DeviceTime> time(
            DeviceProfile profile, Vocabulary.Use use, Traffic traffic, OptionalLong multiplyAdds) {
        Scope scope = profile.over(use.scope()).with(amounts(traffic, multiplyAdds));
        return kinds.stream()
                .filter(kind -> kind.isFor(use.kinds()))
                .findFirst()
                .flatMap(kind -> time(kind, profile, scope));
    }

    private static Map<String, ExpressionValue> amounts(Traffic traffic, OptionalLong multiplyAdds) {
        return Map.of(
                "multiply_adds",
                multiplyAdds.isPresent() ? ExpressionValue.of(multiplyAdds.getAsLong()) : ExpressionValue.unknown(),
                "read_bytes",
                ExpressionValue.of(traffic.read),
                "written_bytes",
                ExpressionValue.of(traffic.written),
                WEIGHT_BYTES,
                ExpressionValue.of(traffic.weights));
    }

    private Optional<DeviceTime> time(KindCost kind, DeviceProfile profile, Scope scope) {
        Map<String, Expr> all = new LinkedHashMap<>(lets);
        all.putAll(kind.lets);
        Formulas formulas = new Formulas(all, scope);
        Scope moving = scope;
        for (Map.Entry<String, Expr> amount : kind.amounts.entrySet()) {
            OptionalDouble bytes = formulas.number(amount.getValue());
            if (bytes.isEmpty()) {
                return Optional.empty();
            }
            moving = moving.with(amount.getKey(), ExpressionValue.of((long) bytes.getAsDouble()));
        }
        Formulas moved = new Formulas(all, moving);
        OptionalDouble cycles = formulas.number(kind.cycles);
        OptionalDouble clock = figure(CostFigure.CLOCK_HZ, profile);
        OptionalDouble memory = moved.number(figures.get(CostFigure.MEMORY_SECONDS), 0);
        OptionalDouble overhead = moved.number(kind.nodeSeconds.orElse(figures.get(CostFigure.NODE_SECONDS)), 0);
        if (cycles.isEmpty() || clock.isEmpty() || memory.isEmpty() || overhead.isEmpty()) {
            return Optional.empty();
        }
        double computing = cycles.getAsDouble() / clock.getAsDouble();
        return moving.find(WEIGHT_BYTES)
                .map(ExpressionValue.Int.class::cast)
                .map(weights ->
                        new DeviceTime(computing, memory.getAsDouble(), overhead.getAsDouble(), weights.value()));
    }

    /**
     * {@return the keys of a profile that formulas look at, as {@code Section.key}, among those of some sections}
     *
     * @param sections the sections of profiles
     */
    public Set<String> keys(Set<String> sections) {
        Set<String> keys = new HashSet<>();
        formulas().forEach(formula -> keys.addAll(formula.fields()));
        keys.removeIf(key -> !sections.contains(key.substring(0, key.indexOf('.'))));
        return keys;
    }

    /** Adds the uses of figures in the formulas. */
    void addUses(FieldUses uses) {
        formulas().forEach(uses::add);
    }

    private List<Expr> formulas() {
        List<Expr> all = new ArrayList<>(figures.values());
        all.addAll(lets.values());
        for (KindCost kind : kinds) {
            all.addAll(kind.formulas());
            all.addAll(kind.lets.values());
        }
        return all;
    }
}
