package org.clinfer.expr;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Field access and indexing. */
final class Members {

    private Members() {}

    static Value of(Value target, String name, Evaluation run) {
        if (target instanceof Value.TensorArg tensor) {
            return ofTensor(tensor, name, run);
        }
        if (target instanceof Value.ListOf list && name.equals("len")) {
            return Value.of(list.elements().size());
        }
        if (target instanceof Value.Fields fields) {
            Value field = fields.fields().get(name);
            return field != null ? field : Value.unknown(fields.name() + "." + name);
        }
        if (target instanceof Value.Unknown) {
            return Constants.UNKNOWN;
        }
        throw new Failure("a " + Operators.kind(target) + " has no field '" + name + "'");
    }

    private static Value ofTensor(Value.TensorArg tensor, String name, Evaluation run) {
        return switch (name) {
            case "dims" -> Value.dims(tensor.type().shape());
            case "ndim" -> Value.of(tensor.type().shape().rank());
            case "dtype" -> Value.of(tensor.type().dtype().label());
            case "len" -> length(tensor.type().shape());
            case "data" -> data(tensor, run);
            default -> throw new Failure("a tensor has no field '" + name + "', only dims, ndim, len, dtype and data");
        };
    }

    private static Value length(Shape shape) {
        Value product = Value.of(1);
        for (Dim dim : shape.dims()) {
            product = Operators.multiply(product, Value.of(dim));
        }
        return product;
    }

    private static Value data(Value.TensorArg argument, Evaluation run) {
        Tensor tensor = argument.data();
        if (tensor == null) {
            return Constants.UNKNOWN;
        }
        int length = run.reserve(tensor.elements());
        List<Value> values = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            values.add(element(tensor, i));
        }
        return Value.list(values);
    }

    static Value dim(Value.TensorArg tensor, Value index) {
        if (index instanceof Value.Unknown) {
            return Constants.UNKNOWN;
        }
        Shape shape = tensor.type().shape();
        return Value.of(shape.dim(checkedIndex(index, shape.rank())));
    }

    static Value element(Value target, Value index) {
        if (target instanceof Value.Unknown || index instanceof Value.Unknown) {
            return Constants.UNKNOWN;
        }
        if (!(target instanceof Value.ListOf list)) {
            throw new Failure("only a list can be indexed, not " + target.described());
        }
        return list.elements().get(checkedIndex(index, list.elements().size()));
    }

    /**
     * {@code element(x, index)}: an element of a tensor. The index may have more numbers than the tensor has axes, of
     * which the last ones count, and an axis of size 1 is read at 0: numpy's broadcasting.
     */
    static Value elementOfTensor(List<Value> arguments) {
        List<Value> index = Arguments.list("element", arguments.get(1));
        if (!(arguments.get(0) instanceof Value.TensorArg argument)) {
            throw Arguments.wrong("element", "a tensor", arguments.get(0));
        }
        Tensor tensor = argument.data();
        if (tensor == null) {
            return Constants.UNKNOWN;
        }
        long[] sizes = argument.type().shape().sizes();
        if (index.size() < sizes.length) {
            throw new Failure("element() of " + argument.type() + " with only " + index.size() + " indices");
        }
        long flat = 0;
        for (int axis = 0; axis < sizes.length; axis++) {
            Value position = index.get(index.size() - sizes.length + axis);
            flat = flat * sizes[axis] + (sizes[axis] == 1 ? 0 : checkedIndex(position, Math.toIntExact(sizes[axis])));
        }
        return element(tensor, flat);
    }

    /** {@code cast(v, type)}: a number or bool as an element of a data type, converted as Cast does. */
    static Value cast(List<Value> arguments) {
        String label = Arguments.text("cast", arguments.get(1));
        DType dtype =
                DType.of(label).orElseThrow(() -> new Failure("cast() to '" + label + "', which is no data type"));
        try (Tensor element = Tensor.allocate(dtype)) {
            if (arguments.get(0) instanceof Value.Int number) {
                element.setLong(0, number.value());
            } else if (arguments.get(0) instanceof Value.Bool flag) {
                element.setLong(0, flag.value() ? 1 : 0);
            } else {
                element.setDouble(0, Arguments.real("cast", arguments.get(0)));
            }
            return element(element, 0);
        }
    }

    private static Value element(Tensor tensor, long index) {
        return switch (tensor.dtype().kind()) {
            case INTEGER ->
                tensor.dtype() == DType.UINT64 && tensor.getLong(index) < 0
                        ? Value.of(tensor.getDouble(index))
                        : Value.of(tensor.getLong(index));
            case FLOATING -> Value.of(tensor.getDouble(index));
            case LOGICAL -> Value.of(tensor.getLong(index) != 0);
        };
    }

    private static int checkedIndex(Value index, int size) {
        if (!(index instanceof Value.Int position)) {
            throw new Failure("an index must be an int, not " + index.described());
        }
        if (position.value() < 0 || position.value() >= size) {
            throw new Failure("index " + position.value() + " is outside a list of " + size + " elements");
        }
        return (int) position.value();
    }
}
