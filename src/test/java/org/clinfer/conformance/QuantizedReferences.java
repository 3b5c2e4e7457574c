package org.clinfer.conformance;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.LongStream;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.HalfFloat;
import org.clinfer.tensor.SmallFloatDefinition;

/**
 * Codes of few bits. Quotients, products with scales and their roundings are those of float32, as the definitions say:
 * in double precision other halves would be halves.
 */
final class QuantizedReferences {

    private static final int BIAS = 2;
    private static final int LEFT_ZERO = 3;
    private static final int RIGHT_ZERO = 4;
    private static final int LEFT_SCALE = 5;
    private static final int RIGHT_SCALE = 6;
    private static final int RESULT_SCALE = 7;
    private static final int RESULT_ZERO = 8;

    private QuantizedReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "QuantizeLinear", Reference.single(QuantizedReferences::quantize),
                "DequantizeLinear", Reference.single(QuantizedReferences::dequantize),
                "QuantizedAdd", Reference.single(QuantizedReferences::sum),
                "QuantizedConv", Reference.single(QuantizedReferences::convolution),
                "QuantizedMatMul", Reference.single(QuantizedReferences::product));
    }

    private static Array quantize(Call call) {
        Array x = call.input(0);
        String zeroType = call.hasInput(2) ? call.input(2).type().orElseThrow().label() : "uint8";
        String type = call.text("code_type", "AUTO");
        DType codes = DType.of(type.equals("AUTO") ? zeroType : type).orElseThrow();
        return Array.of(x.dims(), at -> {
                    float quotient = (float) x.at(at) / (float) ofElement(call, 1, at, 1);
                    float rounded = switch (call.text("precision", "float32")) {
                        case "float16" -> HalfFloat.toFloat(HalfFloat.fromFloat(quotient));
                        case "bfloat16" -> HalfFloat.bfloatToFloat(HalfFloat.bfloatFromFloat(quotient));
                        default -> quotient;
                    };
                    if (codes.isSmallFloat()) {
                        double value = rounded + ofElement(call, 2, at, 0);
                        return call.flag("saturate", true) ? SmallFloatDefinition.clamped(codes, value) : value;
                    }
                    return (Float.isNaN(rounded) ? 0 : Math.rint(rounded)) + ofElement(call, 2, at, 0);
                })
                .as(codes);
    }

    private static Array dequantize(Call call) {
        Array x = call.input(0);
        return Array.of(x.dims(), at -> (x.at(at) - ofElement(call, 2, at, 0)) * ofElement(call, 1, at, 1))
                .as(DType.of(call.text("real_type", "float32")).orElseThrow());
    }

    /** The scale or zero point of an element. */
    private static double ofElement(Call call, int input, long[] at, double otherwise) {
        if (!call.hasInput(input)) {
            return otherwise;
        }
        Array values = call.input(input);
        long block = call.integer("block_size", 0);
        if (values.elements() == 1 && block == 0) {
            return values.flat(0);
        }
        int axis = Values.axis(call.integer("axis", 1), at.length);
        if (block == 0) {
            return values.at(at[axis]);
        }
        long[] place = at.clone();
        place[axis] /= block;
        return values.at(place);
    }

    /** The element of an input that has one for all, or one for each of something. */
    private static double of(Call call, int input, long index, double otherwise) {
        if (!call.hasInput(input)) {
            return otherwise;
        }
        Array values = call.input(input);
        return values.flat(values.elements() == 1 ? 0 : index);
    }

    /** What becomes of an exact sum, in the row and column that scales and zero points may go with. */
    private static double finished(Call call, double sum, long row, long column) {
        if (!call.hasInput(LEFT_SCALE)) {
            return sum;
        }
        float scale = (float) of(call, LEFT_SCALE, row, 1) * (float) of(call, RIGHT_SCALE, column, 1);
        if (!call.hasInput(RESULT_SCALE)) {
            return (float) sum * scale;
        }
        float multiplier = scale / (float) of(call, RESULT_SCALE, row, 1);
        return Math.rint((float) sum * multiplier) + of(call, RESULT_ZERO, row, 0);
    }

    private static DType resultType(Call call) {
        return call.hasInput(RESULT_ZERO)
                ? call.input(RESULT_ZERO).type().orElseThrow()
                : call.hasInput(LEFT_SCALE) ? DType.FLOAT32 : DType.INT32;
    }

    private static Array sum(Call call) {
        Array a = call.input(0);
        Array b = call.input(1);
        float yScale = (float) of(call, 6, 0, 1);
        float left = (float) of(call, 4, 0, 1) / yScale;
        float right = (float) of(call, 5, 0, 1) / yScale;
        float ofZeros = Math.fma(left, (float) of(call, 2, 0, 0), right * (float) of(call, 3, 0, 0));
        float zeros = (float) of(call, 7, 0, 0) - ofZeros;
        return Array.of(Indices.broadcast(a.dims(), b.dims()), at -> {
                    float second = Math.fma((float) b.broadcastAt(at), right, zeros);
                    float sum = Math.fma((float) a.broadcastAt(at), left, second);
                    return Float.isNaN(sum) ? 0 : Math.rint(sum);
                })
                .as(call.input(7).type().orElseThrow());
    }

    private static Array convolution(Call call) {
        String format = call.text("data_format", "NCX");
        boolean isLast = format.equals("NXC");
        String yFormat = call.text("y_format", "AUTO");
        Array x = isLast ? WindowReferences.channelsFirst(call.input(0)) : call.input(0);
        Array weights = call.input(1);
        long[] size = Indices.from(x.dims(), 2);
        long[] kernel = Indices.from(weights.dims(), 2);
        Window window = call.has("auto_pad") ? Window.ofOneDnn(call, size, kernel) : Window.ofFused(call, size, kernel);
        long groupIn = weights.dim(1);
        long groupOut = weights.dim(0) / call.integer("groups", 1);
        Array y = Array.of(window.outputDims(x.dim(0), weights.dim(0)), out -> {
            double sum = of(call, BIAS, out[1], 0);
            long[][] cells = window.cells(out);
            for (int tap = 0; tap < cells.length; tap++) {
                for (long c = 0; window.isInside(cells[tap]) && c < groupIn; c++) {
                    double left = x.at(Indices.join(out[0], out[1] / groupOut * groupIn + c, cells[tap]));
                    double right = weights.flat((out[1] * groupIn + c) * cells.length + tap);
                    sum += (left - of(call, LEFT_ZERO, 0, 0)) * (right - of(call, RIGHT_ZERO, out[1], 0));
                }
            }
            return finished(call, sum, 0, out[1]);
        });
        boolean writesLast = (yFormat.equals("AUTO") ? format : yFormat).equals("NXC");
        return (writesLast ? Indices.moved(y, 1, y.rank() - 1) : y).as(resultType(call));
    }

    private static Array product(Call call) {
        Array a = call.input(0).rank() == 1
                ? call.input(0).reshaped(1, call.input(0).dim(0))
                : call.input(0);
        Array b =
                call.input(1).rank() == 1 ? call.input(1).reshaped(call.input(1).dim(0), 1) : call.input(1);
        long[] batch = Indices.broadcast(Arrays.copyOf(a.dims(), a.rank() - 2), Arrays.copyOf(b.dims(), b.rank() - 2));
        Array y = Array.of(joined(batch, a.dim(-2), b.dim(-1)), at -> {
            long row = at[at.length - 2];
            long column = at[at.length - 1];
            double sum = call.hasInput(BIAS) ? call.input(BIAS).broadcastAt(row, column) : 0;
            for (long k = 0; k < a.dim(-1); k++) {
                long[] left = at.clone();
                left[at.length - 1] = k;
                long[] right = at.clone();
                right[at.length - 2] = k;
                sum += (a.broadcastAt(left) - of(call, LEFT_ZERO, row, 0))
                        * (b.broadcastAt(right) - of(call, RIGHT_ZERO, column, 0));
            }
            return finished(call, sum, row, column);
        });
        long[] dims = y.dims();
        long[] own = Arrays.copyOf(dims, dims.length - 2);
        if (call.input(0).rank() > 1) {
            own = joined(own, dims[dims.length - 2]);
        }
        if (call.input(1).rank() > 1) {
            own = joined(own, dims[dims.length - 1]);
        }
        return y.reshaped(own).as(resultType(call));
    }

    private static long[] joined(long[] first, long... rest) {
        return LongStream.concat(Arrays.stream(first), Arrays.stream(rest)).toArray();
    }
}
