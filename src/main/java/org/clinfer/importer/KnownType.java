package org.clinfer.importer;

import java.util.Collections;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/** The type of a value as far as the file states it or its operators imply it; either half may be missing. */
public record KnownType(Optional<DType> dtype, Optional<Shape> shape) {

    public static final KnownType NOTHING = new KnownType(Optional.empty(), Optional.empty());

    public static KnownType of(TensorType type) {
        return new KnownType(Optional.of(type.dtype()), Optional.of(type.shape()));
    }

    /** A shape of this many axes, none of them known. */
    public static Shape anyShape(int rank) {
        return new Shape(Collections.nCopies(rank, Dim.unknown()));
    }

    public OptionalInt rank() {
        return shape.map(known -> OptionalInt.of(known.rank())).orElse(OptionalInt.empty());
    }

    /** The size along an axis, if it is known. */
    public Optional<Long> size(int axis) {
        return shape.filter(known -> axis < known.rank())
                .map(known -> known.dim(axis))
                .flatMap(dim -> dim instanceof Dim.Known known ? Optional.of(known.size()) : Optional.empty());
    }

    public KnownType withShape(Optional<Shape> other) {
        return new KnownType(dtype, other);
    }

    public KnownType withDtype(DType other) {
        return new KnownType(Optional.of(other), shape);
    }

    public KnownType rankOnly() {
        return withShape(shape.map(known -> anyShape(known.rank())));
    }

    /** The type of several such values along an axis of their own, the first. */
    public KnownType listed() {
        return withShape(shape.map(each -> new Shape(
                Stream.concat(Stream.of(Dim.unknown()), each.dims().stream()).toList())));
    }

    /** The type, if both halves are known. */
    public Optional<TensorType> whole() {
        return dtype.flatMap(known -> shape.map(sizes -> new TensorType(known, sizes)));
    }

    /** The type that holds of both. */
    public KnownType and(KnownType other) {
        return new KnownType(
                dtype.filter(known -> other.dtype.filter(known::equals).isPresent()),
                shape.flatMap(known -> other.shape
                        .filter(found -> found.rank() == known.rank())
                        .map(found -> common(known, found))));
    }

    private static Shape common(Shape one, Shape other) {
        return new Shape(IntStream.range(0, one.rank())
                .mapToObj(axis -> one.dim(axis).equals(other.dim(axis)) ? one.dim(axis) : Dim.unknown())
                .toList());
    }

    /** This, with what it lacks taken from the other. */
    public KnownType or(KnownType other) {
        return new KnownType(dtype.or(other::dtype), shape.or(other::shape));
    }
}
