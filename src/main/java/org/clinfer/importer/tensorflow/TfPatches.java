package org.clinfer.importer.tensorflow;

import java.util.List;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Tensor;

/** ExtractImagePatches and ExtractVolumePatches: the elements under a window at each of its places, as the channels of that place. */
final class TfPatches {

    private static final long MOST_ELEMENTS = 1L << 31;

    private TfPatches() {}

    static void translate(TfCall call, int rank) {
        long[] kernel = TfWindow.alongSpace(call, "ksizes", rank, DataFormat.CHANNELS_LAST, false);
        TfWalk walk = new TfWalk(call, kernel);
        int space = kernel.length;
        long elements = call.input(0)
                .size(rank - 1)
                .filter(size -> size < MOST_ELEMENTS)
                .orElseThrow(() -> call.unsupportedUse("channels whose number is not known"));
        long[] shape = new long[rank];
        // batch, then places and window along each axis in turn, channels
        long[] order = new long[2 * space + 2];
        order[2 * space + 1] = 2L * space + 1;
        String windows = walk.padded(0);
        for (int axis = 0; axis < space; axis++) {
            windows = gathered(call, windows, 2L * axis + 1, walk.indices(axis), kernel[axis]);
            order[axis + 1] = 2L * axis + 1;
            order[space + axis + 1] = 2L * axis + 2;
            shape[axis + 1] = walk.places(axis);
            elements *= kernel[axis];
            if (elements >= MOST_ELEMENTS) {
                throw call.unsupportedUse("windows of " + elements + " elements");
            }
        }
        shape[rank - 1] = elements;
        String places = call.step("Transpose", List.of(windows), new Params().put("perm", order));
        call.give("Reshape", List.of(places), new Params().put("shape", shape));
    }

    private static String gathered(TfCall call, String x, long axis, long[] indices, long kernel) {
        String places = call.constant("places", Tensor.of(indices, indices.length / kernel, kernel));
        return call.step("Gather", List.of(x, places), new Params().put("axis", axis));
    }
}
