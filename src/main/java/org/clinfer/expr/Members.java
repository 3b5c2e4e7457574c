package org.clinfer.expr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.text.Spelling;

/** Field access and indexing. */
final class Members {

    /** The fields of tensors with the types of their values. */
    static final Map<String, ValueType> TENSOR_FIELDS = tensorFields();

    private Members() {}

    private static Map<String, ValueType> tensorFields() {
        Map<String, ValueType> fields = new LinkedHashMap<>();
        fields.put("dims", ValueType.listOf(ValueType.INT));
        fields.put("ndim", ValueType.INT);
        fields.put("len", ValueType.INT);
        fields.put("dtype", ValueType.STRING);
        fields.put("data", ValueType.listOf(ValueType.NUMBER.or(ValueType.BOOL)));
        fields.put("given", ValueType.BOOL);
        return Collections.unmodifiableMap(fields);
    }

    /** The fields that tensors have, for messages about another one. */
    static String onlyFields(String name) {
        return ", only " + String.join(", ", TENSOR_FIELDS.keySet()) + Spelling.question(name, TENSOR_FIELDS.keySet());
    }

    static ExpressionValue of(ExpressionValue target, String name, Evaluation run) {
        if (target instanceof ExpressionValue.TensorArg tensor) {
            return ofTensor(tensor, name, run);
        }
        if (target instanceof ExpressionValue.ListOf list && name.equals("len")) {
            return ExpressionValue.of(list.elements().size());
        }
        if (target instanceof ExpressionValue.Fields fields) {
            ExpressionValue field = fields.fields().get(name);
            return field != null ? field : ExpressionValue.unknown(fields.name() + "." + name);
        }
        if (target instanceof ExpressionValue.Unknown) {
            return Constants.UNKNOWN;
        }
        throw new Failure("a " + Operators.kind(target) + " has no field '" + name + "'");
    }

    private static ExpressionValue ofTensor(ExpressionValue.TensorArg tensor, String name, Evaluation run) {
        return switch (name) {
            case "dims" -> ExpressionValue.dims(tensor.type().shape());
            case "ndim" -> ExpressionValue.of(tensor.type().shape().rank());
            case "dtype" -> ExpressionValue.of(tensor.type().dtype().label());
            case "len" -> length(tensor.type().shape());
            case "data" -> data(tensor, run);
            case "given" -> ExpressionValue.of(tensor.given() != null);
            default -> throw new Failure("a tensor has no field '" + name + "'" + onlyFields(name));
        };
    }

    private static ExpressionValue length(Shape shape) {
        ExpressionValue product = ExpressionValue.of(1);
        for (Dim dim : shape.dims()) {
            product = Operators.multiply(product, ExpressionValue.of(dim));
        }
        return product;
    }

    private static ExpressionValue data(ExpressionValue.TensorArg argument, Evaluation run) {
        Tensor tensor = argument.data();
        if (tensor == null) {
            return Constants.UNKNOWN;
        }
        int length = run.reserve(tensor.elements());
        List<ExpressionValue> values = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            values.add(element(tensor, i));
        }
        return ExpressionValue.list(values);
    }

    static ExpressionValue dim(ExpressionValue.TensorArg tensor, ExpressionValue index) {
        if (index instanceof ExpressionValue.Unknown) {
            return Constants.UNKNOWN;
        }
        Shape shape = tensor.type().shape();
        return ExpressionValue.of(shape.dim(checkedIndex(index, shape.rank())));
    }

    static ExpressionValue element(ExpressionValue target, ExpressionValue index) {
        if (target instanceof ExpressionValue.Unknown || index instanceof ExpressionValue.Unknown) {
            return Constants.UNKNOWN;
        }
        if (!(target instanceof ExpressionValue.ListOf list)) {
            throw new Failure("only a list can be indexed, not " + target.described());
        }
        return list.elements().get(checkedIndex(index, list.elements().size()));
    }

    /**
     * {@code element(x, index)}: an element of a tensor. The index may have more numbers than the tensor has axes, of
     * which the last ones count, and an axis of size 1 is read at 0: numpy's broadcasting.
     */
    static ExpressionValue elementOfTensor(List<ExpressionValue> arguments) {
        List<ExpressionValue> index = Arguments.list("element", arguments.get(1));
        if (!(arguments.get(0) instanceof ExpressionValue.TensorArg argument)) {
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
            ExpressionValue position = index.get(index.size() - sizes.length + axis);
            flat = flat * sizes[axis] + (sizes[axis] == 1 ? 0 : checkedIndex(position, Math.toIntExact(sizes[axis])));
        }
        return element(tensor, flat);
    }

    /** {@code cast(v, type)}: a number or bool as an element of a data type, converted as Cast does. */
    static ExpressionValue cast(List<ExpressionValue> arguments) {
        String label = Arguments.text("cast", arguments.get(1));
        DType dtype =
                DType.of(label).orElseThrow(() -> new Failure("cast() to '" + label + "', which is no data type"));
        try (Tensor element = Tensor.allocate(dtype)) {
            if (arguments.get(0) instanceof ExpressionValue.Int number) {
                element.setLong(0, number.value());
            } else if (arguments.get(0) instanceof ExpressionValue.Bool flag) {
                element.setLong(0, flag.value() ? 1 : 0);
            } else {
                element.setDouble(0, Arguments.real("cast", arguments.get(0)));
            }
            return element(element, 0);
        }
    }

    private static ExpressionValue element(Tensor tensor, long index) {
        return switch (tensor.dtype().kind()) {
            case INTEGER ->
                tensor.dtype() == DType.UINT64 && tensor.getLong(index) < 0
                        ? ExpressionValue.of(tensor.getDouble(index))
                        : ExpressionValue.of(tensor.getLong(index));
            case FLOATING -> ExpressionValue.of(tensor.getDouble(index));
            case LOGICAL -> ExpressionValue.of(tensor.getLong(index) != 0);
        };
    }

    private static int checkedIndex(ExpressionValue index, int size) {
        if (!(index instanceof ExpressionValue.Int position)) {
            throw new Failure("an index must be an int, not " + index.described());
        }
        if (position.value() < 0 || position.value() >= size) {
            throw new Failure("index " + position.value() + " is outside a list of " + size + " elements");
        }
        return (int) position.value();
    }
}
