package org.clinfer.cpu.quantized;

import java.util.Map;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.HalfFloat;
import org.clinfer.tensor.SmallFloat;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Real numbers as quantized values of few bits, and back: QuantizeLinear and DequantizeLinear. */
final class QuantizeOperators {

    private final @Nullable VectorKernels kernels;

    private QuantizeOperators(CpuPath path) {
        this.kernels = path.kernels();
    }

    static Map<String, CpuOperator> all(CpuPath path) {
        QuantizeOperators operators = new QuantizeOperators(path);
        return Map.of("QuantizeLinear", operators::quantize, "DequantizeLinear", operators::dequantize);
    }

    private static boolean isByte(DType dtype) {
        return dtype == DType.INT8 || dtype == DType.UINT8;
    }

    private void quantize(CpuCall call) {
        Steps steps = Steps.of(call);
        String precision = call.parameters().text("precision");
        TypedMemory from = new TypedMemory(call.input(0));
        Tensor output = call.output();
        TypedMemory to = new TypedMemory(output);
        boolean overflows = output.dtype().isSmallFloat() && !call.parameters().flag("saturate");
        Chunks.overOutput(call, (first, end) -> {
            float[] values = new float[Math.min(Chunks.SIZE, end - first)];
            byte[] bytes = new byte[isByte(output.dtype()) ? values.length : 0];
            long[] quantized = new long[values.length - bytes.length];
            Chunks.forEach(first, end, (start, count) -> {
                from.load(start, 1, count, values, 0);
                if (output.dtype().isFloating()) {
                    for (int i = 0; i < count; i++) {
                        int at = steps.at(start + i);
                        float value = narrowed(values[i] / steps.scale[at], precision) + steps.realZero(at);
                        output.setCode(start + i, SmallFloat.code(output.dtype(), value, !overflows));
                    }
                    return;
                }
                for (int i = 0, run; i < count; i += run) {
                    run = steps.run(start + i, count - i);
                    int at = steps.at(start + i);
                    divide(values, i, i + run, steps.scale[at], precision);
                    long zero = steps.zero(at);
                    if (bytes.length > 0) {
                        QuantizedValues.round(values, i, run, (int) zero, output.dtype(), bytes, i, kernels);
                        continue;
                    }
                    for (int j = i; j < i + run; j++) {
                        quantized[j] = Requantization.quantized(values[j], zero);
                    }
                }
                if (bytes.length > 0) {
                    to.storeBytes(start, 1, count, bytes);
                } else {
                    to.store(start, count, quantized);
                }
            });
        });
    }

    /** Divides values, each quotient rounded to the precision. */
    private static void divide(float[] values, int from, int end, float scale, String precision) {
        for (int i = from; i < end; i++) {
            values[i] /= scale;
        }
        for (int i = from; i < end && !precision.equals("float32"); i++) {
            values[i] = narrowed(values[i], precision);
        }
    }

    private static float narrowed(float value, String precision) {
        return switch (precision) {
            case "float16" -> HalfFloat.toFloat(HalfFloat.fromFloat(value));
            case "bfloat16" -> HalfFloat.bfloatToFloat(HalfFloat.bfloatFromFloat(value));
            default -> value;
        };
    }

    private void dequantize(CpuCall call) {
        Steps steps = Steps.of(call);
        TypedMemory from = new TypedMemory(call.input(0));
        TypedMemory to = new TypedMemory(call.output());
        QuantizedValues bytes = new QuantizedValues(call.input(0), kernels);
        boolean isByte = isByte(from.dtype());
        call.parallel().forRange(Math.toIntExact(call.output().elements()), Chunks.GRAIN, (first, end) -> {
            float[] values = new float[Math.min(Chunks.SIZE, end - first)];
            long[] quantized = new long[isByte ? 0 : values.length];
            Chunks.forEach(first, end, (start, count) -> {
                if (from.dtype().isFloating()) {
                    from.load(start, 1, count, values, 0);
                    for (int i = 0; i < count; i++) {
                        int at = steps.at(start + i);
                        values[i] = (values[i] - steps.realZero(at)) * steps.scale[at];
                    }
                    to.store(start, count, values);
                    return;
                }
                if (isByte) {
                    bytes.read(start, count, 0, values, 0);
                } else {
                    from.load(start, 1, count, quantized, 0);
                }
                for (int i = 0, run; i < count; i += run) {
                    run = steps.run(start + i, count - i);
                    int at = steps.at(start + i);
                    long zero = steps.zero(at);
                    float scale = steps.scale[at];
                    for (int j = i; j < i + run && isByte; j++) {
                        values[j] = (values[j] - zero) * scale;
                    }
                    for (int j = i; j < i + run && !isByte; j++) {
                        values[j] = (quantized[j] - zero) * scale;
                    }
                }
                to.store(start, count, values);
            });
        });
    }

    /** The scale and the zero point of each element, which is [outer, index of the axis, inner]. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Steps(
            float[] scale, long[] zeros, float[] realZeros, int axisSize, int inner, int block, int[] strides) {

        static Steps of(CpuCall call) {
            Parameters parameters = call.parameters();
            @Nullable Tensor zeroPoint = call.optionalInput(2);
            return new Steps(
                    call.input(1).toFloatArray(),
                    LongValues.all(zeroPoint),
                    zeroPoint == null ? new float[0] : zeroPoint.toFloatArray(),
                    Math.toIntExact(parameters.integer("axis_size")),
                    Math.toIntExact(parameters.integer("inner")),
                    Math.toIntExact(parameters.integer("block")),
                    parameters.ints("scale_strides"));
        }

        int at(int element) {
            int line = element / inner;
            return line / axisSize * strides[0] + line % axisSize / block * strides[1] + element % inner * strides[2];
        }

        /** A number of elements from {@code element} on that have the same scale, at most {@code count}. */
        int run(int element, int count) {
            if (scale.length == 1) {
                return count;
            }
            return strides[2] == 0 ? Math.min(count, inner - element % inner) : 1;
        }

        float realZero(int at) {
            return realZeros.length == 0 ? 0 : realZeros[at];
        }

        long zero(int at) {
            return zeros.length == 0 ? 0 : zeros[at];
        }
    }
}
