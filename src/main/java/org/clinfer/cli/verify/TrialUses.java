package org.clinfer.cli.verify;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.describe.Binding;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.describe.RealType;
import org.clinfer.describe.TypeSupport;
import org.clinfer.describe.Violation;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Made-up uses of an operator: in every type, with sizes beside and beyond those of work-groups, and with other values of its
 * parameters, as far as its description takes them.
 */
final class TrialUses {

    /** Sizes of the first input, few of which are multiples of anything. */
    private static final List<long[]> SHAPES = List.of(
            new long[] {7},
            new long[] {64},
            new long[] {257},
            new long[] {1},
            new long[] {3, 5},
            new long[] {33, 70},
            new long[] {2, 3, 5},
            new long[] {1, 3, 7, 5},
            new long[] {2, 4, 9, 13},
            new long[] {2, 3, 4, 3, 5});

    /** Uses with values of parameters that are not the default. */
    private static final int MOST_VARIED = 8;
    /** Combinations of the other inputs and the parameters that are looked at for one shape. */
    private static final int MOST_TRIES = 1500;
    /** Looks at each parameter, because a value may need that of another one. */
    private static final int PASSES = 2;

    private static final int FILTERS = 4;

    private final OpDescription op;
    private final DType first;
    private int tries;
    private int fewest = Integer.MAX_VALUE;
    private Optional<String> objection = Optional.empty();

    private TrialUses(OpDescription op, DType first) {
        this.op = op;
        this.first = first;
    }

    /**
     * The uses of an operator.
     *
     * @param objection why the description takes none of those that were thought of, where it does not
     */
    record Found(List<TrialUse> uses, Optional<String> objection) {}

    static Found of(OpDescription op) {
        List<DType> types = types(op);
        DType first = types.contains(DType.FLOAT32) ? DType.FLOAT32 : types.get(0);
        TrialUses search = new TrialUses(op, first);
        List<TrialUse> forms = search.forms();
        List<TrialUse> varied = forms.isEmpty() ? List.of() : search.varied(forms.get(0));
        Set<TrialUse> all = new LinkedHashSet<>(forms);
        for (TrialUse form : forms) {
            for (DType type : types) {
                TrialUse use = form.in(first, type);
                if (type != first && use.type() == type && use.isTaken()) {
                    all.add(use);
                }
            }
        }
        all.addAll(varied);
        return new Found(List.copyOf(all), forms.isEmpty() ? search.objection : Optional.empty());
    }

    /** The types of the first input whose elements are data. */
    private static List<DType> types(OpDescription op) {
        List<DType> listed = op.inputs().stream()
                .filter(input -> !input.value())
                .findFirst()
                .map(InputDescription::dtypes)
                .orElse(List.of(DType.FLOAT32));
        List<DType> types = TypeSupport.TYPES.stream()
                .filter(type -> listed.isEmpty() || listed.contains(type))
                .toList();
        return types.isEmpty() ? listed : types;
    }

    /** The uses in one type. */
    private List<TrialUse> forms() {
        List<TrialUse> forms = new ArrayList<>();
        for (long[] shape : SHAPES) {
            find(shape, true).ifPresent(forms::add);
            if (op.inputs().stream().anyMatch(InputDescription::optional)) {
                find(shape, false).ifPresent(forms::add);
            }
        }
        return forms;
    }

    /** The first use with this shape that the description takes. */
    private Optional<TrialUse> find(long[] shape, boolean withOptional) {
        tries = 0;
        return input(shape, withOptional, new ArrayList<>(), new HashMap<>());
    }

    private Optional<TrialUse> input(
            long[] shape, boolean withOptional, List<@Nullable TensorType> chosen, Map<Integer, long[]> constants) {
        int position = chosen.size();
        if (position >= op.inputs().size()) {
            return withParams(chosen, constants);
        }
        InputDescription input = op.inputs().get(position);
        if (input.optional() && !withOptional) {
            chosen.add(null);
            Optional<TrialUse> found = input(shape, false, chosen, constants);
            chosen.remove(position);
            return found;
        }
        DType type = type(input);
        for (long[] option : input.value() ? values(shape) : shapes(shape, position)) {
            long[] sizes = input.value() ? new long[] {option.length} : option;
            chosen.add(new TensorType(type, Shape.of(sizes)));
            if (input.value()) {
                constants.put(position, option);
            }
            if (input.variadic()) {
                chosen.add(chosen.get(position));
            }
            Optional<TrialUse> found = input(shape, withOptional, chosen, constants);
            chosen.subList(position, chosen.size()).clear();
            constants.remove(position);
            if (found.isPresent() || tries > MOST_TRIES) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** The type of an input where the main one has the first. */
    private DType type(InputDescription input) {
        if (input.value()) {
            return input.dtypes().isEmpty() || input.dtypes().contains(DType.INT64)
                    ? DType.INT64
                    : input.dtypes().get(0);
        }
        boolean takes = input.dtypes().isEmpty() || input.dtypes().contains(first);
        return takes ? first : input.dtypes().get(0);
    }

    /** The shapes that an input beside the first may have: the same, a number for each channel, matrices, filters. */
    private static List<long[]> shapes(long[] main, int position) {
        if (position == 0) {
            return List.of(main);
        }
        List<long[]> shapes = new ArrayList<>(List.of(main, new long[] {main[main.length - 1]}, new long[] {1}));
        if (main.length > 1) {
            long channels = main[1];
            shapes.add(new long[] {channels});
            shapes.add(new long[] {main[main.length - 1], FILTERS});
            shapes.add(new long[] {FILTERS, main[main.length - 1]});
            shapes.add(new long[] {FILTERS});
            long[] filters = LongStream.of(main).map(size -> 3).toArray();
            filters[0] = FILTERS;
            filters[1] = channels;
            shapes.add(filters);
            long[] depthwise = filters.clone();
            depthwise[0] = channels;
            depthwise[1] = 1;
            shapes.add(depthwise);
        }
        shapes.add(new long[0]);
        return shapes;
    }

    /** The elements that an input which decides shapes may have. */
    private static List<long[]> values(long[] main) {
        long[] ones = LongStream.of(main).map(size -> 1).toArray();
        return List.of(main, ones, new long[] {1}, new long[] {0}, new long[] {-1});
    }

    /**
     * The use with values for the parameters that must be given, and for others where their defaults break a rule: for each in
     * turn the one with which the fewest rules are broken.
     */
    private Optional<TrialUse> withParams(List<@Nullable TensorType> inputs, Map<Integer, long[]> constants) {
        Map<String, ExpressionValue> params = new LinkedHashMap<>();
        List<ParamDescription> free = op.params().stream()
                .filter(param -> param.fromInput().isEmpty() && !values(param).isEmpty())
                .toList();
        free.stream()
                .filter(param -> param.byDefault().isEmpty())
                .forEach(param -> params.put(param.name(), values(param).get(0)));
        TrialUse best = use(inputs, constants, params);
        int broken = broken(best);
        for (int pass = 0; pass < PASSES && broken > 0; pass++) {
            for (ParamDescription param : free) {
                for (ExpressionValue value : broken > 0 ? values(param) : List.<ExpressionValue>of()) {
                    Map<String, ExpressionValue> changed = new LinkedHashMap<>(best.params());
                    changed.put(param.name(), value);
                    TrialUse other = use(inputs, constants, changed);
                    int others = broken(other);
                    if (others < broken) {
                        best = other;
                        broken = others;
                    }
                }
            }
        }
        return broken == 0 ? Optional.of(best) : Optional.empty();
    }

    private TrialUse use(
            List<@Nullable TensorType> inputs, Map<Integer, long[]> constants, Map<String, ExpressionValue> params) {
        return new TrialUse(
                op,
                Collections.unmodifiableList(new ArrayList<>(inputs)),
                Map.copyOf(constants),
                Collections.unmodifiableMap(new LinkedHashMap<>(params)));
    }

    /** The number of rules that a use breaks; the least says why there is none. */
    private int broken(TrialUse use) {
        tries++;
        Binding bound = use.bound();
        List<String> messages = Stream.of(bound.violations().stream().map(Violation::message), bound.unknown().stream())
                .flatMap(Function.identity())
                .toList();
        if (messages.isEmpty() && !bound.isComplete()) {
            return Integer.MAX_VALUE;
        }
        if (!messages.isEmpty() && messages.size() <= fewest) {
            fewest = messages.size();
            objection = Optional.of(use + ": " + String.join("; ", messages));
        }
        return messages.size();
    }

    /** The values that are tried of a parameter. */
    private static List<ExpressionValue> values(ParamDescription param) {
        List<ExpressionValue> single = switch (param.type()) {
            case LN_PARAM_NULL -> List.of();
            case LN_PARAM_BOOL, LN_PARAM_ARRAY_BOOL -> List.of(ExpressionValue.of(false), ExpressionValue.of(true));
            case LN_PARAM_STRING, LN_PARAM_ARRAY_STRING ->
                param.oneOf().stream().map(ExpressionValue::of).toList();
            case LN_PARAM_NUMBER, LN_PARAM_ARRAY_NUMBER ->
                param.realType().filter(RealType.INT::equals).isPresent()
                        ? Stream.of(1, 2, 0, 3, -1).map(ExpressionValue::of).toList()
                        : Stream.of(0.5, 1.0, 2.25, -1.5, 0.0)
                                .map(ExpressionValue::of)
                                .toList();
        };
        if (!param.type().isArray()) {
            return single;
        }
        List<ExpressionValue> lists = new ArrayList<>();
        for (int length = 1; length <= FILTERS; length++) {
            for (ExpressionValue value : single) {
                lists.add(ExpressionValue.list(Collections.nCopies(length, value)));
            }
        }
        return lists;
    }

    /** The same use with other values of one parameter at a time. */
    private List<TrialUse> varied(TrialUse use) {
        List<TrialUse> varied = new ArrayList<>();
        for (ParamDescription param : op.params()) {
            for (ExpressionValue value : values(param)) {
                Map<String, ExpressionValue> params = new LinkedHashMap<>(use.params());
                params.put(param.name(), value);
                TrialUse other = new TrialUse(op, use.inputs(), use.constants(), params);
                if (varied.size() < MOST_VARIED && other.isTaken()) {
                    varied.add(other);
                }
            }
        }
        return varied;
    }
}
