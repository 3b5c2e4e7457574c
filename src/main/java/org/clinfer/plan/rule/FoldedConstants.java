package org.clinfer.plan.rule;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Constants that rewrites make of a model's own: each once, for all plans of all sessions. Thread-safe. */
public final class FoldedConstants {

    /** A constant and the name that it has in every plan. */
    public record Named(String name, Tensor tensor) {}

    private final long limit;
    private final LongSupplier heldBeside;
    private final Map<Key, Optional<Named>> made = new HashMap<>();
    private long held;

    /** The names that decide the elements, and their type: a plan may have a value in another one than the plan for other sizes. */
    private record Key(List<String> parts, TensorType type) {}

    /**
     * None yet.
     *
     * @param limit bytes that the constants of the model may take in all
     * @param heldBeside bytes that those take which are not made here
     */
    public FoldedConstants(long limit, LongSupplier heldBeside) {
        this.limit = limit;
        this.heldBeside = heldBeside;
    }

    /** Bytes of all that were made. */
    public synchronized long bytes() {
        return held;
    }

    /**
     * The constant made from another one.
     *
     * @param key what decides its elements: names of constants and of nodes, and what is made of them
     * @param make computes it; empty where it cannot be
     * @return empty where it cannot be made, or there is no memory for it
     */
    public synchronized Optional<Named> of(List<String> key, TensorType type, Supplier<Optional<Tensor>> make) {
        Key of = new Key(key, type);
        Optional<Named> known = made.get(of);
        if (known != null) {
            return known;
        }
        if (heldBeside.getAsLong() + held + type.bytes() > limit) {
            return Optional.empty();
        }
        Optional<Named> named = named(of, make.get());
        held += named.isPresent() ? type.bytes() : 0;
        return named;
    }

    /**
     * The same constant with another shape, which takes no memory.
     *
     * @param key what decides it: the name of the constant, and as what it is seen
     */
    public synchronized Optional<Named> reshaped(List<String> key, Tensor constant, Shape shape) {
        Key of = new Key(key, new TensorType(constant.dtype(), shape));
        Optional<Named> known = made.get(of);
        return known != null ? known : named(of, Optional.of(constant.reshaped(shape)));
    }

    private Optional<Named> named(Key key, Optional<Tensor> tensor) {
        String name = String.join(" ", key.parts()) + " #" + made.size();
        Optional<Named> named = tensor.map(constant -> new Named(name, constant));
        made.put(key, named);
        return named;
    }
}
