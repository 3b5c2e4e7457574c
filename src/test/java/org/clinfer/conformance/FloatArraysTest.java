package org.clinfer.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.clinfer.cpu.CpuOperators;
import org.clinfer.cpu.Described;
import org.clinfer.cpu.TestRuns;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.FloatArrays;
import org.clinfer.cpu.call.Kept;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.describe.AttributeValues;
import org.clinfer.describe.Binding;
import org.clinfer.run.BindingParameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operators whose values of blocked channels lie in arrays of floats give, bit for bit, what they give from tensors. */
class FloatArraysTest {

    private static final CpuOperators OPERATORS = CpuOperators.builtIn();
    private static final int BLOCKED_RANK = 5;

    /** Floats before a value in its array: values do not begin where arrays do. */
    private static final int BEFORE = 48;

    private static final float GUARD = 1234.5f;

    static Stream<String> operators() {
        return Stream.of(
                "BlockChannels",
                "BlockedBinary",
                "BlockedConv",
                "BlockedGlobalAveragePool",
                "BlockedPool",
                "BlockedResize",
                "BlockedScale",
                "ConvToBlocks",
                "UnblockChannels");
    }

    @ParameterizedTest
    @MethodSource("operators")
    void areLikeTensors(String op) {
        assumeTrue(OPERATORS.path().hasVectors(), OPERATORS.path()::toString);
        assertThat(OPERATORS.ofArrays()).contains(op);
        List<OperatorCase> cases = OperatorCase.byOperator().getOrDefault(op, List.of());
        assertThat(cases).isNotEmpty();
        for (OperatorCase of : cases) {
            CaseRun run = new CaseRun(of, DType.FLOAT32);
            @Nullable Tensor[] inputs = new Tensor[of.inputs().size()];
            for (int i = 0; i < inputs.length; i++) {
                inputs[i] = run.input(i).orElse(null);
            }
            Binding binding = Described.bind(op, AttributeValues.of(of.params()), inputs);
            assertThat(binding.violations()).as(of.toString()).isEmpty();
            CpuOperator operator = OPERATORS.find(op).orElseThrow();
            TensorType type = binding.outputs().get(0);
            for (int threads = 1; threads <= 2; threads++) {
                try (Parallel pool = TestRuns.poisonedPool(threads)) {
                    Tensor expected = TestRuns.poisoned(type, (byte) 0x5a);
                    call(operator, binding, Arrays.asList(inputs), expected, FloatArrays.NONE, pool);
                    assertThat(inArrays(operator, binding, inputs, type, pool))
                            .as("%s on %d threads", of, threads)
                            .isEqualTo(expected.bytes());
                }
            }
        }
    }

    private static ByteBuffer inArrays(
            CpuOperator operator, Binding binding, @Nullable Tensor[] inputs, TensorType type, Parallel pool) {
        List<@Nullable Tensor> tensors = new ArrayList<>();
        List<@Nullable FloatBuffer> arrays = new ArrayList<>();
        for (Tensor input : inputs) {
            boolean isArray = input != null && input.shape().rank() == BLOCKED_RANK;
            tensors.add(isArray ? typed(input.type()) : input);
            arrays.add(isArray ? array(input) : null);
        }
        if (type.shape().rank() != BLOCKED_RANK) {
            Tensor y = TestRuns.poisoned(type, (byte) 0xa5);
            call(operator, binding, tensors, y, new FloatArrays(arrays, List.of()), pool);
            return y.bytes();
        }
        Tensor poison = TestRuns.poisoned(type, (byte) 0xa5);
        FloatBuffer y = array(poison);
        call(operator, binding, tensors, typed(type), new FloatArrays(arrays, List.of(y)), pool);
        float[] whole = y.array();
        for (int i = 0; i < whole.length; i++) {
            if (i < BEFORE || i >= BEFORE + y.capacity()) {
                assertThat(whole[i]).as("beside the output").isEqualTo(GUARD);
            }
        }
        ByteBuffer bytes = ByteBuffer.allocate(y.capacity() * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(y.duplicate());
        return bytes;
    }

    private static void call(
            CpuOperator operator,
            Binding binding,
            List<@Nullable Tensor> inputs,
            Tensor y,
            FloatArrays arrays,
            Parallel pool) {
        CpuCall.Constants known = new CpuCall.Constants(PackedWeights.none(), List.of(), Kept.ofNode());
        operator.run(new CpuCall(new BindingParameters(binding), inputs, List.of(y), pool, known, arrays));
    }

    /** A tensor that has a type alone. */
    private static Tensor typed(TensorType type) {
        return Tensor.deferred(type, memory -> {
            throw new AssertionError("the elements lie in an array");
        });
    }

    /** The elements of a tensor in the middle of an array that holds something else before and after them. */
    private static FloatBuffer array(Tensor tensor) {
        int count = Math.toIntExact(tensor.elements());
        float[] array = new float[BEFORE + count + FloatArrays.SLACK];
        Arrays.fill(array, GUARD);
        tensor.floats().get(0, array, BEFORE, count);
        return FloatBuffer.wrap(array, BEFORE, count).slice();
    }
}
