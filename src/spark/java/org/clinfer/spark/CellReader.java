package org.clinfer.spark;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.ml.image.ImageSchema;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.clinfer.errors.BadInputException;
import org.clinfer.image.Picture;
import org.clinfer.image.Preprocessing;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;
import scala.Function2;

/** Reads what a column has for an input of the model. */
final class CellReader {

    private static final int GRAY = 0;
    private static final int BGR = 16;
    private static final int BGRA = 24;

    private final String column;
    private final DataType columnType;
    private final Function2<SpecializedGetters, Object, Object> value;
    private final int place;
    /** The type of the elements of the innermost arrays. */
    private final DataType innermost;

    private final Optional<SparkType> primitive;
    private final boolean mayHaveNulls;
    private final ColumnKind kind;
    private final TensorType type;
    private final Preprocessing preprocessing;

    /** @param input its type, with the batch as its first dimension */
    CellReader(TaskPlan.Feed feed, TensorType input, Preprocessing preprocessing) {
        this.column = feed.name();
        this.columnType = feed.type();
        this.place = feed.column();
        this.value = InternalRow.getAccessor(columnType, true);
        DataType type = columnType;
        boolean nulls = true;
        while (type instanceof ArrayType array) {
            type = array.elementType();
            nulls = array.containsNull();
        }
        this.innermost = type;
        this.primitive = SparkType.of(type);
        this.mayHaveNulls = nulls;
        this.kind = feed.kind();
        this.preprocessing = preprocessing;
        List<Dim> dims = new ArrayList<>(input.shape().dims());
        if (!dims.isEmpty()) {
            dims.set(0, Dim.of(1));
        }
        this.type = new TensorType(input.dtype(), new Shape(dims));
    }

    /**
     * {@return the elements of a row}
     *
     * @param row in Spark's own format
     * @throws RowException if the column is null or is not what the input takes
     */
    Cell read(InternalRow row) {
        return cell(value.apply(row, place));
    }

    private Cell cell(@Nullable Object value) {
        if (value == null) {
            throw new RowException("column '" + column + "' is null");
        }
        try {
            if (value instanceof ArrayData array) {
                return array(array);
            }
            if (value instanceof byte[] bytes) {
                return kind == ColumnKind.RAW ? raw(bytes) : picture(Picture.of(bytes));
            }
            if (value instanceof InternalRow row) {
                return kind == ColumnKind.NUMBERS ? vector(row) : picture(image(row));
            }
            return new Cell(new Object[] {number(value)}, new long[0]);
        } catch (BadInputException | IllegalArgumentException | ArithmeticException e) {
            throw new RowException("column '" + column + "': " + e.getMessage(), e);
        }
    }

    private static Cell vector(InternalRow row) {
        double[] elements = SparkType.vector().deserialize(row).toArray();
        return new Cell(elements, new long[] {elements.length});
    }

    /** Arrays in arrays, which must have the same sizes wherever they are. */
    private Cell array(ArrayData outer) {
        long[] dims = sizes(outer);
        if (dims.length == 1) {
            return new Cell(elements(outer, 0), dims);
        }
        Class<?> component = primitive.<Class<?>>map(SparkType::component).orElse(Object.class);
        Object all = Array.newInstance(component, Math.toIntExact(new Cell(outer, dims).count()));
        collect(outer, columnType, dims, 0, all, 0);
        return new Cell(all, dims);
    }

    /** The sizes of the first array at each depth. */
    private long[] sizes(ArrayData outer) {
        List<Long> sizes = new ArrayList<>();
        DataType element = columnType;
        Object first = outer;
        while (first instanceof ArrayData array) {
            sizes.add((long) array.numElements());
            element = elementType(element);
            if (element instanceof ArrayType && array.numElements() > 0 && array.isNullAt(0)) {
                throw nullElement(0);
            }
            boolean leaf = primitive.isPresent() && !(element instanceof ArrayType);
            first = leaf || array.numElements() == 0 || array.isNullAt(0) ? 0 : element(array, 0, element);
        }
        return sizes.stream().mapToLong(Long::longValue).toArray();
    }

    /** Copies what is in an array at this depth, and gives the place after it. */
    private int collect(ArrayData array, DataType arrayType, long[] sizes, int depth, Object all, int at) {
        if (array.numElements() != sizes[depth]) {
            throw new RowException("column '" + column + "' has arrays of " + sizes[depth] + " and of "
                    + array.numElements() + " elements beside one another");
        }
        DataType element = elementType(arrayType);
        if (depth == sizes.length - 1) {
            System.arraycopy(elements(array, at), 0, all, at, array.numElements());
            return at + array.numElements();
        }
        int next = at;
        for (int i = 0; i < array.numElements(); i++) {
            if (array.isNullAt(i)) {
                throw nullElement(next);
            }
            next = collect((ArrayData) element(array, i, element), element, sizes, depth + 1, all, next);
        }
        return next;
    }

    /** The elements of an array without arrays in it, as an array of Java's primitives where the type is known. */
    private Object elements(ArrayData array, int before) {
        for (int i = 0; mayHaveNulls && i < array.numElements(); i++) {
            if (array.isNullAt(i)) {
                throw nullElement(before + i);
            }
        }
        if (primitive.isPresent()) {
            return primitive.get().elements(array);
        }
        Object[] numbers = new Object[array.numElements()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = number(element(array, i, innermost));
        }
        return numbers;
    }

    /** The type of an array's elements; that of a function's argument is not known, and neither is that of its elements. */
    private static DataType elementType(DataType type) {
        return type instanceof ArrayType array ? array.elementType() : type;
    }

    /** The element of an array; the types of a function's arguments are not known. */
    private static Object element(ArrayData array, int i, DataType type) {
        return type instanceof ArrayType ? array.getArray(i) : array.get(i, type);
    }

    private static Object number(Object value) {
        return value instanceof Decimal decimal ? decimal.toJavaBigDecimal() : value;
    }

    private RowException nullElement(int before) {
        return new RowException("column '" + column + "' has a null among its elements, after " + before);
    }

    private Cell picture(Picture picture) {
        Tensor tensor = preprocessing.tensor(picture, type);
        long[] whole = tensor.shape().sizes();
        return new Cell(tensor, Arrays.copyOfRange(whole, 1, whole.length));
    }

    /** A picture of Spark's image schema: bytes row by row in the order of OpenCV. */
    private Picture image(InternalRow image) {
        StructType fields = columnType instanceof StructType struct ? struct : ImageSchema.columnSchema();
        int height = image.getInt(field(image, fields, "height"));
        int width = image.getInt(field(image, fields, "width"));
        int mode = image.getInt(field(image, fields, "mode"));
        byte[] bytes = image.getBinary(field(image, fields, "data"));
        int stored = switch (mode) {
            case GRAY -> 1;
            case BGR -> 3;
            case BGRA -> 4;
            default ->
                throw new RowException("column '" + column + "' has an image of mode " + mode
                        + "; those of bytes are read: 0 (CV_8UC1), 16 (CV_8UC3), 24 (CV_8UC4)");
        };
        if (height < 1 || width < 1 || (long) height * width * stored != bytes.length) {
            throw new RowException("column '" + column + "' has an image of " + width + " by " + height + " pixels and "
                    + stored + " channels, but of " + bytes.length + " bytes");
        }
        int channels = stored == 1 ? 1 : 3;
        float[] values = new float[Math.multiplyExact(Math.multiplyExact(height, width), channels)];
        for (int pixel = 0; pixel < height * width; pixel++) {
            for (int channel = 0; channel < channels; channel++) {
                values[pixel * channels + channel] = bytes[pixel * stored + channels - 1 - channel] & 0xff;
            }
        }
        return new Picture(width, height, channels, values);
    }

    private int field(InternalRow image, StructType fields, String name) {
        int index = fields.fieldIndex(name);
        if (image.isNullAt(index)) {
            throw new RowException("column '" + column + "' has an image without " + name);
        }
        return index;
    }

    /** Bytes of elements, little-endian. */
    private Cell raw(byte[] bytes) {
        int bits = type.dtype().bits();
        if (bytes.length * 8L % bits != 0) {
            throw new RowException("column '" + column + "' has " + bytes.length
                    + " bytes, which are no whole number of " + type.dtype() + " elements");
        }
        long count = bytes.length * 8L / bits;
        Tensor tensor = Tensor.wrap(TensorType.of(type.dtype(), count), aligned(bytes));
        return new Cell(tensor, new long[] {count});
    }

    private static ByteBuffer aligned(byte[] bytes) {
        ByteBuffer memory = Tensor.alignedMemory(bytes.length);
        memory.put(0, bytes);
        return memory;
    }
}
