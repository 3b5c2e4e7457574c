package org.clinfer.cpu.call;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The objects that an operator makes of its parameters and of the types of its tensors alone, made at a node's first
 * run and kept for those after it: in a small network it takes longer than the arithmetic. Belongs to one node, whose
 * runs follow one another.
 */
public final class Kept {

    private static final Kept NOTHING = new Kept(false);

    private final boolean keeps;
    private final Map<Class<?>, Object> made = new HashMap<>();

    private Kept(boolean keeps) {
        this.keeps = keeps;
    }

    /** Of one node. */
    public static Kept ofNode() {
        return new Kept(true);
    }

    /** Keeps nothing. */
    public static Kept nothing() {
        return NOTHING;
    }

    /** The one object of a class that a node's operator needs; it is never changed. */
    <T> T of(Class<T> kind, Supplier<T> make) {
        if (!keeps) {
            return make.get();
        }
        Object known = made.get(kind);
        if (known == null) {
            known = make.get();
            made.put(kind, known);
        }
        return kind.cast(known);
    }
}
