package org.clinfer.cpu.call;

import java.nio.FloatBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of a call that lie in arrays of floats, which Java's vectors read and write without a copy. Their tensors have a
 * type, but no elements.
 *
 * @param inputs a view of each input's array that begins with its first element, null for inputs that are tensors; no more than
 *     up to the last one
 * @param outputs the same of the outputs
 */
public record FloatArrays(List<@Nullable FloatBuffer> inputs, List<@Nullable FloatBuffer> outputs) {

    /** All values are tensors. */
    public static final FloatArrays NONE = new FloatArrays(List.of(), List.of());

    /**
     * Floats before the first value of an array: with HotSpot's header of 16 bytes, values begin at cache lines where the array
     * does, as large ones do with G1. Vectors that span two lines take twice as long to load and store.
     */
    public static final int BEFORE = 12;

    /** Floats beyond the last value of an array: whole tiles of pixels read, but do not use them. */
    public static final int SLACK = 256;

    @Nullable
    FloatBuffer input(int position) {
        return position < inputs.size() ? inputs.get(position) : null;
    }

    @Nullable
    FloatBuffer output(int position) {
        return position < outputs.size() ? outputs.get(position) : null;
    }
}
