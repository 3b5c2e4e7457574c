package org.clinfer.spark;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.clinfer.errors.BadInputException;
import org.clinfer.image.Picture;
import org.clinfer.image.Preprocessing;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.collection.mutable.ArraySeq;

/** Reads what a column has for an input of the model. */
final class CellReader {

    private static final int GRAY = 0;
    private static final int BGR = 16;
    private static final int BGRA = 24;

    private final String column;
    private final ColumnKind kind;
    private final TensorType type;
    private final Preprocessing preprocessing;

    /** @param type of the input, with the batch as its first dimension */
    CellReader(String column, ColumnKind kind, TensorType type, Preprocessing preprocessing) {
        this.column = column;
        this.kind = kind;
        this.preprocessing = preprocessing;
        List<Dim> dims = new ArrayList<>(type.shape().dims());
        if (!dims.isEmpty()) {
            dims.set(0, Dim.of(1));
        }
        this.type = new TensorType(type.dtype(), new Shape(dims));
    }

    /**
     * {@return the elements of a row}
     *
     * @throws RowException if the value is null or is not what the input takes
     */
    Cell read(@Nullable Object value) {
        if (value == null) {
            throw new RowException("column '" + column + "' is null");
        }
        try {
            if (kind == ColumnKind.NUMBERS) {
                return numbers(value);
            }
            if (value instanceof byte[] bytes) {
                return kind == ColumnKind.RAW ? raw(bytes) : picture(Picture.of(bytes));
            }
            return value instanceof Row image ? picture(image(image)) : numbers(value);
        } catch (BadInputException | IllegalArgumentException | ArithmeticException e) {
            throw new RowException("column '" + column + "': " + e.getMessage(), e);
        }
    }

    private Cell numbers(Object value) {
        if (value instanceof Vector vector) {
            return flat(vector.toArray());
        }
        if (value.getClass().isArray()) {
            return flat(value);
        }
        if (value instanceof scala.collection.Seq<?> sequence) {
            return nested(sequence);
        }
        return new Cell(new Object[] {value}, new long[0]);
    }

    private static Cell flat(Object array) {
        return new Cell(array, new long[] {Array.getLength(array)});
    }

    /** Arrays in arrays, which must have the same sizes wherever they are. */
    private Cell nested(scala.collection.Seq<?> outer) {
        if (outer instanceof ArraySeq<?> sequence
                && sequence.array() instanceof Object[] elements
                && elements.length > 0
                && elements[0] instanceof Float) {
            return flat(floats(elements));
        }
        List<Long> sizes = new ArrayList<>();
        Object first = outer;
        while (first instanceof scala.collection.Seq<?> sequence) {
            sizes.add((long) sequence.length());
            first = sequence.isEmpty() ? 0 : sequence.head();
        }
        long[] dims = sizes.stream().mapToLong(Long::longValue).toArray();
        long count = new Cell(outer, dims).count();
        List<Object> elements = new ArrayList<>(Math.toIntExact(count));
        collect(outer, dims, 0, elements);
        return new Cell(elements.toArray(), dims);
    }

    private float[] floats(@Nullable Object[] boxed) {
        float[] floats = new float[boxed.length];
        for (int i = 0; i < floats.length; i++) {
            Object element = boxed[i];
            if (element == null) {
                throw nullElement(i);
            }
            floats[i] = (Float) element;
        }
        return floats;
    }

    private RowException nullElement(int before) {
        return new RowException("column '" + column + "' has a null among its elements, after " + before);
    }

    private void collect(@Nullable Object value, long[] sizes, int depth, List<Object> elements) {
        if (value == null) {
            throw nullElement(elements.size());
        }
        if (depth == sizes.length) {
            elements.add(value);
            return;
        }
        scala.collection.Seq<?> sequence = (scala.collection.Seq<?>) value;
        if (sequence.length() != sizes[depth]) {
            throw new RowException("column '" + column + "' has arrays of " + sizes[depth] + " and of "
                    + sequence.length() + " elements beside one another");
        }
        for (Iterator<?> all = sequence.iterator(); all.hasNext(); ) {
            collect(all.next(), sizes, depth + 1, elements);
        }
    }

    private Cell picture(Picture picture) {
        Tensor tensor = preprocessing.tensor(picture, type);
        long[] whole = tensor.shape().sizes();
        return Cell.of(tensor, java.util.Arrays.copyOfRange(whole, 1, whole.length));
    }

    /** A picture of Spark's image schema: bytes row by row in the order of OpenCV. */
    private Picture image(Row image) {
        int height = image.getInt(image.fieldIndex("height"));
        int width = image.getInt(image.fieldIndex("width"));
        int mode = image.getInt(image.fieldIndex("mode"));
        byte[] bytes = image.getAs("data");
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

    /** Bytes of elements, little-endian. */
    private Cell raw(byte[] bytes) {
        int bits = type.dtype().bits();
        if (bytes.length * 8L % bits != 0) {
            throw new RowException("column '" + column + "' has " + bytes.length
                    + " bytes, which are no whole number of " + type.dtype() + " elements");
        }
        long count = bytes.length * 8L / bits;
        Tensor tensor = Tensor.wrap(TensorType.of(type.dtype(), count), aligned(bytes));
        return Cell.of(tensor, new long[] {count});
    }

    private static ByteBuffer aligned(byte[] bytes) {
        ByteBuffer memory = Tensor.alignedMemory(bytes.length);
        memory.put(0, bytes);
        return memory;
    }
}
