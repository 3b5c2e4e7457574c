package org.clinfer.importer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * The known elements of a scalar or vector of integers or bools, as sizes and axes are computed with.
 *
 * @param values the elements; an empty one is not known
 * @param scalar whether it is a scalar, which has one element
 */
public record Integers(List<Optional<Long>> values, boolean scalar) {

    /** Elements at most; sizes and axes are few. */
    public static final int MOST = 4096;

    public Integers {
        values = List.copyOf(values);
    }

    /** A scalar. */
    public static Integers scalar(Optional<Long> value) {
        return new Integers(List.of(value), true);
    }

    /** A vector. */
    public static Integers vector(List<Optional<Long>> values) {
        return new Integers(values, false);
    }

    /** The elements of a scalar or vector, or of a tensor of one element, if it is small and of integers or bools. */
    public static Optional<Integers> of(Tensor tensor) {
        boolean whole = tensor.dtype().isGeneral() && (tensor.dtype().isInteger() || tensor.dtype() == DType.BOOL);
        boolean inRow = tensor.shape().rank() <= 1 || tensor.elements() == 1;
        if (!whole || !inRow || tensor.elements() > MOST) {
            return Optional.empty();
        }
        List<Optional<Long>> values = new ArrayList<>();
        for (long value : tensor.toLongArray()) {
            values.add(Optional.of(value));
        }
        return Optional.of(new Integers(values, tensor.shape().rank() == 0));
    }

    /** {@return whether each of them is known} */
    public boolean isKnown() {
        return values.stream().allMatch(Optional::isPresent);
    }

    /** All elements, if they are known. */
    public Optional<long[]> all() {
        return isKnown()
                ? Optional.of(values.stream().mapToLong(Optional::orElseThrow).toArray())
                : Optional.empty();
    }

    /** The elements as the expressions of descriptions have them. */
    public List<ExpressionValue> sizes() {
        return values.stream()
                .map(value -> value.map(ExpressionValue::of).orElse(ExpressionValue.unknown()))
                .toList();
    }

    /** The number of elements. */
    public int size() {
        return values.size();
    }

    /** An element; of a scalar always the one. */
    public Optional<Long> at(int index) {
        return values.get(scalar ? 0 : index);
    }

    /** That of a scalar or a vector. */
    public Shape shape() {
        return scalar ? Shape.SCALAR : Shape.of(values.size());
    }

    /** The elements as a tensor; all are known. */
    public Tensor tensor(DType dtype) {
        Tensor tensor = Tensor.allocate(new TensorType(dtype, shape()));
        for (int i = 0; i < values.size(); i++) {
            tensor.setLong(i, values.get(i).orElseThrow());
        }
        return tensor;
    }
}
