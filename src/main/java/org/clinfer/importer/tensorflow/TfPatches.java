package org.clinfer.importer.tensorflow;

import java.util.List;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Tensor;

/** ExtractImagePatches: the elements under a window at each of its places, as the channels of that place. */
final class TfPatches {

    private TfPatches() {}

    static void translate(TfCall call) {
        long[] kernel = TfWindow.alongSpace(call, "ksizes", 4, DataFormat.CHANNELS_LAST, false);
        long[] strides = TfWindow.alongSpace(call, "strides", 4, DataFormat.CHANNELS_LAST, false);
        TfWalk walk = new TfWalk(call, kernel, strides);
        String rows = gathered(call, walk.padded(0), 1, walk.indices(0), kernel[0]);
        // batch, rows, rows of the window, columns, columns of the window, channels
        String windows = gathered(call, rows, 3, walk.indices(1), kernel[1]);
        String places =
                call.step("Transpose", List.of(windows), new Params().put("perm", new long[] {0, 1, 3, 2, 4, 5}));
        long channels =
                call.input(0).size(3).orElseThrow(() -> call.unsupportedUse("channels whose number is not known"));
        long[] shape = {0, walk.places(0), walk.places(1), kernel[0] * kernel[1] * channels};
        call.give("Reshape", List.of(places), new Params().put("shape", shape));
    }

    private static String gathered(TfCall call, String x, long axis, long[] indices, long kernel) {
        String places = call.constant("places", Tensor.of(indices, indices.length / kernel, kernel));
        return call.step("Gather", List.of(x, places), new Params().put("axis", axis));
    }
}
