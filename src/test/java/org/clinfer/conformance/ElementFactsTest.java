package org.clinfer.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.tensor.DType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What descriptions say of elements, {@code elementwise} and {@code moves}, holds for the definition of an operator in all
 * its cases; and of an operator of which it holds in all cases, the description says so.
 */
class ElementFactsTest {

    private static final OpCatalog CATALOG = OpCatalog.builtIn();
    private static final Map<String, List<OperatorCase>> CASES = OperatorCase.byOperator();
    private static final Map<String, Reference> REFERENCES = References.all();
    private static final int LARGEST = 20_000;

    /** One case of an operator, and what its definition makes of it. */
    private record Use(
            OpDescription op, OperatorCase of, DType type, List<@Nullable Array> inputs, List<Array> outputs) {

        /** The same case with other inputs; empty where the definition does not take them. */
        Optional<List<Array>> with(List<@Nullable Array> others) {
            try {
                Call call = new Call(type, others, of.params(), of.outputs());
                return Optional.of(reference(op).compute(call));
            } catch (RuntimeException refused) {
                return Optional.empty();
            }
        }

        /** The number of the description's input for one of the case. */
        int declared(int input) {
            return Math.min(input, op.inputs().size() - 1);
        }
    }

    private static Reference reference(OpDescription op) {
        return Objects.requireNonNull(REFERENCES.get(op.optype()));
    }

    static Stream<OpDescription> operators() {
        return CATALOG.operators().stream()
                .filter(op -> CASES.containsKey(op.optype()) && REFERENCES.containsKey(op.optype()))
                .filter(op -> op.outputs().size() == 1);
    }

    private static List<Use> uses(OpDescription op) {
        List<Use> uses = new ArrayList<>();
        for (OperatorCase each : Objects.requireNonNull(CASES.get(op.optype()))) {
            List<DType> types = CaseRun.of(each, op).stream().map(CaseRun::type).toList();
            boolean isSmall = each.inputElements() <= LARGEST;
            if (isSmall && !types.isEmpty()) {
                uses.add(use(op, each, types.contains(DType.FLOAT32) ? DType.FLOAT32 : types.get(0)));
            }
        }
        boolean hasReals = uses.stream().anyMatch(use -> use.type() == DType.FLOAT32);
        return uses.stream()
                .filter(use -> !hasReals || use.type() == DType.FLOAT32)
                .toList();
    }

    private static Use use(OpDescription op, OperatorCase of, DType type) {
        Random random = new Random(of.toString().hashCode());
        List<@Nullable Array> inputs = new ArrayList<>();
        for (CaseInput input : of.inputs()) {
            inputs.add(input.isLeftOut() ? null : Stored.array(input.tensor(type, random)));
        }
        List<Array> outputs = reference(op).compute(new Call(type, inputs, of.params(), of.outputs()));
        return new Use(op, of, type, inputs, outputs);
    }

    @ParameterizedTest
    @MethodSource("operators")
    void elementwiseIsWhatTransposesMoveThrough(OpDescription op) {
        if (op.outputs().get(0).variadic()) {
            assertThat(op.elementwise()).isFalse();
            return;
        }
        List<Use> telling = uses(op).stream()
                .filter(use ->
                        use.outputs().get(0).rank() >= 2 && use.outputs().get(0).elements() > 1)
                .toList();
        boolean holds = !telling.isEmpty() && telling.stream().allMatch(ElementFactsTest::commutesWithTranspose);
        assertThat(op.elementwise())
                .as("elementwise of %s, tried in %d cases", op.optype(), telling.size())
                .isEqualTo(holds);
    }

    private static boolean commutesWithTranspose(Use use) {
        int rank = use.outputs().get(0).rank();
        List<@Nullable Array> turned = new ArrayList<>();
        boolean hasTensor = false;
        for (int i = 0; i < use.inputs().size(); i++) {
            Array input = use.inputs().get(i);
            boolean isKept = input == null
                    || input.elements() == 1
                    || use.op().inputs().get(use.declared(i)).value();
            if (!isKept && input.rank() > rank) {
                return false;
            }
            hasTensor |= !isKept;
            turned.add(isKept ? input : transposed(input, rank));
        }
        Optional<List<Array>> outputs = use.with(turned);
        return hasTensor
                && outputs.isPresent()
                && areEqual(outputs.get().get(0), transposed(use.outputs().get(0), rank));
    }

    /** All axes in reverse order, after as many of size 1 as broadcasting adds. */
    private static Array transposed(Array x, int rank) {
        long[] dims = new long[rank];
        long[] turned = new long[rank];
        for (int axis = 0; axis < rank; axis++) {
            int own = axis - (rank - x.rank());
            dims[axis] = own < 0 ? 1 : x.dim(own);
            turned[rank - 1 - axis] = dims[axis];
        }
        Array wide = x.reshaped(dims);
        Array result = Array.of(turned, index -> wide.at(reversed(index)));
        return x.type().map(result::as).orElse(result);
    }

    private static long[] reversed(long[] index) {
        long[] reversed = new long[index.length];
        for (int i = 0; i < index.length; i++) {
            reversed[i] = index[index.length - 1 - i];
        }
        return reversed;
    }

    @ParameterizedTest
    @MethodSource("operators")
    void movesIsWhatCommutesWithEveryFunctionThatKeepsTheOrder(OpDescription op) {
        List<Use> telling = op.moved().isEmpty()
                ? List.of()
                : uses(op).stream()
                        .filter(use -> use.outputs().get(0).elements() > 0)
                        .toList();
        boolean holds = !telling.isEmpty() && telling.stream().allMatch(ElementFactsTest::commutesWithFunction);
        assertThat(op.moves())
                .as("moves of %s, tried in %d cases", op.optype(), telling.size())
                .isEqualTo(holds);
    }

    private static boolean commutesWithFunction(Use use) {
        Set<Integer> moved = use.op().moved();
        List<@Nullable Array> mapped = new ArrayList<>();
        for (int i = 0; i < use.inputs().size(); i++) {
            Array input = use.inputs().get(i);
            mapped.add(input == null || !moved.contains(use.declared(i)) ? input : mapped(input));
        }
        Optional<List<Array>> outputs = use.with(mapped);
        return outputs.isPresent()
                && outputs.get().size() == use.outputs().size()
                && Stream.iterate(0, i -> i < use.outputs().size(), i -> i + 1)
                        .allMatch(i -> areEqual(
                                outputs.get().get(i), mapped(use.outputs().get(i))));
    }

    /** By a function that grows, has no other straight parts, and is not 0 at 0, which padding is. */
    private static Array mapped(Array x) {
        double[] values = Arrays.stream(x.values()).map(v -> v * v * v + v + 1).toArray();
        Array result = new Array(x.dims(), values);
        return x.type().map(result::as).orElse(result);
    }

    private static boolean areEqual(Array one, Array other) {
        return Arrays.equals(one.dims(), other.dims()) && Arrays.equals(one.values(), other.values());
    }
}
