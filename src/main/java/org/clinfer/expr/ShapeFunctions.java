package org.clinfer.expr;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Functions of dimensions, axes and strides. */
final class ShapeFunctions {

    private static final Value ONE = Value.of(1);

    private ShapeFunctions() {}

    static Value broadcast(List<Value> shapes, Evaluation run) {
        Value result = shapes.get(0);
        Arguments.list("broadcast", result);
        for (Value shape : shapes.subList(1, shapes.size())) {
            result = broadcast(result, shape, run);
        }
        return result;
    }

    static Value broadcastAll(List<Value> arguments, Evaluation run) {
        List<Value> shapes = Arguments.list("broadcast_all", arguments.get(0));
        if (shapes.isEmpty()) {
            throw new Failure("broadcast_all() of no shapes");
        }
        if (shapes.stream().anyMatch(Value.Unknown.class::isInstance)) {
            return Constants.UNKNOWN;
        }
        return broadcast(shapes, run);
    }

    private static Value broadcast(Value first, Value second, Evaluation run) {
        List<Value> left = Arguments.list("broadcast", first);
        List<Value> right = Arguments.list("broadcast", second);
        int rank = run.reserve(Math.max(left.size(), right.size()));
        Value[] dims = new Value[rank];
        for (int i = 1; i <= rank; i++) {
            Value a = i <= left.size() ? left.get(left.size() - i) : ONE;
            Value b = i <= right.size() ? right.get(right.size() - i) : ONE;
            if (!isSize(a) || !isSize(b)) {
                throw Arguments.wrong("broadcast", "lists of ints", isSize(a) ? second : first);
            }
            if (a instanceof Value.Int && b instanceof Value.Int && !a.equals(ONE) && !b.equals(ONE) && !a.equals(b)) {
                throw new Failure("shapes " + first + " and " + second + " do not broadcast");
            }
            dims[rank - i] = joined(a, b);
        }
        return Value.list(dims);
    }

    private static boolean isSize(Value value) {
        return value instanceof Value.Int || value instanceof Value.Unknown;
    }

    /** The dimension that two that fit each other make: a known one that is not 1 decides. */
    private static Value joined(Value a, Value b) {
        if (a.equals(ONE)) {
            return b;
        }
        if (b.equals(ONE) || a.equals(b)) {
            return a;
        }
        return a instanceof Value.Int ? a : b instanceof Value.Int ? b : Constants.UNKNOWN;
    }

    static Value stridesOf(List<Value> arguments, Evaluation run) {
        List<Value> dims = Arguments.list("strides_of", arguments.get(0));
        return Value.list(strides(dims, run));
    }

    /** Row-major strides in elements; those outside an unknown dimension are unknown. */
    private static Value[] strides(List<Value> dims, Evaluation run) {
        Value[] strides = new Value[run.reserve(dims.size())];
        Value stride = ONE;
        for (int axis = strides.length - 1; axis >= 0; axis--) {
            strides[axis] = stride;
            stride = Operators.multiply(stride, dims.get(axis));
        }
        return strides;
    }

    static Value broadcastStrides(List<Value> arguments, Evaluation run) {
        List<Value> dims = Arguments.list("broadcast_strides", arguments.get(0));
        List<Value> out = Arguments.list("broadcast_strides", arguments.get(1));
        int missing = out.size() - dims.size();
        Value[] strides = strides(dims, run);
        Value[] result = new Value[run.reserve(out.size())];
        Arrays.fill(result, Value.of(0));
        for (int axis = 0; axis < dims.size(); axis++) {
            Value dim = dims.get(axis);
            boolean fits = missing >= 0
                    && (dim.equals(ONE)
                            || !Operators.equal(dim, out.get(axis + missing)).equals(Constants.FALSE));
            if (!fits) {
                throw new Failure("shape " + arguments.get(0) + " does not broadcast to " + arguments.get(1));
            }
            if (!dim.equals(ONE)) {
                boolean sure = dim instanceof Value.Int
                        || Operators.equal(dim, out.get(axis + missing)).equals(Constants.TRUE);
                result[axis + missing] = sure ? strides[axis] : Constants.UNKNOWN;
            }
        }
        return Value.list(result);
    }

    static Value normalizeAxis(List<Value> arguments) {
        return normalized("normalize_axis", arguments.get(0), arguments.get(1));
    }

    static Value normalizeAxes(List<Value> arguments, Evaluation run) {
        List<Value> axes = Arguments.list("normalize_axes", arguments.get(0));
        List<Value> result = new ArrayList<>(run.reserve(axes.size()));
        for (Value axis : axes) {
            result.add(normalized("normalize_axes", axis, arguments.get(1)));
        }
        return Value.list(result);
    }

    private static Value normalized(String function, Value axis, Value rank) {
        if (axis instanceof Value.Unknown) {
            return Constants.UNKNOWN;
        }
        long index = Arguments.integer(function, axis);
        long ndim = Arguments.integer(function, rank);
        if (index < -ndim || index >= ndim) {
            throw new Failure(
                    "axis " + index + " is outside " + ndim + " dimensions, expected " + -ndim + " to " + (ndim - 1));
        }
        return Value.of(index < 0 ? index + ndim : index);
    }

    /** Whether the name is in the list {@code device.extensions} of the scope. */
    static Value hasExtension(List<Value> arguments, Evaluation run) {
        Arguments.text("has_extension", arguments.get(0));
        Value device = run.scope().lookup("device");
        if (device == null) {
            throw new Failure("has_extension() needs a device, and there is none here");
        }
        return ListFunctions.contains(List.of(Members.of(device, "extensions", run), arguments.get(0)));
    }
}
