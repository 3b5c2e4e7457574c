package org.clinfer.importer.tensorflow;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.importer.KnownType;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;

/** The values of a graph that are lists of tensors. Each is one tensor, whose first axis is that of the list. */
final class TensorLists {

    /**
     * A list of zeros that has no value yet, since the shape of its elements is not known where it is made.
     *
     * @param node the one that makes it
     * @param length the number of elements
     * @param element the shape of an element as far as it is known
     */
    record Reserved(TfNode node, List<TfValue> inputs, TfValue length, DType dtype, Optional<Shape> element) {

        /** The same with elements of a known shape. */
        Reserved of(Shape known) {
            return new Reserved(node, inputs, length, dtype, Optional.of(known));
        }

        KnownType type() {
            return new KnownType(Optional.of(dtype), element).listed();
        }
    }

    private final Set<String> lists = new HashSet<>();
    private final Map<String, Reserved> reserved = new HashMap<>();
    private final Map<String, String> items = new HashMap<>();

    /** Says that a value is a list. */
    TfValue mark(TfValue value) {
        lists.add(value.name());
        return value;
    }

    boolean isList(TfValue value) {
        return lists.contains(value.name());
    }

    /** Says that a list has no value yet. */
    TfValue reserve(TfValue value, Reserved how) {
        reserved.put(value.name(), how);
        return mark(value);
    }

    /** The list without a value, as it is to be. */
    Optional<Reserved> reserved(TfValue value) {
        return Optional.ofNullable(reserved.get(value.name()));
    }

    /** Says that nothing is known of a list any more. */
    void forget(TfValue value) {
        lists.remove(value.name());
        reserved.remove(value.name());
    }

    /** Says that a value is a list, another one with an item put in. */
    void write(TfValue list, TfValue item) {
        mark(list);
        items.put(list.name(), item.name());
    }

    /** {@return whether a value was put into a list last, in this graph} */
    boolean isItem(TfValue list, TfValue value) {
        return value.name().equals(items.get(list.name()));
    }
}
