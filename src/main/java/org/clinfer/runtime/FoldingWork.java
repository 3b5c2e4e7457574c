package org.clinfer.runtime;

import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.describe.OpDescription;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.TensorType;

/** The work of computing a node on the CPU, in multiplications with an addition: at most this, or about it. */
final class FoldingWork {

    /** Operators that take a bounded number of steps for each element that it reads or writes, beside what is element by element. */
    static final Set<String> LINEAR = Set.of(
            "ArgMax",
            "ArgMin",
            "BatchNorm",
            "BitCast",
            "Cast",
            "Concat",
            "ConstantOfShape",
            "CumSum",
            "DeePhiDownsample",
            "DeePhiTile",
            "DequantizeLinear",
            "Expand",
            "Gather",
            "GatherElements",
            "GatherND",
            "InstanceNorm",
            "LayerNorm",
            "LogSoftmax",
            "MaxUnpool",
            "Mean",
            "NonZero",
            "Pad",
            "QuantizeLinear",
            "Random",
            "Range",
            "ReduceL1",
            "ReduceL2",
            "ReduceLogSum",
            "ReduceLogSumExp",
            "ReduceMax",
            "ReduceMin",
            "ReduceProd",
            "ReduceSum",
            "ReduceSumSquare",
            "Reorg",
            "Resize",
            "ReverseSequence",
            "RmsNorm",
            "ScatterElements",
            "ScatterND",
            "Shape",
            "Size",
            "Slice",
            "Softmax",
            "Split",
            "TopK",
            "Transpose",
            "Upsample");

    /** An element may take a power, a place in a sort, or a walk through memory. */
    private static final long STEPS_OF_AN_ELEMENT = 8;

    private static final long STEPS_OF_A_MOVE = 2;

    private FoldingWork() {}

    /** For every output of another operator, all of the inputs may be looked at. */
    static long of(CheckedNode node) {
        OptionalLong counted = node.multiplyAdds();
        if (counted.isEmpty()) {
            return Long.MAX_VALUE;
        }
        long read = elements(node.inputTypes().stream().filter(Objects::nonNull));
        long written = elements(node.outputTypes().stream());
        long touched = times(node.op().moves() ? STEPS_OF_A_MOVE : STEPS_OF_AN_ELEMENT, sum(read, written));
        return counted.getAsLong() > 0 || isLinear(node.op())
                ? sum(counted.getAsLong(), touched)
                : sum(times(read, written), touched);
    }

    private static boolean isLinear(OpDescription op) {
        return op.elementwise() || op.isView() || LINEAR.contains(op.optype());
    }

    private static long elements(Stream<TensorType> types) {
        return types.mapToLong(type -> type.shape().elements()).reduce(0, FoldingWork::sum);
    }

    private static long sum(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    private static long times(long one, long other) {
        long high = Math.multiplyHigh(one, other);
        long low = one * other;
        return high != 0 || low < 0 ? Long.MAX_VALUE : low;
    }
}
