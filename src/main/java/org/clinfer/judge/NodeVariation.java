package org.clinfer.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** A node taken out of its graph, perhaps with other parameters or input types than it has there. */
record NodeVariation(Map<String, Attribute> params, List<@Nullable TensorType> types) {

    NodeVariation withoutParam(String name) {
        Map<String, Attribute> fewer = new HashMap<>(params);
        fewer.remove(name);
        return new NodeVariation(fewer, types);
    }

    /** @param input the input that says the same and has to go, or a negative number */
    NodeVariation withParam(String name, Attribute value, int input) {
        Map<String, Attribute> changed = new HashMap<>(params);
        changed.put(name, value);
        List<@Nullable TensorType> left = new ArrayList<>(types);
        if (input >= 0 && input < left.size()) {
            left.set(input, null);
        }
        return new NodeVariation(changed, left);
    }

    NodeVariation withDim(int input, int axis, long size) {
        List<@Nullable TensorType> changed = new ArrayList<>(types);
        TensorType type = changed.get(input);
        if (type != null) {
            long[] sizes = type.shape().sizes().clone();
            sizes[axis] = size;
            changed.set(input, new TensorType(type.dtype(), Shape.of(sizes)));
        }
        return new NodeVariation(params, changed);
    }

    /** With another type for all inputs of one type. */
    NodeVariation withType(DType from, DType to) {
        List<@Nullable TensorType> changed = new ArrayList<>();
        for (TensorType type : types) {
            changed.add(type == null || type.dtype() != from ? type : new TensorType(to, type.shape()));
        }
        return new NodeVariation(params, changed);
    }
}
