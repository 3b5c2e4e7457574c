package org.clinfer.cpu.elements;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.elements.MapOperator.Loops;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.Saturation;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorFunctions;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.jspecify.annotations.Nullable;

/** The operators of one tensor: activations and elementary functions. */
public final class MapOperators {

    private final Map<String, CpuOperator> operators = new LinkedHashMap<>();

    /** The grain where an element takes more than a few operations. */
    private static final int FUNCTION_GRAIN = Chunks.GRAIN / 4;

    private final @Nullable VectorFunctions vectors;
    private int grain = Chunks.GRAIN;

    private MapOperators(@Nullable VectorFunctions vectors) {
        this.vectors = vectors;
    }

    static Map<String, CpuOperator> all(CpuPath path) {
        VectorKernels kernels = path.kernels();
        MapOperators table = new MapOperators(kernels == null ? null : kernels.functions());
        table.addClamps();
        table.addArithmetic();
        table.grain = FUNCTION_GRAIN;
        table.addActivations();
        table.addFunctions();
        return table.operators;
    }

    private void add(String optype, Function<CpuCall, Loops> loops) {
        operators.put(optype, new MapOperator(loops, grain));
    }

    private void add(String optype, Loops loops) {
        add(optype, call -> loops);
    }

    private void addClamps() {
        Loops relu = relu();
        add("Relu", call -> relu);
        Loops relu6 = clamp(0, 6, 0, 6);
        add("Relu6", call -> relu6);
        add("Clip", MapOperators::clip);
        add("HardSigmoid", call -> hardSigmoid(call.parameters()));
        add("LeakyRelu", call -> leakyRelu(call.parameters().real("alpha")));
        add("HardSwish", hardSwish());
    }

    static Loops relu() {
        return new Loops(
                (values, from, to) -> {
                    for (int i = from; i < to; i++) {
                        values[i] = Math.max(values[i], 0);
                    }
                },
                v -> Math.max(v, 0),
                v -> Math.max(v, 0));
    }

    static Loops hardSwish() {
        return Loops.floating(
                (values, from, to) -> {
                    for (int i = from; i < to; i++) {
                        values[i] *= Math.min(Math.max(values[i] / 6 + 0.5f, 0), 1);
                    }
                },
                v -> v * Math.min(Math.max(v / 6 + 0.5, 0), 1));
    }

    public static Loops sigmoid(@Nullable VectorFunctions vectors) {
        return Loops.floating(
                vectors != null
                        ? vectors::sigmoid
                        : (values, from, to) -> {
                            for (int i = from; i < to; i++) {
                                values[i] = 1 / (1 + FloatFunctions.exp(-values[i]));
                            }
                        },
                v -> 1 / (1 + Math.exp(-v)));
    }

    public static Loops tanh(@Nullable VectorFunctions vectors) {
        return Loops.floating(
                vectors != null
                        ? vectors::tanh
                        : (values, from, to) -> {
                            for (int i = from; i < to; i++) {
                                values[i] = FloatFunctions.tanh(values[i]);
                            }
                        },
                Math::tanh);
    }

    static Loops swish(double alpha, @Nullable VectorFunctions vectors) {
        float factor = (float) -alpha;
        return Loops.floating(
                vectors != null
                        ? (values, from, to) -> vectors.swish(factor, values, from, to)
                        : (values, from, to) -> {
                            for (int i = from; i < to; i++) {
                                values[i] = values[i] / (1 + FloatFunctions.exp(factor * values[i]));
                            }
                        },
                v -> v / (1 + Math.exp(-alpha * v)));
    }

    private static Loops gelu(String approximate, @Nullable VectorFunctions vectors) {
        if (approximate.equals("TANH")) {
            DoubleUnaryOperator byTanh =
                    v -> v / (1 + Math.exp(-2 * Math.sqrt(2 / Math.PI) * v * (1 + 0.044715 * v * v)));
            return vectors != null ? Loops.floating(vectors::geluByTanh, byTanh) : Loops.floating(byTanh);
        }
        return Loops.floating(
                vectors != null
                        ? vectors::gelu
                        : (values, from, to) -> {
                            for (int i = from; i < to; i++) {
                                double value = values[i];
                                values[i] = (float) (value / 2 * (1 + ErrorFunction.erf(value * Math.sqrt(0.5))));
                            }
                        },
                v -> v / 2 * ErrorFunction.complement(-v * Math.sqrt(0.5)));
    }

    /** All bits turned over; of an unsigned type those that it has. */
    private static Loops complement(CpuCall call) {
        DType dtype = call.input(0).dtype();
        return Loops.of(
                v -> {
                    throw new IllegalArgumentException("this operator takes no real numbers");
                },
                v -> dtype.lowBits(~v));
    }

    /** The function, for uint64 with another one of the bits. */
    private static Loops unlessUnsigned(CpuCall call, Loops loops, LongUnaryOperator unsigned) {
        return call.input(0).dtype() == DType.UINT64 ? new Loops(loops.floats(), loops.doubles(), unsigned) : loops;
    }

    private static Loops clip(CpuCall call) {
        Parameters given = call.parameters();
        long lowest = given.integer("lowest");
        long highest = given.integer("highest");
        Loops clamp = clamp(given.real("low"), given.real("high"), lowest, highest);
        return unlessUnsigned(call, clamp, v -> Saturation.minUnsigned(Saturation.maxUnsigned(v, lowest), highest));
    }

    static Loops clamp(double low, double high, long lowest, long highest) {
        float least = (float) low;
        float most = (float) high;
        return new Loops(
                (values, from, to) -> {
                    for (int i = from; i < to; i++) {
                        values[i] = Math.min(Math.max(values[i], least), most);
                    }
                },
                v -> Math.min(Math.max(v, low), high),
                v -> Math.min(Math.max(v, lowest), highest));
    }

    private static Loops hardSigmoid(Parameters parameters) {
        double alpha = parameters.real("alpha");
        double beta = parameters.real("beta");
        float slope = (float) alpha;
        float shift = (float) beta;
        return Loops.floating(
                (values, from, to) -> {
                    for (int i = from; i < to; i++) {
                        values[i] = Math.min(Math.max(slope * values[i] + shift, 0), 1);
                    }
                },
                v -> Math.min(Math.max(alpha * v + beta, 0), 1));
    }

    static Loops leakyRelu(double alpha) {
        float slope = (float) alpha;
        return new Loops(
                (values, from, to) -> {
                    for (int i = from; i < to; i++) {
                        float value = values[i];
                        values[i] = value >= 0 ? value : slope * value;
                    }
                },
                v -> v >= 0 ? v : alpha * v,
                v -> v >= 0 ? v : (long) Math.rint(alpha * v));
    }

    private void addActivations() {
        add("Sigmoid", sigmoid(vectors));
        add("Tanh", tanh(vectors));
        add("Gelu", call -> gelu(call.parameters().text("approximate"), vectors));
        add("Swish", call -> swish(call.parameters().real("alpha"), vectors));
        add("Elu", call -> {
            double alpha = call.parameters().real("alpha");
            return Loops.floating(v -> v > 0 ? v : alpha * Math.expm1(v));
        });
        add("Selu", call -> {
            double alpha = call.parameters().real("alpha");
            double gamma = call.parameters().real("gamma");
            return Loops.floating(v -> v > 0 ? gamma * v : gamma * alpha * Math.expm1(v));
        });
        add("Celu", call -> {
            double alpha = call.parameters().real("alpha");
            return Loops.floating(v -> v > 0 ? v : alpha * Math.expm1(v / alpha));
        });
        add("ThresholdedRelu", call -> {
            double alpha = call.parameters().real("alpha");
            return Loops.floating(v -> v > alpha ? v : 0);
        });
        add(
                "Shrink",
                call -> shrink(
                        call.parameters().real("lambd"), call.parameters().real("bias")));
        DoubleUnaryOperator softplus = v -> Math.max(v, 0) + Math.log1p(Math.exp(-Math.abs(v)));
        add("Softplus", vectors != null ? Loops.floating(vectors::softplus, softplus) : Loops.floating(softplus));
        add(
                "Softsign",
                Loops.floating(
                        (values, from, to) -> {
                            for (int i = from; i < to; i++) {
                                values[i] = values[i] / (1 + Math.abs(values[i]));
                            }
                        },
                        v -> v / (1 + Math.abs(v))));
    }

    private static Loops shrink(double bound, double bias) {
        DoubleUnaryOperator shrink = v -> v < -bound ? v + bias : v > bound ? v - bias : 0;
        return Loops.of(shrink, v -> LongValues.rounded(shrink.applyAsDouble((double) v)));
    }

    private void addArithmetic() {
        Loops abs = new Loops(
                (values, from, to) -> {
                    for (int i = from; i < to; i++) {
                        values[i] = Math.abs(values[i]);
                    }
                },
                Math::abs,
                v -> v < 0 ? Saturation.negate(v) : v);
        add("Abs", call -> unlessUnsigned(call, abs, v -> v));
        Loops negative = new Loops(
                (values, from, to) -> {
                    for (int i = from; i < to; i++) {
                        values[i] = -values[i];
                    }
                },
                v -> -v,
                Saturation::negate);
        add("Neg", call -> negative);
        Loops sign = Loops.of(Math::signum, v -> Long.signum(v));
        add("Sign", call -> unlessUnsigned(call, sign, v -> v == 0 ? 0 : 1));
        Loops not = Loops.of(v -> v == 0 ? 1 : 0, v -> v == 0 ? 1 : 0);
        add("Not", call -> not);
        add("BitwiseNot", MapOperators::complement);
        add(
                "Reciprocal",
                Loops.floating(
                        (values, from, to) -> {
                            for (int i = from; i < to; i++) {
                                values[i] = 1 / values[i];
                            }
                        },
                        v -> 1 / v));
        add(
                "Sqrt",
                Loops.floating(
                        (values, from, to) -> {
                            for (int i = from; i < to; i++) {
                                values[i] = (float) Math.sqrt(values[i]);
                            }
                        },
                        Math::sqrt));
    }

    private void addFunctions() {
        add(
                "Exp",
                Loops.floating(
                        vectors != null
                                ? vectors::exp
                                : (values, from, to) -> {
                                    for (int i = from; i < to; i++) {
                                        values[i] = FloatFunctions.exp(values[i]);
                                    }
                                },
                        Math::exp));
        add("Log", vectors != null ? Loops.floating(vectors::log, Math::log) : Loops.floating(Math::log));
        add("Floor", Loops.of(Math::floor, v -> v));
        add("Ceil", Loops.of(Math::ceil, v -> v));
        add("Round", Loops.of(Math::rint, v -> v));
        add(
                "Erf",
                vectors != null
                        ? Loops.floating(vectors::erf, ErrorFunction::erf)
                        : Loops.floating(ErrorFunction::erf));
        add("Sin", Loops.floating(Math::sin));
        add("Cos", Loops.floating(Math::cos));
        add("Tan", Loops.floating(Math::tan));
        add("Asin", Loops.floating(Math::asin));
        add("Acos", Loops.floating(Math::acos));
        add("Atan", Loops.floating(Math::atan));
        add("Sinh", Loops.floating(Math::sinh));
        add("Cosh", Loops.floating(Math::cosh));
        add("Asinh", Loops.floating(AreaFunctions::asinh));
        add("Acosh", Loops.floating(AreaFunctions::acosh));
        add("Atanh", Loops.floating(AreaFunctions::atanh));
    }
}
