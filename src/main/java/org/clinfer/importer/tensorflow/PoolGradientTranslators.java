package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * The gradient of a pool: each of its elements goes back to the first largest element of its window.
 *
 * <pre>{@code
 * x ─► Conv2d with a one for each tap of the window ─► which tap is the first largest ─┐
 * gradient ────────────────────────────────────────────────────────────────────────► Mul ─► Conv2dTranspose ─► Pad
 * }</pre>
 */
final class PoolGradientTranslators {

    /** Taps of a window at most; each is a channel. */
    private static final long MOST_TAPS = 1024;

    private PoolGradientTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of("MaxPoolGrad", PoolGradientTranslators::translate);
    }

    private static void translate(TfCall call) {
        TfValue x = call.input(0, 4);
        TfValue gradient = call.input(2, 4);
        DataFormat format = DataFormat.of(call);
        long[] kernel = TfWindow.alongSpace(call, "ksize", 4, format, false);
        long[] strides = TfWindow.alongSpace(call, "strides", 4, format, false);
        if (kernel[0] > MOST_TAPS || kernel[1] > MOST_TAPS || kernel[0] * kernel[1] > MOST_TAPS) {
            throw call.unsupportedUse("a window of more than " + MOST_TAPS + " places");
        }
        if (!call.node().text("padding", "").equals("VALID")) {
            throw call.unsupportedUse("padding " + call.node().text("padding", ""));
        }
        TfWindow.none(call);
        String picture = format.read(call, x);
        String planes = planes(call, picture);
        int taps = (int) (kernel[0] * kernel[1]);
        String ones = call.constant("places", ones(kernel));
        Params walk = new Params().put("strides", strides);
        String windows = call.step("Conv2d", List.of(planes, ones), walk);
        String chosen = first(call, windows, taps);
        String back = call.step("Mul", chosen, planes(call, format.read(call, gradient)));
        String spread = call.step("Conv2dTranspose", List.of(back, ones), walk);
        String shape = call.step("Shape", picture);
        call.give("Reshape", List.of(grown(call, spread, planes), shape), new Params(), format.second());
    }

    /** Each channel of each picture as a picture. */
    private static String planes(TfCall call, String picture) {
        String sizes = call.step(
                "Shape", List.of(picture), new Params().put("start", 2L).put("end", 4L));
        String shape = call.step("Concat", List.of(call.constant(-1, 1), sizes), new Params().put("axis", 0L));
        return call.step("Reshape", picture, shape);
    }

    /** {@code [taps, 1, rows, columns]}: a one at a tap of its own in each. */
    private static Tensor ones(long[] kernel) {
        long taps = kernel[0] * kernel[1];
        Tensor ones = Tensor.allocate(DType.FLOAT32, taps, 1, kernel[0], kernel[1]);
        for (long tap = 0; tap < taps; tap++) {
            ones.setDouble(tap * taps + tap, 1);
        }
        return ones;
    }

    /** A one for the first of the largest channels, zeros for the others. */
    private static String first(TfCall call, String windows, int taps) {
        Tensor numbers = Tensor.allocate(DType.FLOAT32, taps, 1, 1);
        for (int tap = 0; tap < taps; tap++) {
            numbers.setDouble(tap, tap);
        }
        String each = call.constant("numbers", numbers);
        Params along = new Params().put("axis", new long[] {1}).put("keep_dims", true);
        String largest = call.step("ReduceMax", List.of(windows), along);
        String hit = call.step("Equal", windows, largest);
        String beyond = call.scalar(DType.FLOAT32, taps);
        String numbered = call.step("Where", hit, each, beyond);
        String least = call.step("ReduceMin", List.of(numbered), along);
        String chosen = call.step("Equal", each, least);
        return call.step("Cast", List.of(chosen), new Params().put("to", DType.FLOAT32.label()));
    }

    /** With zeros for rows and columns behind the last window. */
    private static String grown(TfCall call, String value, String like) {
        String wanted = call.step("Shape", like);
        String given = call.step("Shape", value);
        String more = call.step("Sub", wanted, given);
        String before = call.constant(0, 0, 0, 0);
        String widths = call.step("Concat", List.of(before, more), new Params().put("axis", 0L));
        return call.step("Pad", value, widths);
    }
}
