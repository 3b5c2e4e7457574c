package org.clinfer.cpu.call;

import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
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
    private final Map<Tensor, Map<Object, Held>> forms = new WeakHashMap<>();

    /** A form that is kept, and its bytes. */
    private record Held(Object array, long bytes) {}

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
        return of(constant, form, float[].class, make, made -> (long) made.length * Float.BYTES);
    }

    /** The same for a form in bytes. */
    byte[] bytesOf(@Nullable Tensor constant, Object form, Supplier<byte[]> make) {
        return of(constant, form, byte[].class, make, made -> made.length);
    }

    private <A> A of(@Nullable Tensor constant, Object form, Class<A> kind, Supplier<A> make, ToLongFunction<A> size) {
        if (constant == null) {
            return make.get();
        }
        synchronized (this) {
            Held known = forms.getOrDefault(constant, Map.of()).get(form);
            if (known != null) {
                return kind.cast(known.array);
            }
        }
        A made = make.get();
        synchronized (this) {
            Map<Object, Held> kept = forms.computeIfAbsent(constant, key -> new HashMap<>());
            Held first = kept.get(form);
            if (first != null) {
                return kind.cast(first.array);
            }
            long more = size.applyAsLong(made);
            if (bytes() + more <= limit && room.test(more)) {
                kept.put(form, new Held(made, more));
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
        long excess = 0;
        for (Map.Entry<Tensor, Map<Object, Held>> of : forms.entrySet()) {
            for (Held form : of.getValue().values()) {
                excess += Math.max(0, form.bytes - of.getKey().elements() * Float.BYTES);
            }
        }
        return excess;
    }

    /** Bytes that are kept. */
    public synchronized long bytes() {
        return forms.values().stream()
                .flatMap(kept -> kept.values().stream())
                .mapToLong(Held::bytes)
                .sum();
    }
}
