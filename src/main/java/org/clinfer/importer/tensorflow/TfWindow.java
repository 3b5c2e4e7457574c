package org.clinfer.importer.tensorflow;

import java.util.Arrays;
import java.util.Optional;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Params;

/**
 * The walk of a convolution or pool over its input: the sizes of the window, empty where they are those of computed
 * weights; strides and dilations; SAME, VALID or EXPLICIT padding, which is begin and end of each axis in turn.
 */
final class TfWindow {

    private final DataFormat format;
    private final Optional<long[]> kernel;
    private final long[] strides;
    private final long[] dilations;
    private final String padding;
    private final long[] pads;

    TfWindow(
            DataFormat format, Optional<long[]> kernel, long[] strides, long[] dilations, String padding, long[] pads) {
        this.format = format;
        this.kernel = kernel;
        this.strides = strides;
        this.dilations = dilations;
        this.padding = padding;
        this.pads = pads;
    }

    DataFormat format() {
        return format;
    }

    Optional<long[]> kernel() {
        return kernel;
    }

    long[] strides() {
        return strides;
    }

    long[] dilations() {
        return dilations;
    }

    String padding() {
        return padding;
    }

    long[] pads() {
        return pads;
    }

    /** The window of a node over a value with so many axes. */
    static TfWindow of(TfCall call, int rank, Optional<long[]> kernel) {
        DataFormat format = DataFormat.of(call);
        long[] strides = alongSpace(call, "strides", rank, format, true);
        long[] dilations = alongSpace(call, "dilations", rank, format, true);
        return of(call, rank, kernel, strides, dilations);
    }

    /** As {@link #of(TfCall, int, Optional)}, with strides that do not stand in the node. */
    static TfWindow of(TfCall call, int rank, Optional<long[]> kernel, long[] strides, long[] dilations) {
        DataFormat format = DataFormat.of(call);
        String padding = call.node().text("padding", "");
        long[] pads = switch (padding) {
            case "SAME", "VALID" -> none(call);
            case "EXPLICIT" -> explicit(call, rank, format);
            default ->
                throw call.malformed("attribute 'padding' must be SAME, VALID or EXPLICIT, but is '" + padding + "'");
        };
        return new TfWindow(format, kernel, strides, dilations, padding, pads);
    }

    /** A list with a number for each axis, of those of the space; batch and channels have 1. */
    static long[] alongSpace(TfCall call, String attribute, int rank, DataFormat format, boolean optional) {
        Optional<long[]> given = call.node().integers(attribute);
        if (given.isEmpty() && !optional) {
            throw call.malformed("attribute '" + attribute + "' is missing");
        }
        return alongSpace(call, attribute, given.orElse(ChannelAxes.ones(rank)), rank, format);
    }

    static long[] alongSpace(TfCall call, String what, long[] each, int rank, DataFormat format) {
        if (each.length != rank) {
            throw call.malformed(what + " must have " + rank + " numbers, but is " + Arrays.toString(each));
        }
        if (each[0] != 1 || each[format.channels(rank)] != 1) {
            throw call.unsupportedUse(what + " " + Arrays.toString(each) + " along batch or channels");
        }
        int first = format.firstSpatial();
        long[] space = Arrays.copyOfRange(each, first, first + rank - 2);
        if (Arrays.stream(space).anyMatch(number -> number < 1 || number >= 1 << 30)) {
            throw call.malformed(what + " must be at least 1, but is " + Arrays.toString(each));
        }
        return space;
    }

    /** Refuses widths that another padding passes over. */
    static long[] none(TfCall call) {
        if (call.node().integers("explicit_paddings").isPresent()) {
            throw call.malformed("attribute 'explicit_paddings' is given beside another padding");
        }
        return new long[0];
    }

    private static long[] explicit(TfCall call, int rank, DataFormat format) {
        long[] all = call.node()
                .integers("explicit_paddings")
                .orElseThrow(() -> call.malformed("attribute 'explicit_paddings' is missing"));
        if (all.length != 2 * rank || Arrays.stream(all).anyMatch(pad -> pad < 0 || pad >= 1 << 30)) {
            throw call.malformed("attribute 'explicit_paddings' is " + Arrays.toString(all));
        }
        int channels = 2 * format.channels(rank);
        if (all[0] != 0 || all[1] != 0 || all[channels] != 0 || all[channels + 1] != 0) {
            throw call.unsupportedUse("explicit_paddings " + Arrays.toString(all) + " along batch or channels");
        }
        int first = 2 * format.firstSpatial();
        return Arrays.copyOfRange(all, first, first + 2 * (rank - 2));
    }

    /** Writes pad_mode and padding as OpLib's operators call them. */
    void putPadding(Params params) {
        if (padding.equals("EXPLICIT")) {
            params.put("pad_mode", "PADDING").put("padding", pads);
        } else {
            params.put("pad_mode", padding);
        }
    }

    /** Writes the padding as the operator Convolution calls it. */
    void putAutoPad(Params params) {
        int space = strides.length;
        long[] begin = new long[space];
        long[] end = new long[space];
        for (int axis = 0; axis < space && padding.equals("EXPLICIT"); axis++) {
            begin[axis] = pads[2 * axis];
            end[axis] = pads[2 * axis + 1];
        }
        params.put("auto_pad", padding.equals("SAME") ? "same_upper" : padding.equals("VALID") ? "valid" : "none")
                .put("pads_begin", begin)
                .put("pads_end", end);
    }

    /** The size along an axis of the space that comes out for one that goes in; empty if the window is larger. */
    Optional<Long> output(long size, int axis) {
        long stride = strides[axis];
        if (padding.equals("SAME")) {
            return Optional.of((size + stride - 1) / stride);
        }
        long effective = (kernel.orElseThrow()[axis] - 1) * dilations[axis] + 1;
        long padded = padding.equals("EXPLICIT") ? size + pads[2 * axis] + pads[2 * axis + 1] : size;
        return padded < effective ? Optional.empty() : Optional.of((padded - effective) / stride + 1);
    }
}
