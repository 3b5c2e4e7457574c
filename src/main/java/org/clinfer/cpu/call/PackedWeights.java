package org.clinfer.cpu.call;

import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The forms that operators make of a model's constants, made once for all its sessions and kept as long as the
 * constant. What does not fit is made anew in every run. Thread-safe.
 */
public final class PackedWeights {

    private final long limit;
    private final long constants;
    private final LongPredicate room;
    private final Map<Tensor, Map<Object, float[]>> forms = new WeakHashMap<>();

    /**
     * Nothing kept yet.
     *
     * @param limit bytes that are kept at most
     * @param constants bytes of the constants: forms that are larger are kept where one of each as large as it has room too
     */
    public PackedWeights(long limit, long constants) {
        this(limit, constants, bytes -> true);
    }

    /**
     * The same for as much as others leave.
     *
     * @param room takes so many more bytes of what there is for all models, if they are there
     */
    public PackedWeights(long limit, long constants, LongPredicate room) {
        this.limit = limit;
        this.constants = constants;
        this.room = room;
    }

    /** Keeps nothing, so that operators do without forms that only pay if they are kept, as those of transformed sums. */
    public static PackedWeights none() {
        return new PackedWeights(0, 0);
    }

    /**
     * A form of a tensor's elements.
     *
     * @param constant the constant that the tensor shows, or null if it may have other elements in the next run
     * @param form what decides how it is made, comparable by {@code equals}
     */
    float[] of(@Nullable Tensor constant, Object form, Supplier<float[]> make) {
        if (constant == null) {
            return make.get();
        }
        synchronized (this) {
            float[] known = forms.getOrDefault(constant, Map.of()).get(form);
            if (known != null) {
                return known;
            }
        }
        float[] made = make.get();
        synchronized (this) {
            Map<Object, float[]> kept = forms.computeIfAbsent(constant, key -> new HashMap<>());
            float[] first = kept.get(form);
            if (first != null) {
                return first;
            }
            long more = (long) made.length * Float.BYTES;
            if (bytes() + more <= limit && room.test(more)) {
                kept.put(form, made);
            }
        }
        return made;
    }

    /**
     * {@return whether a form that only pays if it is kept is kept, or would be: not at the expense of other
     * constants}
     *
     * @param constant as for {@link #of}
     * @param floats the elements of the form
     */
    synchronized boolean keeps(@Nullable Tensor constant, Object form, long floats) {
        if (constant == null) {
            return false;
        }
        if (forms.getOrDefault(constant, Map.of()).containsKey(form)) {
            return true;
        }
        long more = Math.max(0, floats - constant.elements()) * Float.BYTES;
        return bytes() + floats * Float.BYTES <= limit && constants + excess() + more <= limit;
    }

    /** Bytes by which forms that are kept are larger than their constants. */
    private long excess() {
        long elements = 0;
        for (Map.Entry<Tensor, Map<Object, float[]>> of : forms.entrySet()) {
            for (float[] form : of.getValue().values()) {
                elements += Math.max(0, form.length - of.getKey().elements());
            }
        }
        return elements * Float.BYTES;
    }

    /** Bytes that are kept. */
    public synchronized long bytes() {
        long elements = 0;
        for (Map<Object, float[]> kept : forms.values()) {
            for (float[] form : kept.values()) {
                elements += form.length;
            }
        }
        return elements * Float.BYTES;
    }
}
