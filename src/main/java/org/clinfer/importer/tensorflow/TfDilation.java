package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.Params;

/**
 * Grey dilation: the largest of the sums of a window's elements with those of a filter, as the maximum of slices of the
 * picture, one for each place of the filter.
 */
final class TfDilation {

    /** More places are too many operators. */
    private static final long MOST_PLACES = 256;

    private final TfCall call;
    private final TfValue x;
    private final long[] strides;
    private final long[] rates;
    private final long[] kernel;
    private final boolean same;

    /** Begin and end of each axis in turn. */
    private final long[] widths = new long[8];

    /** Behind the last element that is read from the beginning on, along each axis of the space. */
    private final long[] ends = new long[2];

    private TfDilation(TfCall call) {
        this.call = call;
        this.x = call.input(0, 4);
        TfValue filter = call.input(1, 3);
        this.strides = TfWindow.alongSpace(call, "strides", 4, DataFormat.CHANNELS_LAST, false);
        this.rates = TfWindow.alongSpace(call, "rates", 4, DataFormat.CHANNELS_LAST, false);
        this.kernel = new long[] {known(filter, 0), known(filter, 1)};
        TfWindow window = TfWindow.of(call, 4, Optional.of(kernel), strides, rates);
        this.same = window.padding().equals("SAME");
        if (kernel[0] * kernel[1] > MOST_PLACES || kernel[0] * kernel[1] == 0) {
            throw call.unsupportedUse("a filter of " + kernel[0] + " x " + kernel[1]);
        }
        if (!call.dtype(x).isFloating()) {
            throw call.unsupportedUse("whole numbers");
        }
    }

    static void translate(TfCall call) {
        new TfDilation(call).write();
    }

    private void write() {
        measure(0);
        measure(1);
        Params outside = new Params().put("pad_with", widths).put("constant_value", Double.NEGATIVE_INFINITY);
        String picture = same ? call.step("Pad", List.of(call.plain(x)), outside) : call.plain(x);
        List<String> sums = new ArrayList<>();
        for (long row = 0; row < kernel[0]; row++) {
            for (long column = 0; column < kernel[1]; column++) {
                String weight = call.step("GatherND", call.plain(1), call.constant(row, column));
                sums.add(call.step("Add", slice(picture, row * rates[0], column * rates[1]), weight));
            }
        }
        call.give("Max", sums, new Params());
    }

    /** The rows that the padding adds and that the window spans, along an axis of the space. */
    private void measure(int axis) {
        long size = known(x, axis + 1);
        long span = (kernel[axis] - 1) * rates[axis] + 1;
        if (!same && span > size) {
            throw call.malformed("its window of " + span + " is larger than its input of " + size);
        }
        long last = (same ? size - 1 : size - span) / strides[axis] * strides[axis];
        long more = same ? Math.max(0, last + span - size) : 0;
        widths[2 * axis + 2] = more / 2;
        widths[2 * axis + 3] = more - more / 2;
        ends[axis] = last + 1;
    }

    private String slice(String picture, long top, long left) {
        Params part = new Params()
                .put("starts", new long[] {top, left})
                .put("ends", new long[] {top + ends[0], left + ends[1]})
                .put("steps", strides)
                .put("axes", new long[] {1, 2});
        return call.step("Slice", List.of(picture), part);
    }

    private long known(TfValue value, int axis) {
        return value.size(axis)
                .filter(size -> size > 0 && size < 1 << 30)
                .orElseThrow(() -> call.unsupportedUse("an input or a filter whose sizes are not known"));
    }
}
