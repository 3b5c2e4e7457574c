package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.Params;

/**
 * Grey dilation: the largest of the sums of a window's elements with those of a filter, as the maximum of slices of the
 * picture, one for each place of the filter.
 */
final class TfDilation {

    /** More places are too many operators. */
    private static final long MOST_PLACES = 256;

    private TfDilation() {}

    static void translate(TfCall call) {
        TfValue filter = call.input(1, 3);
        long[] kernel = {known(call, filter, 0), known(call, filter, 1)};
        if (kernel[0] * kernel[1] > MOST_PLACES) {
            throw call.unsupportedUse("a filter of " + kernel[0] + " x " + kernel[1]);
        }
        if (!call.dtype(call.input(0)).isFloating()) {
            throw call.unsupportedUse("whole numbers");
        }
        TfWalk walk = new TfWalk(call, kernel);
        String picture = walk.padded(Double.NEGATIVE_INFINITY);
        List<String> sums = new ArrayList<>();
        for (long row = 0; row < kernel[0]; row++) {
            for (long column = 0; column < kernel[1]; column++) {
                String weight = call.step("GatherND", call.plain(1), call.constant(row, column));
                sums.add(call.step("Add", walk.slice(picture, row, column), weight));
            }
        }
        call.give("Max", sums, new Params());
    }

    private static long known(TfCall call, TfValue value, int axis) {
        return value.size(axis)
                .filter(size -> size > 0 && size < 1 << 30)
                .orElseThrow(() -> call.unsupportedUse("a filter whose sizes are not known"));
    }
}
