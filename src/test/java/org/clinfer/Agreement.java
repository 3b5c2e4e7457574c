package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Compares two results of one operator. The one table of tolerances, relative to the largest expected magnitude:
 *
 * <ul>
 *   <li>float32 sums (convolutions, products, reductions, normalisations): 1e-5, because the order of a sum differs and
 *       each of up to some thousand additions may round by 2^-24
 *   <li>float32 functions (exp, tanh, erf, pow …): 4e-6, because OpenCL allows them several units in the last place
 *   <li>float16 and bfloat16 of the same operators: computed in float32 and rounded once, so that besides the tolerance of
 *       float32 two results may be neighbours, 2^-10 and 2^-7 apart
 *   <li>float64 of the same operators: those tolerances times 2^-29, as its additions round by 2^-53
 *   <li>everything else, and all integers and booleans: equal
 * </ul>
 */
final class Agreement {

    private static final double SUM = 1e-5;
    private static final double FUNCTION = 4e-6;
    private static final Map<String, Double> TOLERANCES = Map.ofEntries(
            Map.entry("Conv2d", SUM),
            Map.entry("DepthwiseConv2d", SUM),
            Map.entry("Convolution", SUM),
            Map.entry("Conv2dTranspose", SUM),
            Map.entry("ConvTranspose", SUM),
            Map.entry("Gemm", SUM),
            Map.entry("MatMul", SUM),
            Map.entry("InnerProduct", SUM),
            Map.entry("AvgPool", SUM),
            Map.entry("Mean", SUM),
            Map.entry("ReduceSum", SUM),
            Map.entry("ReduceProd", SUM),
            Map.entry("ReduceL1", SUM),
            Map.entry("ReduceL2", SUM),
            Map.entry("ReduceSumSquare", SUM),
            Map.entry("ReduceLogSum", SUM),
            Map.entry("ReduceLogSumExp", SUM),
            Map.entry("Softmax", SUM),
            Map.entry("LogSoftmax", SUM),
            Map.entry("BatchNorm", SUM),
            Map.entry("InstanceNorm", SUM),
            Map.entry("Lrn", SUM),
            Map.entry("Resize", SUM),
            Map.entry("Upsample", SUM),
            Map.entry("DeePhiDownsample", SUM),
            Map.entry("Sum", SUM),
            Map.entry("Sigmoid", FUNCTION),
            Map.entry("Tanh", FUNCTION),
            Map.entry("Elu", FUNCTION),
            Map.entry("Selu", FUNCTION),
            Map.entry("HardSigmoid", FUNCTION),
            Map.entry("HardSwish", FUNCTION),
            Map.entry("Softplus", FUNCTION),
            Map.entry("Softsign", FUNCTION),
            Map.entry("Exp", FUNCTION),
            Map.entry("Log", FUNCTION),
            Map.entry("Sqrt", FUNCTION),
            Map.entry("Reciprocal", FUNCTION),
            Map.entry("Erf", FUNCTION),
            Map.entry("Sin", FUNCTION),
            Map.entry("Cos", FUNCTION),
            Map.entry("Div", FUNCTION),
            Map.entry("Pow", FUNCTION));

    private Agreement() {}

    private static double tolerance(String op, DType dtype) {
        double ofFloats = TOLERANCES.getOrDefault(op, 0.0);
        return switch (dtype) {
            case FLOAT32 -> ofFloats;
            case FLOAT16 -> ofFloats == 0 ? 0 : ofFloats + 0x1p-10;
            case BFLOAT16 -> ofFloats == 0 ? 0 : ofFloats + 0x1p-7;
            case FLOAT64 -> ofFloats * 0x1p-29;
            case INT8, INT16, INT32, INT64, BOOL, U1 -> 0;
        };
    }

    static void check(String op, String what, Tensor actual, Tensor expected) {
        assertThat(actual.type()).as(what).isEqualTo(expected.type());
        double tolerance = tolerance(op, expected.dtype());
        double range = 0;
        for (long i = 0; i < expected.elements(); i++) {
            double value = Math.abs(expected.getDouble(i));
            range = Double.isFinite(value) ? Math.max(range, value) : range;
        }
        for (long i = 0; i < expected.elements(); i++) {
            double want = expected.getDouble(i);
            double got = actual.getDouble(i);
            boolean same = Double.compare(want, got) == 0 || want == got;
            if (!same && !(Math.abs(want - got) <= tolerance * range)) {
                fail("%s: element %d is %s, expected %s (range %s)", what, i, got, want, range);
            }
        }
    }
}
