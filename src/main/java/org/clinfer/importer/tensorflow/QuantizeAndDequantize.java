package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Rounding to the steps of an integer type, which are so large that a range fits and 0 is a step. */
final class QuantizeAndDequantize {

    private final TfCall call;
    private final TfValue x;
    private final DType type;
    private final boolean signed;
    private final double least;
    private final double most;
    private final long axis;

    private QuantizeAndDequantize(TfCall call, long bits) {
        this.call = call;
        this.x = call.input(0);
        this.type = call.dtype(x);
        this.signed = call.node().flag("signed_input", true);
        if (bits < (signed ? 2 : 1) || bits > (signed ? 62 : 63)) {
            throw call.malformed("it has " + bits + " bits (num_bits)");
        }
        double end = (double) (1L << (bits - 1));
        this.least = !signed ? 0 : call.node().flag("narrow_range", false) ? 1 - end : -end;
        this.most = signed ? end - 1 : 2 * end - 1;
        long given = call.node().integer("axis", -1);
        this.axis = given == -1 ? -1 : call.axis(given, call.rank(x));
        if (given < -1) {
            throw call.malformed("attribute 'axis' is " + given);
        }
    }

    static Map<String, TfTranslator> all() {
        TfTranslator attributes = call -> {
            String mode = call.node().text("round_mode", "HALF_TO_EVEN");
            if (!List.of("HALF_TO_EVEN", "HALF_UP").contains(mode)) {
                throw call.malformed("attribute 'round_mode' is " + mode);
            }
            long bits = call.node().integer("num_bits", 8);
            new QuantizeAndDequantize(call, bits).translate(mode.equals("HALF_UP"));
        };
        return Map.of(
                "QuantizeAndDequantizeV2", attributes,
                "QuantizeAndDequantizeV3",
                        call -> new QuantizeAndDequantize(call, call.requiredInteger(3, "number of bits"))
                                .translate(false),
                "QuantizeAndDequantizeV4", attributes);
    }

    private String number(double value) {
        return call.scalar(type, value);
    }

    /** An end of the range, that of the input's elements where none is given. */
    private String end(int input, String reduction) {
        boolean isGiven = call.node().flag("range_given", call.node().op().endsWith("V3"));
        if (!isGiven) {
            int rank = call.rank(x);
            long[] others = IntStream.range(0, rank)
                    .filter(other -> other != axis)
                    .asLongStream()
                    .toArray();
            Params params = new Params().put("axis", others).put("keep_dims", axis >= 0);
            return call.step(reduction, List.of(call.plain(x)), params.put("noop_with_empty_axis", true));
        }
        if (axis < 0) {
            if (call.input(input).rank().orElse(0) > 0) {
                throw call.malformed("its range has several ends, but attribute 'axis' names no axis for them");
            }
            return call.plain(input);
        }
        long[] behind = ChannelAxes.ones(call.rank(x) - (int) axis);
        behind[0] = -1;
        return call.step("Reshape", call.plain(input), call.constant(behind));
    }

    private void translate(boolean halfUp) {
        String min = end(1, "ReduceMin");
        String max = end(2, "ReduceMax");
        String none = number(Float.MAX_VALUE);
        String fromMax =
                call.step("Where", call.step("Less", number(0), max), call.step("Div", number(most), max), none);
        String scale = fromMax;
        String step = call.step("Div", max, number(most));
        if (signed) {
            String fromMin =
                    call.step("Where", call.step("Less", min, number(0)), call.step("Div", number(least), min), none);
            String isMin = call.step("Less", fromMin, fromMax);
            scale = call.step("Where", isMin, fromMin, fromMax);
            step = call.step("Where", isMin, call.step("Div", min, number(least)), step);
        }
        boolean second = axis < 0 && x.second();
        String value = second ? x.stored() : call.plain(x);
        if (call.node().flag("range_given", call.node().op().endsWith("V3"))) {
            String below = call.step("Min", value, call.step("Mul", step, number(most)));
            value = call.step("Max", below, call.step("Mul", step, number(least)));
        }
        String scaled = call.step("Mul", value, scale);
        String whole = halfUp ? call.step("Floor", call.step("Add", scaled, number(0.5))) : call.step("Round", scaled);
        call.give("Mul", List.of(whole, step), new Params(), second);
    }
}
