package org.clinfer.importer.openvino;

import java.util.List;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Tensor;

/** ExtractImagePatches: the elements under a window at each of its places, as channels: row, column, channel. */
final class OpenVinoPatches {

    private static final long MOST = 1L << 30;
    private static final long MOST_PLACES = 1L << 24;

    private final OpenVinoLayerCall call;
    private final long[] sizes;
    private final long[] strides;
    private final long[] rates;
    private final String autoPad;

    private OpenVinoPatches(OpenVinoLayerCall call) {
        this.call = call;
        this.sizes = numbers("sizes");
        this.strides = numbers("strides");
        this.rates = numbers("rates");
        this.autoPad = call.attributes().requiredChoice("auto_pad", "valid", "same_upper", "same_lower");
    }

    static Value translate(OpenVinoLayerCall call) {
        return new OpenVinoPatches(call).patches(call.input());
    }

    private long[] numbers(String attribute) {
        call.attributes().require(attribute);
        long[] numbers = call.attributes().integers(attribute, 2, 1);
        for (long number : numbers) {
            if (number < 1 || number >= MOST) {
                throw call.attributes().unsupported(attribute);
            }
        }
        return numbers;
    }

    private Value patches(Value x) {
        if (x.rank() != 4) {
            throw call.malformed("its input must have 4 axes, but is " + x.shape());
        }
        long channels = call.size(x, 1, "channels");
        Value rows = windows(x, 2, 0);
        // batch, channels, rows, rows of the window, columns, columns of the window
        Value windows = windows(rows, 4, 1);
        Value turned = call.transposed(windows, 0, 3, 5, 1, 2, 4);
        long elements = call.size(turned, 1, "rows") * call.size(turned, 2, "columns");
        if (channels > MOST || elements * channels > MOST) {
            throw call.unsupportedUse("windows of " + elements + " elements in " + channels + " channels");
        }
        long[] shape = {0, elements * channels, call.size(turned, 4, "rows"), call.size(turned, 5, "columns")};
        return call.last("Reshape", List.of(turned), new Params().put("shape", shape));
    }

    /** The elements of an axis under the window at each of its places, as two axes. */
    private Value windows(Value x, int axis, int number) {
        long size = call.size(x, axis, "elements");
        long span = (sizes[number] - 1) * rates[number] + 1;
        boolean valid = autoPad.equals("valid");
        if (size < 1 || size >= MOST || (valid && span > size)) {
            throw call.malformed("its window of " + span + " does not fit " + size + " elements");
        }
        long places = (valid ? size - span : size - 1) / strides[number] + 1;
        if (places > MOST_PLACES / sizes[number]) {
            throw call.unsupportedUse("a window at " + places + " places");
        }
        long[] indices = new long[(int) (places * sizes[number])];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = i / sizes[number] * strides[number] + i % sizes[number] * rates[number];
        }
        Value at = call.constant("places" + number, Tensor.of(indices, places, sizes[number]));
        Value padded = valid ? x : padded(x, axis, (places - 1) * strides[number] + span - size);
        return call.add("Gather", List.of(padded, at), new Params().put("axis", (long) axis));
    }

    private Value padded(Value x, int axis, long more) {
        if (more <= 0) {
            return x;
        }
        long[] widths = new long[2 * x.rank()];
        widths[axis] = autoPad.equals("same_lower") ? more - more / 2 : more / 2;
        widths[x.rank() + axis] = more - widths[axis];
        return call.add("Pad", List.of(x), new Params().put("pads", widths));
    }
}
