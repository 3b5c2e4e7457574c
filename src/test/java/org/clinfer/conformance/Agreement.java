package org.clinfer.conformance;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Compares a result with the definition's. The one table of tolerances: a part of the largest expected magnitude for the
 * arithmetic, and for 16-bit types a part of the element for its one rounding, which may fall to the other side.
 */
public final class Agreement {

    /** How an operator's floating results come about. */
    enum Precision {
        /** Moves, compares, or rounds once: equal. */
        EXACT,
        /** One or few roundings of the type of computation per element: functions, quotients, interpolation. */
        FUNCTION,
        /** As FUNCTION, and the element itself is the measure: nothing is subtracted on the way. */
        POINTWISE,
        /** Sums whose order is free, of up to some thousand terms. */
        SUM,
        /** Such sums of terms that were transformed, which makes them larger: Winograd's F(4x4, 3x3). */
        TRANSFORMED_SUM,
        /** Such sums of products of which both factors were rounded to the 10 bits of TF32. */
        TF32_SUM
    }

    /** Kernel variants whose sums are transformed, whatever the operator. */
    private static final Set<String> TRANSFORMED = words("winograd4 winograd4_groups");

    /** What the names of kernel variants begin with that round factors to TF32. */
    private static final String TF32 = "units_tf32";

    /** Operators that only move, choose, compare, or whose result is one correctly rounded operation. */
    private static final Set<String> EXACT = words("""
            BinaryConvolution BlockChannels UnblockChannels MaxPool Concat Pad Relu Relu6 Reshape Squeeze DeePhiTile Reorg Abs Neg Floor Ceil Round Sign Not Clip Add Sub Mul Max Min
            Less LessOrEqual Greater GreaterOrEqual Equal And Or Xor BitwiseAnd BitwiseOr BitwiseXor BitwiseNot BitShift Where Expand Gather Split Transpose Slice Flatten Unsqueeze
            Identity Dropout Shape Size ConstantOfShape Cast ReduceMax ReduceMin RoiPool Mod ThresholdedRelu
            ArgMax ArgMin TopK GatherElements GatherND ReverseSequence NonZero NonMaxSuppression MaxPoolIndices MaxUnpool
            QuantizeLinear QuantizedAdd QuantizedConv QuantizedMatMul
            BitCast Random Hardmax OneHot Trilu SpaceToBatch BatchToSpace""");

    private static final Set<String> FUNCTIONS = words(
            "BiasGelu HardMish Mish DequantizeLinear Shrink LeakyRelu PRelu Upsample DeePhiDownsample HardSigmoid HardSwish Gelu Swish BatchNorm Resize Range DetectionOutput Proposal BlockedBinary BlockedScale BlockedResize");

    private static final Set<String> POINTWISE = words(
            "Sigmoid Tanh Elu Selu Softplus Softsign Exp Log Sqrt Reciprocal Erf Sin Cos Div Pow Lrn Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Celu");

    private static final Set<String> SUMS = words("""
            AvgPool BlockedConv BlockedGlobalAveragePool BlockedPool Col2Im Conv2d Conv2dTranspose ConvToBlocks ConvTranspose
            Convolution CumSum Deconvolution DeformConv DepthwiseConv2d Det Eltwise FusedConv FusedConvTranspose Gemm GridSample
            EmbedLayerNorm GroupNorm Gru InnerProduct InstanceNorm LayerNorm LogSoftmax LpNorm Lstm MatMul MatMulNBits StridedMatMul Mean MeanVarianceNorm PsRoiPool ReduceL1 ReduceL2
            ReduceLogSum ReduceLogSumExp ReduceProd ReduceSum ReduceSumSquare RmsNorm Rnn RoiAlign ScatterElements ScatterND
            SkipLayerNorm SkipRmsNorm Softmax Sum""");

    private static final Map<Precision, Set<String>> OPERATORS = Map.of(
            Precision.EXACT, EXACT, Precision.FUNCTION, FUNCTIONS, Precision.POINTWISE, POINTWISE, Precision.SUM, SUMS);

    /**
     * float32 and what is computed in it: each of some thousand additions rounds by 2^-24 of a partial sum; those of
     * F(4x4, 3x3) by as much of sums that are up to six times as large before they are transformed back. Factors in TF32 are
     * off by up to 2^-11 of themselves, products by 2^-10, and a sum of products of both signs by no more than about twice
     * that of the largest sum, since what they are off by has both signs, too.
     */
    private static final Map<Precision, Double> SINGLE = Map.of(
            Precision.EXACT,
            0.0,
            Precision.FUNCTION,
            4e-6,
            Precision.POINTWISE,
            4e-6,
            Precision.SUM,
            1e-5,
            Precision.TRANSFORMED_SUM,
            6e-5,
            Precision.TF32_SUM,
            0x1p-9);

    /** float64: as above with 2^-53; functions may be several units wrong in the last place. */
    private static final Map<Precision, Double> DOUBLE =
            Map.of(Precision.EXACT, 0.0, Precision.FUNCTION, 8e-15, Precision.POINTWISE, 8e-15, Precision.SUM, 2e-14);

    /** A step between neighbours, relative to the element: 11 bits of float16, 8 of bfloat16. */
    private static final Map<DType, Double> STEP = Map.of(DType.FLOAT16, 0x1p-10, DType.BFLOAT16, 0x1p-7);

    /** The least element of full precision: what is smaller rounds by a fixed step, in a type of its own. */
    private static final double LEAST_HALF = 0x1p-14;

    /** What is smaller than this in the type of computation a device may take for 0. */
    private static final double LEAST_SINGLE = 0x1p-126;

    private static final double LEAST_DOUBLE = 0x1p-1022;

    private Agreement() {}

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+", -1));
    }

    /**
     * The class of an operator.
     *
     * @throws IllegalArgumentException unless it is in exactly one
     */
    static Precision precision(String op) {
        List<Precision> classes = OPERATORS.entrySet().stream()
                .filter(entry -> entry.getValue().contains(op))
                .map(Map.Entry::getKey)
                .toList();
        if (classes.size() != 1) {
            throw new IllegalArgumentException(op + " needs one class of precision in Agreement, and has " + classes);
        }
        return classes.get(0);
    }

    /** The first difference of what a kernel variant computed, or empty. */
    static Optional<String> difference(String op, String variant, Tensor actual, Tensor expected) {
        Precision ofVariant = TRANSFORMED.contains(variant)
                ? Precision.TRANSFORMED_SUM
                : variant.startsWith(TF32) ? Precision.TF32_SUM : precision(op);
        return difference(ofVariant, actual, expected);
    }

    /** The first difference, or empty. */
    public static Optional<String> difference(String op, Tensor actual, Tensor expected) {
        return difference(precision(op), actual, expected);
    }

    /** The first difference for results of this precision, or empty. */
    static Optional<String> difference(Precision precision, Tensor actual, Tensor expected) {
        if (!actual.type().equals(expected.type())) {
            return Optional.of("is " + actual.type() + ", expected " + expected.type());
        }
        DType dtype = expected.dtype();
        if (!dtype.isFloating()) {
            return integerDifference(actual, expected);
        }
        if (dtype.isSmallFloat()) {
            return codeDifference(actual, expected);
        }
        double arithmetic = (dtype == DType.FLOAT64 ? DOUBLE : SINGLE).getOrDefault(precision, 0.0);
        double step = precision == Precision.EXACT ? 0 : STEP.getOrDefault(dtype, 0.0);
        boolean exact = precision == Precision.EXACT;
        boolean pointwise = precision == Precision.POINTWISE;
        double flushed = exact ? 0 : dtype == DType.FLOAT64 ? LEAST_DOUBLE : LEAST_SINGLE;
        double fixed = flushed + (pointwise ? 0 : arithmetic * largest(expected));
        double relative = step + (pointwise ? arithmetic : 0);
        double least = dtype == DType.FLOAT16 ? LEAST_HALF : 0;
        for (long i = 0; i < expected.elements(); i++) {
            double want = expected.getDouble(i);
            double got = actual.getDouble(i);
            boolean same = Double.compare(want, got) == 0 || want == got;
            double allowed = fixed + relative * Math.max(Math.abs(want), least);
            if (!same && !(Math.abs(want - got) <= allowed)) {
                return Optional.of("element " + i + " is " + got + ", expected " + want);
            }
        }
        return Optional.empty();
    }

    /** Every bit counts, that of a zero's sign too. */
    private static Optional<String> codeDifference(Tensor actual, Tensor expected) {
        for (long i = 0; i < expected.elements(); i++) {
            if (actual.code(i) != expected.code(i)) {
                return Optional.of("element " + i + " is " + actual.getDouble(i) + ", code " + actual.code(i)
                        + ", expected " + expected.getDouble(i) + ", code " + expected.code(i));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> integerDifference(Tensor actual, Tensor expected) {
        for (long i = 0; i < expected.elements(); i++) {
            if (actual.getLong(i) != expected.getLong(i)) {
                return Optional.of("element " + i + " is " + actual.getLong(i) + ", expected " + expected.getLong(i));
            }
        }
        return Optional.empty();
    }

    private static double largest(Tensor tensor) {
        double largest = 0;
        for (long i = 0; i < tensor.elements(); i++) {
            double value = Math.abs(tensor.getDouble(i));
            largest = Double.isFinite(value) ? Math.max(largest, value) : largest;
        }
        return largest;
    }
}
