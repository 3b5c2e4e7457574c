package org.clinfer.importer.tensorflow;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.Params;

/** The places of a window on pictures or volumes whose sizes are known, with the channels last and SAME or VALID padding. */
final class TfWalk {

    private final TfCall call;
    private final TfValue x;
    private final long[] kernel;
    private final long[] strides;
    private final long[] rates;
    private final boolean same;

    /** Begin and end of each axis in turn. */
    private final long[] widths;

    /** The place of the window at the end of each axis of the space. */
    private final long[] last;

    /** The walk of a node with the attributes {@code strides} and perhaps {@code rates} over its first input. */
    TfWalk(TfCall call, long[] kernel) {
        int rank = kernel.length + 2;
        this.call = call;
        this.x = call.input(0, rank);
        this.widths = new long[2 * rank];
        this.last = new long[kernel.length];
        this.kernel = kernel.clone();
        this.strides = TfWindow.alongSpace(call, "strides", rank, DataFormat.CHANNELS_LAST, false);
        this.rates = TfWindow.alongSpace(call, "rates", rank, DataFormat.CHANNELS_LAST, true);
        TfWindow window = TfWindow.of(call, rank, Optional.of(kernel), strides, rates);
        this.same = window.padding().equals("SAME");
        for (int axis = 0; axis < kernel.length; axis++) {
            measure(axis);
        }
    }

    private void measure(int axis) {
        long size = known(x, axis + 1);
        long span = (kernel[axis] - 1) * rates[axis] + 1;
        if (!same && span > size) {
            throw call.malformed("its window of " + span + " is larger than its input of " + size);
        }
        last[axis] = (same ? size - 1 : size - span) / strides[axis] * strides[axis];
        long more = same ? Math.max(0, last[axis] + span - size) : 0;
        widths[2 * axis + 2] = more / 2;
        widths[2 * axis + 3] = more - more / 2;
    }

    private long known(TfValue value, int axis) {
        return value.size(axis)
                .filter(size -> size > 0 && size < 1 << 30)
                .orElseThrow(() -> call.unsupportedUse("an input whose sizes are not known"));
    }

    /** The pictures with the padding, of one number. */
    String padded(double number) {
        Params outside = new Params().put("pad_with", widths).put("constant_value", number);
        boolean wider = Arrays.stream(widths).anyMatch(width -> width > 0);
        return wider ? call.step("Pad", List.of(call.plain(x)), outside) : call.plain(x);
    }

    /** The number of places along an axis of the space. */
    long places(int axis) {
        return last[axis] / strides[axis] + 1;
    }

    /** The elements of padded pictures under one element of the window, at all of its places. */
    String slice(String picture, long row, long column) {
        long top = row * rates[0];
        long left = column * rates[1];
        Params part = new Params()
                .put("starts", new long[] {top, left})
                .put("ends", new long[] {top + last[0] + 1, left + last[1] + 1})
                .put("steps", strides)
                .put("axes", new long[] {1, 2});
        return call.step("Slice", List.of(picture), part);
    }

    /** The indices that the window has at each of its places along an axis of padded pictures: places by kernel. */
    long[] indices(int axis) {
        long count = places(axis) * kernel[axis];
        if (!call.graph().mayMake(count)) {
            throw call.unsupportedUse("a window at " + places(axis) + " places");
        }
        long[] indices = new long[(int) count];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = i / kernel[axis] * strides[axis] + i % kernel[axis] * rates[axis];
        }
        return indices;
    }
}
