package org.clinfer.expr;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Functions of dimensions, axes and strides. */
final class ShapeFunctions {

    private static final ExpressionValue ONE = ExpressionValue.of(1);

    private ShapeFunctions() {}

    static ExpressionValue broadcast(List<ExpressionValue> shapes, Evaluation run) {
        ExpressionValue result = shapes.get(0);
        Arguments.list("broadcast", result);
        for (ExpressionValue shape : shapes.subList(1, shapes.size())) {
            result = broadcast(result, shape, run);
        }
        return result;
    }

    static ExpressionValue broadcastAll(List<ExpressionValue> arguments, Evaluation run) {
        List<ExpressionValue> shapes = Arguments.list("broadcast_all", arguments.get(0));
        if (shapes.isEmpty()) {
            throw new Failure("broadcast_all() of no shapes");
        }
        if (shapes.stream().anyMatch(ExpressionValue.Unknown.class::isInstance)) {
            return Constants.UNKNOWN;
        }
        return broadcast(shapes, run);
    }

    private static ExpressionValue broadcast(ExpressionValue first, ExpressionValue second, Evaluation run) {
        List<ExpressionValue> left = Arguments.list("broadcast", first);
        List<ExpressionValue> right = Arguments.list("broadcast", second);
        int rank = run.reserve(Math.max(left.size(), right.size()));
        ExpressionValue[] dims = new ExpressionValue[rank];
        for (int i = 1; i <= rank; i++) {
            ExpressionValue a = i <= left.size() ? left.get(left.size() - i) : ONE;
            ExpressionValue b = i <= right.size() ? right.get(right.size() - i) : ONE;
            if (!isSize(a) || !isSize(b)) {
                throw Arguments.wrong("broadcast", "lists of ints", isSize(a) ? second : first);
            }
            if (a instanceof ExpressionValue.Int
                    && b instanceof ExpressionValue.Int
                    && !a.equals(ONE)
                    && !b.equals(ONE)
                    && !a.equals(b)) {
                throw new Failure("shapes " + first + " and " + second + " do not broadcast");
            }
            dims[rank - i] = joined(a, b);
        }
        return ExpressionValue.list(dims);
    }

    private static boolean isSize(ExpressionValue value) {
        return value instanceof ExpressionValue.Int || value instanceof ExpressionValue.Unknown;
    }

    /** The dimension that two that fit each other make: a known one that is not 1 decides. */
    private static ExpressionValue joined(ExpressionValue a, ExpressionValue b) {
        if (a.equals(ONE)) {
            return b;
        }
        if (b.equals(ONE) || a.equals(b)) {
            return a;
        }
        return a instanceof ExpressionValue.Int ? a : b instanceof ExpressionValue.Int ? b : Constants.UNKNOWN;
    }

    static ExpressionValue stridesOf(List<ExpressionValue> arguments, Evaluation run) {
        List<ExpressionValue> dims = Arguments.list("strides_of", arguments.get(0));
        return ExpressionValue.list(strides(dims, run));
    }

    /** Row-major strides in elements; those outside an unknown dimension are unknown. */
    private static ExpressionValue[] strides(List<ExpressionValue> dims, Evaluation run) {
        ExpressionValue[] strides = new ExpressionValue[run.reserve(dims.size())];
        ExpressionValue stride = ONE;
        for (int axis = strides.length - 1; axis >= 0; axis--) {
            strides[axis] = stride;
            stride = Operators.multiply(stride, dims.get(axis));
        }
        return strides;
    }

    static ExpressionValue broadcastStrides(List<ExpressionValue> arguments, Evaluation run) {
        List<ExpressionValue> dims = Arguments.list("broadcast_strides", arguments.get(0));
        List<ExpressionValue> out = Arguments.list("broadcast_strides", arguments.get(1));
        int missing = out.size() - dims.size();
        ExpressionValue[] strides = strides(dims, run);
        ExpressionValue[] result = new ExpressionValue[run.reserve(out.size())];
        Arrays.fill(result, ExpressionValue.of(0));
        for (int axis = 0; axis < dims.size(); axis++) {
            ExpressionValue dim = dims.get(axis);
            boolean fits = missing >= 0
                    && (dim.equals(ONE)
                            || !Operators.equal(dim, out.get(axis + missing)).equals(Constants.FALSE));
            if (!fits) {
                throw new Failure("shape " + arguments.get(0) + " does not broadcast to " + arguments.get(1));
            }
            if (!dim.equals(ONE)) {
                boolean sure = dim instanceof ExpressionValue.Int
                        || Operators.equal(dim, out.get(axis + missing)).equals(Constants.TRUE);
                result[axis + missing] = sure ? strides[axis] : Constants.UNKNOWN;
            }
        }
        return ExpressionValue.list(result);
    }

    static ExpressionValue normalizeAxis(List<ExpressionValue> arguments) {
        return normalized("normalize_axis", arguments.get(0), arguments.get(1));
    }

    static ExpressionValue normalizeAxes(List<ExpressionValue> arguments, Evaluation run) {
        List<ExpressionValue> axes = Arguments.list("normalize_axes", arguments.get(0));
        List<ExpressionValue> result = new ArrayList<>(run.reserve(axes.size()));
        for (ExpressionValue axis : axes) {
            result.add(normalized("normalize_axes", axis, arguments.get(1)));
        }
        return ExpressionValue.list(result);
    }

    private static ExpressionValue normalized(String function, ExpressionValue axis, ExpressionValue rank) {
        if (axis instanceof ExpressionValue.Unknown) {
            return Constants.UNKNOWN;
        }
        long index = Arguments.integer(function, axis);
        long ndim = Arguments.integer(function, rank);
        if (index < -ndim || index >= ndim) {
            throw new Failure(
                    "axis " + index + " is outside " + ndim + " dimensions, expected " + -ndim + " to " + (ndim - 1));
        }
        return ExpressionValue.of(index < 0 ? index + ndim : index);
    }

    /** The answer whether the name is in the list {@code device.extensions} of the scope. */
    static ExpressionValue hasExtension(List<ExpressionValue> arguments, Evaluation run) {
        Arguments.text("has_extension", arguments.get(0));
        ExpressionValue device = run.scope().lookup("device");
        if (device == null) {
            throw new Failure("has_extension() needs a device, and there is none here");
        }
        return ListFunctions.contains(List.of(Members.of(device, "extensions", run), arguments.get(0)));
    }
}
