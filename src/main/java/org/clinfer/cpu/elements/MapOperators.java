package org.clinfer.cpu.elements;

import static org.clinfer.costs.CpuWork.ARITHMETIC;
import static org.clinfer.costs.CpuWork.FUNCTION;
import static org.clinfer.costs.CpuWork.SCALAR_ARITHMETIC;
import static org.clinfer.costs.CpuWork.SCALAR_FUNCTION;
import static org.clinfer.graph.ActivationFunction.ELU;
import static org.clinfer.graph.ActivationFunction.HARD_SIGMOID;
import static org.clinfer.graph.ActivationFunction.HARD_SWISH;
import static org.clinfer.graph.ActivationFunction.LEAKY_RELU;
import static org.clinfer.graph.ActivationFunction.RELU;
import static org.clinfer.graph.ActivationFunction.RELU6;
import static org.clinfer.graph.ActivationFunction.SIGMOID;
import static org.clinfer.graph.ActivationFunction.SOFTPLUS;
import static org.clinfer.graph.ActivationFunction.SOFTSIGN;
import static org.clinfer.graph.ActivationFunction.TANH;
import static org.clinfer.graph.ActivationFunction.THRESHOLDED_RELU;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.elements.MapOperator.Loops;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.UnsignedLongs;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorFunctions;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.ActivationFunction;
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

    private void add(CpuWork work, String optype, Function<CpuCall, Loops> loops) {
        operators.put(optype, CpuOperator.of(work, new MapOperator(loops, grain)));
    }

    private void add(CpuWork work, String optype, Loops loops) {
        add(work, optype, call -> loops);
    }

    /** An operator that takes a time of its own. */
    private void add(String optype, Loops loops) {
        operators.put(optype, new MapOperator(call -> loops, grain));
    }

    private void add(CpuWork work, ActivationFunction... activations) {
        for (ActivationFunction activation : activations) {
            add(
                    work,
                    activation.operator(),
                    call -> Activations.of(
                            activation, real(call.parameters(), "alpha"), real(call.parameters(), "beta"), vectors));
        }
    }

    private static double real(Parameters parameters, String name) {
        return parameters.has(name) ? parameters.real(name) : 0;
    }

    private void addClamps() {
        add(ARITHMETIC, RELU, RELU6, LEAKY_RELU, HARD_SIGMOID, HARD_SWISH);
        add(ARITHMETIC, "Clip", MapOperators::clip);
    }

    static Loops gelu(String approximate, @Nullable VectorFunctions vectors) {
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

    /** The function, whose results of integers keep the low bits. */
    private static Loops wrapping(CpuCall call, Loops loops) {
        DType dtype = call.input(0).dtype();
        return dtype.isInteger()
                ? new Loops(
                        loops.floats(),
                        loops.doubles(),
                        v -> dtype.lowBits(loops.longs().applyAsLong(v)))
                : loops;
    }

    private static Loops clip(CpuCall call) {
        Parameters given = call.parameters();
        long lowest = given.integer("lowest");
        long highest = given.integer("highest");
        Loops clamp = Activations.clamp(given.real("low"), given.real("high"), lowest, highest);
        return unlessUnsigned(call, clamp, v -> UnsignedLongs.min(UnsignedLongs.max(v, lowest), highest));
    }

    private void addActivations() {
        add(FUNCTION, SIGMOID, TANH, ELU, SOFTPLUS);
        add(ARITHMETIC, THRESHOLDED_RELU, SOFTSIGN);
        add(FUNCTION, "Gelu", call -> gelu(call.parameters().text("approximate"), vectors));
        add(FUNCTION, "Swish", call -> Activations.swish(call.parameters().real("alpha"), vectors));
        add(FUNCTION, "Selu", call -> {
            double alpha = call.parameters().real("alpha");
            double gamma = call.parameters().real("gamma");
            return Loops.floating(v -> v > 0 ? gamma * v : gamma * alpha * Math.expm1(v));
        });
        add(SCALAR_ARITHMETIC, "Celu", call -> {
            double alpha = call.parameters().real("alpha");
            return Loops.floating(v -> v > 0 ? v : alpha * Math.expm1(v / alpha));
        });
        add(
                SCALAR_ARITHMETIC,
                "Shrink",
                call -> shrink(
                        call.parameters().real("lambd"), call.parameters().real("bias")));
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
                Math::abs);
        add(ARITHMETIC, "Abs", call -> wrapping(call, unlessUnsigned(call, abs, v -> v)));
        Loops negative = new Loops(
                (values, from, to) -> {
                    for (int i = from; i < to; i++) {
                        values[i] = -values[i];
                    }
                },
                v -> -v,
                v -> -v);
        add(ARITHMETIC, "Neg", call -> wrapping(call, negative));
        Loops sign = Loops.of(Math::signum, v -> Long.signum(v));
        add(SCALAR_ARITHMETIC, "Sign", call -> unlessUnsigned(call, sign, v -> v == 0 ? 0 : 1));
        Loops not = Loops.of(v -> v == 0 ? 1 : 0, v -> v == 0 ? 1 : 0);
        add(SCALAR_ARITHMETIC, "Not", call -> not);
        add(SCALAR_ARITHMETIC, "BitwiseNot", MapOperators::complement);
        add(
                ARITHMETIC,
                "Reciprocal",
                Loops.floating(
                        (values, from, to) -> {
                            for (int i = from; i < to; i++) {
                                values[i] = 1 / values[i];
                            }
                        },
                        v -> 1 / v));
        add(
                FUNCTION,
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
                FUNCTION,
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
        add(FUNCTION, "Log", vectors != null ? Loops.floating(vectors::log, Math::log) : Loops.floating(Math::log));
        add(SCALAR_ARITHMETIC, "Floor", Loops.of(Math::floor, v -> v));
        add(SCALAR_ARITHMETIC, "Ceil", Loops.of(Math::ceil, v -> v));
        add(SCALAR_ARITHMETIC, "Round", Loops.of(Math::rint, v -> v));
        add(
                FUNCTION,
                "Erf",
                vectors != null
                        ? Loops.floating(vectors::erf, ErrorFunction::erf)
                        : Loops.floating(ErrorFunction::erf));
        add(SCALAR_FUNCTION, "Sin", Loops.floating(Math::sin));
        add(SCALAR_FUNCTION, "Cos", Loops.floating(Math::cos));
        add(SCALAR_FUNCTION, "Tan", Loops.floating(Math::tan));
        add("Asin", Loops.floating(Math::asin));
        add("Acos", Loops.floating(Math::acos));
        add(SCALAR_FUNCTION, "Atan", Loops.floating(Math::atan));
        add(SCALAR_FUNCTION, "Sinh", Loops.floating(Math::sinh));
        add(SCALAR_FUNCTION, "Cosh", Loops.floating(Math::cosh));
        add(SCALAR_FUNCTION, "Asinh", Loops.floating(AreaFunctions::asinh));
        add(SCALAR_FUNCTION, "Acosh", Loops.floating(AreaFunctions::acosh));
        add(SCALAR_FUNCTION, "Atanh", Loops.floating(AreaFunctions::atanh));
    }
}
