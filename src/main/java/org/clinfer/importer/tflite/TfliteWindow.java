package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.Params;

/** The walk of a window over the axes of the space, in their order. */
final class TfliteWindow {

    private final long[] strides;
    private final long[] dilations;
    private final boolean same;

    /** @param same whether the output is as long as the input divided by the stride; else the window stays inside the input */
    TfliteWindow(long[] strides, long[] dilations, boolean same) {
        this.strides = strides;
        this.dilations = dilations;
        this.same = same;
    }

    long[] strides() {
        return strides;
    }

    long[] dilations() {
        return dilations;
    }

    boolean same() {
        return same;
    }

    private static final int MOST = 1 << 30;

    /** The window of an operator on pictures, or on volumes. */
    static TfliteWindow of(TfliteCall call, int space, boolean dilates) {
        TfliteOptions options = call.options();
        List<String> axes = space == 3 ? List.of("d", "h", "w") : List.of("h", "w");
        List<Long> strides = new ArrayList<>();
        List<Long> dilations = new ArrayList<>();
        for (String axis : axes) {
            strides.add((long) size(options, "stride_" + axis));
            dilations.add(dilates ? size(options, "dilation_" + axis + "_factor") : 1L);
        }
        boolean same = options.word("padding", List.of("SAME", "VALID")).equals("SAME");
        return new TfliteWindow(array(strides), array(dilations), same);
    }

    private static long size(TfliteOptions options, String name) {
        int size = options.size(name, 1);
        if (size >= MOST) {
            throw options.wrong(name, "it is " + size);
        }
        return size;
    }

    private static long[] array(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).toArray();
    }

    /** Writes strides and padding as pools and convolutions of pictures call them. */
    Params params() {
        return new Params().put("strides", strides).put("pad_mode", same ? "SAME" : "VALID");
    }

    /** Writes the window as convolutions of any space, and quantized ones, call it. */
    Params convolutionParams() {
        return new Params()
                .put("strides", strides)
                .put("dilations", dilations)
                .put("pads_begin", new long[strides.length])
                .put("pads_end", new long[strides.length])
                .put("auto_pad", same ? "same_upper" : "valid");
    }
}
