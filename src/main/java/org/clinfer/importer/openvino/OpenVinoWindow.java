package org.clinfer.importer.openvino;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.LongStream;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;

/** Strides, dilations and padding of a layer with a window. */
final class OpenVinoWindow {

    private static final long MOST = 1L << 30;

    private final OpenVinoLayerCall call;
    private final long[] strides;
    private final long[] dilations;
    private final long[] begins;
    private final long[] ends;
    private final String autoPad;

    OpenVinoWindow(OpenVinoLayerCall call, int spatial) {
        this.call = call;
        OpenVinoAttributes attributes = call.attributes();
        this.strides = attributes.integers("strides", spatial, 1);
        this.dilations = attributes.integers("dilations", spatial, 1);
        this.autoPad =
                attributes.choice("auto_pad", "explicit", "explicit", "notset", "same_upper", "same_lower", "valid");
        attributes.require("strides");
        if (mode().equals("PADDING")) {
            attributes.require("pads_begin", "pads_end");
        }
        this.begins = attributes.integers("pads_begin", spatial, 0);
        this.ends = attributes.integers("pads_end", spatial, 0);
        for (long[] list : new long[][] {strides, dilations, begins, ends}) {
            if (Arrays.stream(list).anyMatch(each -> each < 0 || each >= MOST)) {
                throw call.unsupportedUse("strides, dilations or padding of " + Arrays.toString(list));
            }
        }
        if (Arrays.stream(strides).anyMatch(each -> each == 0)
                || Arrays.stream(dilations).anyMatch(each -> each == 0)) {
            throw call.malformed("strides and dilations must be above 0");
        }
    }

    long[] strides() {
        return strides;
    }

    long[] dilations() {
        return dilations;
    }

    /** The mode by which the padding is found, in the words of the operators. */
    String mode() {
        return switch (autoPad) {
            case "same_upper" -> "SAME";
            case "same_lower" -> "SAME_LOWER";
            case "valid" -> "VALID";
            default -> "PADDING";
        };
    }

    /** [top, bottom, left, right] */
    long[] padding() {
        long[] padding = new long[2 * begins.length];
        for (int i = 0; i < begins.length; i++) {
            padding[2 * i] = begins[i];
            padding[2 * i + 1] = ends[i];
        }
        return padding;
    }

    /** [top, left, bottom, right] */
    long[] beginsAndEnds() {
        return LongStream.concat(LongStream.of(begins), LongStream.of(ends)).toArray();
    }

    /** Some files have the attribute of transposed convolutions at others. */
    void requireNoOutputPadding() {
        for (long each : call.attributes().integers("output_padding", begins.length, 0)) {
            if (each != 0) {
                throw call.attributes().unsupported("output_padding");
            }
        }
    }

    /** The parameters of operators with a list of both sides of each axis. */
    Params sides(Params params) {
        params.put("strides", strides).put("dilation", dilations).put("pad_mode", mode());
        return mode().equals("PADDING") ? params.put("padding", padding()) : params;
    }

    /** The parameters of operators with a list for the begins and one for the ends; {@code none} is their word for these. */
    Params ends(Params params, String none) {
        return params.put("strides", strides)
                .put("dilations", dilations)
                .put("pads_begin", begins)
                .put("pads_end", ends)
                .put("auto_pad", mode().equals("PADDING") ? none : autoPad.toLowerCase(Locale.ROOT));
    }

    /**
     * {@return whether rounding the number of windows up adds none that the rounding of the operators would leave
     * out: one that would begin in the padding at the end}
     */
    boolean allWindowsBeginInside(Value x, long[] kernel) {
        for (int i = 0; i < kernel.length; i++) {
            long reach = (kernel[i] - 1) * dilations[i] + 1;
            if (ends[i] <= reach - strides[i]) {
                continue;
            }
            if (!(x.shape().dim(i + 2) instanceof Dim.Known side)) {
                return false;
            }
            long steps = -Math.floorDiv(reach - side.size() - begins[i] - ends[i], strides[i]);
            if (steps * strides[i] >= side.size() + begins[i]) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether the number of windows is the same however it is rounded} */
    boolean dividesEvenly(Value x, long[] kernel) {
        for (int i = 0; i < kernel.length; i++) {
            long reach = (kernel[i] - 1) * dilations[i] + 1;
            if (!(x.shape().dim(i + 2) instanceof Dim.Known side)
                    || (side.size() + begins[i] + ends[i] - reach) % strides[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** The number of places of a window along an axis, with padding as numbers. */
    long count(int axis, long size, long kernel) {
        long padded = mode().equals("VALID") ? size : size + begins[axis] + ends[axis];
        return Math.floorDiv(padded - (kernel - 1) * dilations[axis] - 1, strides[axis]) + 1;
    }

    @Override
    public String toString() {
        return "strides=" + Arrays.toString(strides) + ", dilations=" + Arrays.toString(dilations) + ", pads_begin="
                + Arrays.toString(begins) + ", pads_end=" + Arrays.toString(ends);
    }
}
