package org.clinfer.importer.tflite;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.StoredBools;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** One tensor of the file: its type, its quantization, and its elements where it is a constant. */
final class TfliteTensor {

    private static final int SHAPE = 0;
    private static final int TYPE = 1;
    private static final int BUFFER = 2;
    private static final int NAME = 3;
    private static final int QUANTIZATION = 4;
    private static final int VARIABLE = 5;
    private static final int SPARSITY = 6;
    private static final int SIGNATURE = 7;
    private static final int EXTERNAL = 10;

    private static final int SCALE = 2;
    private static final int ZERO_POINT = 3;
    private static final int DETAILS = 4;
    private static final int DIMENSION = 6;

    private static final int MAX_RANK = 64;

    private static final List<String> TYPES = List.of(
            "float32",
            "float16",
            "int32",
            "uint8",
            "int64",
            "string",
            "bool",
            "int16",
            "complex64",
            "int8",
            "float64",
            "complex128",
            "uint64",
            "resource",
            "variant",
            "uint32",
            "uint16",
            "int4",
            "bfloat16",
            "int2",
            "uint4",
            "float8e4m3fn",
            "float8e5m2");

    private final FlatTable table;
    private final int index;
    private final TfliteModel model;
    private final String name;
    private final SourceRef source;

    /** @param name the tensor's own name in the graph */
    TfliteTensor(FlatTable table, int index, String name, TfliteModel model) {
        this.table = table;
        this.index = index;
        this.model = model;
        this.name = name;
        this.source = new SourceRef(model.source().file(), "tensor " + index + " '" + Printable.shortened(name) + "'");
    }

    /** The name that the file has for a tensor; empty where it has none. */
    static Optional<String> name(FlatTable table) {
        return table.text(NAME).filter(text -> !text.isEmpty());
    }

    String name() {
        return name;
    }

    SourceRef source() {
        return source;
    }

    boolean isVariable() {
        return table.integer(VARIABLE, 1, 0) != 0;
    }

    /**
     * The data type of its elements as Clinfer computes with them: numbers of less than 8 bits have 8.
     *
     * @throws UnsupportedException if Clinfer does not have it
     */
    DType dtype() {
        DType stored = stored();
        return switch (stored) {
            case INT4, INT2 -> DType.INT8;
            case UINT4 -> DType.UINT8;
            default -> stored;
        };
    }

    /** {@return whether its elements are complex numbers, which are held as real ones with a last axis of two more} */
    boolean isComplex() {
        return label().equals("complex64");
    }

    private String label() {
        int number = table.small(TYPE);
        if (number < 0 || number >= TYPES.size()) {
            throw new GraphException(source, "there is no data type " + number);
        }
        return TYPES.get(number);
    }

    private DType stored() {
        String label = isComplex() ? "float32" : label();
        return DType.of(label)
                .filter(dtype -> dtype.isGeneral() || dtype.bits() < Byte.SIZE || dtype == DType.UINT64)
                .orElseThrow(() -> new UnsupportedException(
                        source, "data type " + label, "it has the data type " + label + ", which is not supported"));
    }

    /**
     * Its type; an axis of size -1 may have any size.
     *
     * @throws UnsupportedException if Clinfer does not have its data type
     */
    TensorType type() {
        int[] sizes = table.integers(table.has(SIGNATURE) ? SIGNATURE : SHAPE);
        TensorType type = new TensorType(dtype(), shape(sizes.length == 0 ? table.integers(SHAPE) : sizes));
        if (!type.fits()) {
            throw new GraphException(source, "its type " + type + " is too large");
        }
        return type;
    }

    /** The sizes that it has until somebody gives it others, which compilers for devices take; empty where its type has all. */
    Optional<Shape> usualShape() {
        TensorType type = type();
        Shape usual = shape(table.integers(SHAPE));
        boolean fits = !type.shape().isKnown()
                && usual.isKnown()
                && usual.rank() == type.shape().rank()
                && new TensorType(type.dtype(), usual).fits();
        for (int axis = 0; fits && axis < usual.rank(); axis++) {
            Dim wanted = type.shape().dim(axis);
            fits = !wanted.isKnown() || wanted.equals(usual.dim(axis));
        }
        return fits ? Optional.of(usual) : Optional.empty();
    }

    private Shape shape(int[] sizes) {
        if (sizes.length > MAX_RANK) {
            throw new GraphException(source, "it has " + sizes.length + " axes");
        }
        List<Dim> dims = new ArrayList<>();
        for (int size : sizes) {
            if (size < -1) {
                throw new GraphException(source, "an axis has the size " + size);
            }
            dims.add(size == -1 ? Dim.unknown() : Dim.of(size));
        }
        if (isComplex()) {
            dims.add(Dim.of(2));
        }
        return new Shape(dims);
    }

    /** Its quantization; empty where its elements are numbers of their own. */
    Optional<TfliteQuantization> quantization() {
        Optional<FlatTable> found = table.table(QUANTIZATION);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        FlatTable given = found.get();
        if (given.integer(DETAILS, 1, 0) != 0) {
            throw new UnsupportedException(
                    source, "quantization of another kind", "it is quantized in another way than by scales of an axis");
        }
        float[] scales = given.reals(SCALE);
        DType dtype = stored();
        if (scales.length == 0 || !dtype.isInteger()) {
            return Optional.empty();
        }
        long[] zeros = given.integers(ZERO_POINT, Long.BYTES);
        int axis = given.integer(DIMENSION, 0);
        return Optional.of(checked(new TfliteQuantization(scales, zeros, scales.length == 1 ? 0 : axis), dtype));
    }

    private TfliteQuantization checked(TfliteQuantization found, DType dtype) {
        float[] scales = found.scales();
        if (scales.length > 1) {
            Shape shape = type().shape();
            int axis = found.axis();
            boolean fits = axis >= 0
                    && axis < shape.rank()
                    && shape.dim(axis) instanceof Dim.Known known
                    && known.size() == scales.length;
            if (!fits) {
                throw new GraphException(
                        source, "it has " + scales.length + " scales along axis " + axis + " of " + shape);
            }
        }
        if (found.zeros().length > 1 && found.zeros().length != scales.length) {
            throw new GraphException(
                    source, "it has " + scales.length + " scales, but " + found.zeros().length + " zero points");
        }
        for (float scale : scales) {
            if (!(scale > 0) || Float.isInfinite(scale)) {
                throw new GraphException(source, "a scale is " + scale);
            }
        }
        for (long zero : found.zeros()) {
            boolean small = dtype.bits() <= Short.SIZE;
            if (small && (zero < TfliteQuantization.lowest(dtype()) || zero > TfliteQuantization.highest(dtype()))) {
                throw new GraphException(source, "a zero point is " + zero + ", but its elements are " + dtype);
            }
        }
        return found;
    }

    /**
     * Its elements, if it is a constant.
     *
     * @throws UnsupportedException if they are in another file
     * @throws GraphException if they are not as many as its type says
     */
    Optional<Tensor> constant() {
        if (table.has(EXTERNAL) && table.integer(EXTERNAL, 0) != 0) {
            throw new UnsupportedException(
                    source, "elements in a file of their own", "its elements are in a file of their own");
        }
        Optional<ByteBuffer> found = model.buffer(table.integer(BUFFER, 0), source);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        TensorType type = new TensorType(stored(), type().shape());
        ByteBuffer bytes = found.get();
        Optional<FlatTable> sparsity = table.table(SPARSITY);
        if (sparsity.isPresent()) {
            return Optional.of(new TfliteSparsity(sparsity.get(), type, bytes, source).dense());
        }
        if (!type.shape().isKnown() || type.bytes() != bytes.remaining()) {
            throw new GraphException(source, "its type is " + type + ", but it has " + bytes.remaining() + " bytes");
        }
        if (type.dtype() == DType.BOOL) {
            StoredBools.require(bytes, source);
        }
        Tensor tensor = Tensor.wrap(type, bytes);
        return Optional.of(type.dtype() == dtype() ? tensor : widened(tensor));
    }

    private Tensor widened(Tensor tensor) {
        Tensor wide = Tensor.allocate(new TensorType(dtype(), tensor.shape()));
        for (long i = 0; i < wide.elements(); i++) {
            wide.setLong(i, tensor.getLong(i));
        }
        return wide;
    }

    int index() {
        return index;
    }
}
