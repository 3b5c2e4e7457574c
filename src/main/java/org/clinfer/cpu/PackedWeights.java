package org.clinfer.cpu;

import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * What operators make of a model's constants, made once for all its sessions and kept as long as the constant. What does
 * not fit is made anew in every run. Thread-safe.
 */
public final class PackedWeights {

    private final long limit;
    private final Map<Tensor, Map<Object, float[]>> forms = new WeakHashMap<>();

    /** @param limit bytes that are kept at most */
    public PackedWeights(long limit) {
        this.limit = limit;
    }

    /** Keeps nothing. */
    public static PackedWeights none() {
        return new PackedWeights(0);
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
            long more = (long) made.length * Float.BYTES;
            if (bytes() + more <= limit) {
                float[] first =
                        forms.computeIfAbsent(constant, key -> new HashMap<>()).putIfAbsent(form, made);
                return first == null ? made : first;
            }
        }
        return made;
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
