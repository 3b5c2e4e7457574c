package org.clinfer.tensor;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A typed array of known shape in direct, little-endian memory, elements in row-major order without gaps.
 *
 * <p>A tensor is not synchronised: share it for reading only. After {@link #close()} every access throws
 * {@link IllegalStateException}; the memory itself is returned once no view of it is held, so a stale view can never
 * touch memory that is not its own.
 */
public final class Tensor implements AutoCloseable {

    /** Memory of tensors begins at a multiple of this many bytes, unless the caller brought it. */
    public static final int ALIGNMENT = 64;

    /** Storage of one tensor at most, in bytes: what one Java buffer can address. */
    public static final long MAX_BYTES = Integer.MAX_VALUE - 2 * ALIGNMENT;

    private final TensorType type;
    private final long elements;
    private final @Nullable Loan loan;

    /** The first tensor over the memory; null: this one. */
    private final @Nullable Tensor first;

    private volatile @Nullable ByteBuffer data;
    private volatile @Nullable Deferred deferred;

    private Tensor(TensorType type, @Nullable ByteBuffer data, @Nullable Loan loan, @Nullable Deferred deferred) {
        this(type, data, loan, deferred, null);
    }

    private Tensor(
            TensorType type,
            @Nullable ByteBuffer data,
            @Nullable Loan loan,
            @Nullable Deferred deferred,
            @Nullable Tensor first) {
        this.type = type;
        this.elements = type.shape().elements();
        this.loan = loan;
        this.data = data;
        this.deferred = deferred;
        this.first = first;
    }

    /**
     * {@return a tensor of zeros}
     *
     * @param type of known sizes
     * @throws IllegalArgumentException if the type needs more than {@link #MAX_BYTES}
     */
    public static Tensor allocate(TensorType type) {
        int bytes = checkedBytes(type);
        return new Tensor(type, alignedMemory(bytes), null, null);
    }

    /**
     * {@return a tensor whose elements are computed when something first looks at them, and have no memory before}
     * Whoever needs them once takes them by {@link #writeTo}, after which they still have none.
     *
     * @param type of known sizes
     * @param fill writes all elements; called again for each {@link #writeTo}, with the same result, from any thread
     * @throws IllegalArgumentException if the type needs more than {@link #MAX_BYTES}
     */
    public static Tensor deferred(TensorType type, Consumer<ByteBuffer> fill) {
        return new Tensor(type, null, null, new Deferred(checkedBytes(type), fill));
    }

    /**
     * {@return direct memory of zeros that begins at a multiple of {@link #ALIGNMENT}}
     *
     * @param bytes its size
     */
    public static ByteBuffer alignedMemory(int bytes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(Math.addExact(bytes, 2 * ALIGNMENT));
        return memory.alignedSlice(ALIGNMENT).slice(0, bytes);
    }

    /**
     * {@return a tensor of zeros}
     *
     * @param dtype the type of its elements
     * @param sizes its shape; none for a scalar
     */
    public static Tensor allocate(DType dtype, long... sizes) {
        return allocate(TensorType.of(dtype, sizes));
    }

    /**
     * {@return a tensor over existing direct memory, without a copy; the caller keeps the memory unchanged while it
     * is used}
     *
     * @param type of known sizes
     * @param memory direct; its remaining bytes are the elements, little-endian, whatever order the buffer has
     * @throws IllegalArgumentException if the buffer is not direct or its remaining bytes are not those of the type
     */
    public static Tensor wrap(TensorType type, ByteBuffer memory) {
        return wrap(type, memory, (Loan) null);
    }

    /**
     * {@return a tensor over memory that is lent to it: when the tensor is closed and nobody ever got a view of it,
     * the memory may be used for something else}
     *
     * @param type of known sizes
     * @param memory direct; its remaining bytes are the elements, little-endian, whatever order the buffer has
     * @param giveBack called in this case, at most once, in the thread that closes the tensor
     * @throws IllegalArgumentException if the buffer is not direct or its remaining bytes are not those of the type
     */
    public static Tensor lend(TensorType type, ByteBuffer memory, Runnable giveBack) {
        return wrap(type, memory, new Loan(giveBack));
    }

    private static Tensor wrap(TensorType type, ByteBuffer memory, @Nullable Loan loan) {
        return wrap(type, memory, loan, null);
    }

    private static Tensor wrap(TensorType type, ByteBuffer memory, @Nullable Loan loan, @Nullable Tensor first) {
        int bytes = checkedBytes(type);
        if (!memory.isDirect()) {
            throw new IllegalArgumentException("a tensor needs a direct buffer");
        }
        if (memory.remaining() != bytes) {
            throw new IllegalArgumentException(
                    type + " needs " + bytes + " bytes, but the buffer has " + memory.remaining());
        }
        return new Tensor(type, memory.slice(), loan, null, first);
    }

    /**
     * {@return a tensor whose bytes are those of others, one after the other}
     *
     * @param type of known sizes
     * @param parts open, of the same data type and of as many bytes together
     * @throws IllegalArgumentException for parts of another data type or of more or fewer bytes
     */
    public static Tensor joined(TensorType type, List<Tensor> parts) {
        long bytes = parts.stream().mapToLong(part -> part.type().bytes()).sum();
        if (bytes != type.bytes() || parts.stream().anyMatch(part -> part.dtype() != type.dtype())) {
            throw new IllegalArgumentException(
                    type + " is not made of " + parts.stream().map(Tensor::type).toList());
        }
        Tensor whole = allocate(type);
        ByteBuffer memory = whole.bytes();
        int start = 0;
        for (Tensor part : parts) {
            int size = Math.toIntExact(part.type().bytes());
            part.writeTo(memory.slice(start, size));
            start += size;
        }
        return whole;
    }

    /**
     * {@return a float32 tensor with these elements}
     *
     * @param values the elements, row-major
     * @param sizes the shape; none for a scalar
     */
    public static Tensor of(float[] values, long... sizes) {
        Tensor tensor = allocate(DType.FLOAT32, sizes);
        tensor.requireElements(values.length);
        tensor.floats().put(values);
        return tensor;
    }

    /**
     * {@return an int64 tensor with these elements}
     *
     * @param values the elements, row-major
     * @param sizes the shape; none for a scalar
     */
    public static Tensor of(long[] values, long... sizes) {
        Tensor tensor = allocate(DType.INT64, sizes);
        tensor.requireElements(values.length);
        tensor.longs().put(values);
        return tensor;
    }

    /**
     * {@return a float64 tensor with these elements}
     *
     * @param values the elements, row-major
     * @param sizes the shape; none for a scalar
     */
    public static Tensor of(double[] values, long... sizes) {
        return JavaArrays.tensor(values, DType.FLOAT64, Shape.of(sizes));
    }

    /**
     * {@return an int32 tensor with these elements}
     *
     * @param values the elements, row-major
     * @param sizes the shape; none for a scalar
     */
    public static Tensor of(int[] values, long... sizes) {
        return JavaArrays.tensor(values, DType.INT32, Shape.of(sizes));
    }

    /**
     * {@return an int16 tensor with these elements}
     *
     * @param values the elements, row-major
     * @param sizes the shape; none for a scalar
     */
    public static Tensor of(short[] values, long... sizes) {
        return JavaArrays.tensor(values, DType.INT16, Shape.of(sizes));
    }

    /**
     * {@return an int8 tensor with these elements}
     *
     * @param values the elements, row-major
     * @param sizes the shape; none for a scalar
     */
    public static Tensor of(byte[] values, long... sizes) {
        return JavaArrays.tensor(values, DType.INT8, Shape.of(sizes));
    }

    /**
     * {@return a bool tensor with these elements}
     *
     * @param values the elements, row-major
     * @param sizes the shape; none for a scalar
     */
    public static Tensor of(boolean[] values, long... sizes) {
        return JavaArrays.tensor(values, DType.BOOL, Shape.of(sizes));
    }

    /**
     * {@return a tensor of any type with the elements of a Java array} Where the array has the width of the type, it
     * has the bits of the elements, as a {@code byte[]} for uint8, a {@code short[]} for uint16 or a {@code long[]}
     * for uint64. Everything else is converted: {@code float[]} and {@code double[]} as {@link #setDouble} does
     * (float16 and bfloat16 round half to even), integers as {@link #setLong} does.
     *
     * @param dtype the type of the elements
     * @param values a {@code byte[]}, {@code short[]}, {@code int[]}, {@code long[]}, {@code float[]}, {@code double[]} or
     *     {@code boolean[]}, row by row; or nested arrays of one of these with the sizes of the shape
     * @param sizes the shape; none for a scalar
     * @throws IllegalArgumentException if it is none of these, or has not the elements of the shape
     */
    public static Tensor of(DType dtype, Object values, long... sizes) {
        return JavaArrays.tensor(values, dtype, Shape.of(sizes));
    }

    /**
     * {@return a tensor with the elements and the shape of nested arrays, such as {@code float[1][3][224][224]}; its
     * type is that of the innermost array}
     *
     * @param nested arrays of arrays of {@code byte}, {@code short}, {@code int}, {@code long}, {@code float}, {@code double}
     *     or {@code boolean}; one such array is a vector
     * @throws IllegalArgumentException if it is none of these, an array is missing, or one is not as long as those beside it;
     *     the message has the place
     */
    public static Tensor ofArray(Object nested) {
        return JavaArrays.tensor(nested);
    }

    /**
     * {@return a tensor with the remaining elements of a buffer, whose position does not move} They are taken bit for
     * bit, in the byte order of the buffer: the elements are what its own {@code get} methods give. A direct {@link
     * ByteBuffer} in little-endian order (or of elements of one byte) is used without a copy: the memory stays the
     * caller's, who keeps it unchanged while the tensor is used. All others are copied. {@link #wrap} takes bytes as
     * they lie.
     *
     * @param type of known sizes
     * @param values bytes, or elements as wide as those of the type: a {@code FloatBuffer} for float32, a {@code ShortBuffer}
     *     for int16, uint16, float16 or bfloat16
     * @throws IllegalArgumentException if the elements are not as wide as those of the type, or not as many
     */
    public static Tensor of(TensorType type, Buffer values) {
        return JavaArrays.tensor(type, values);
    }

    /**
     * {@return an int64 scalar}
     *
     * @param value the element
     */
    public static Tensor scalar(long value) {
        return of(new long[] {value});
    }

    /**
     * {@return a float32 scalar}
     *
     * @param value the element
     */
    public static Tensor scalar(float value) {
        return of(new float[] {value});
    }

    /**
     * {@return a scalar of any type, stored as {@link #setDouble} does}
     *
     * @param dtype the type of the element
     * @param value the element
     */
    public static Tensor scalar(DType dtype, double value) {
        Tensor tensor = allocate(dtype);
        tensor.setDouble(0, value);
        return tensor;
    }

    private static int checkedBytes(TensorType type) {
        long bytes;
        try {
            bytes = type.bytes();
        } catch (ArithmeticException overflow) {
            throw new IllegalArgumentException(type + " is too large: " + overflow.getMessage(), overflow);
        }
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    type + " needs " + bytes + " bytes, more than the " + MAX_BYTES + " of one tensor");
        }
        return (int) bytes;
    }

    private void requireElements(int given) {
        if (given != elements() && type.shape().rank() == 0) {
            throw new IllegalArgumentException(
                    given + " values without sizes are no scalar; give the sizes of the tensor,"
                            + " as in Tensor.of(values, " + given + ")");
        }
        if (given != elements()) {
            throw new IllegalArgumentException(type + " has " + elements() + " elements, but " + given + " were given");
        }
    }

    /** {@return the type of the elements, and the shape} */
    public TensorType type() {
        return type;
    }

    /** {@return the type of the elements} */
    public DType dtype() {
        return type.dtype();
    }

    /** {@return the shape, of known sizes} */
    public Shape shape() {
        return type.shape();
    }

    /**
     * {@return the number of elements; it fits an int because the storage does, except for types of which several
     * share a byte}
     */
    public long elements() {
        return elements;
    }

    /** {@return the whole storage as a view of its own position, little-endian} */
    public ByteBuffer bytes() {
        ByteBuffer memory = memory();
        if (loan != null && !loan.keep()) {
            throw closed();
        }
        return memory;
    }

    /** The storage for an access that ends with {@link #requireOpen}: no view is left of it then. */
    private ByteBuffer memory() {
        ByteBuffer memory = data;
        if (memory == null) {
            memory = computed();
        }
        return memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    private ByteBuffer computed() {
        Deferred later = deferred;
        if (later == null) {
            throw closed();
        }
        ByteBuffer memory = later.memory();
        data = memory;
        return memory;
    }

    /** {@return whether the elements are computed when they are looked at} */
    public boolean isDeferred() {
        return deferred != null;
    }

    /**
     * {@return whether the elements are in memory: not before something looked at them where they {@link #isDeferred
     * are deferred}}
     */
    public boolean isStored() {
        Deferred later = deferred;
        return later == null || later.isStored();
    }

    /**
     * Writes all elements to direct memory of as many bytes; deferred ones get none of their own by it.
     *
     * @param target the memory, which is filled from its position; the position stays
     * @throws IllegalArgumentException if its remaining bytes are not those of the type
     */
    public void writeTo(ByteBuffer target) {
        if (target.remaining() != type.bytes()) {
            throw new IllegalArgumentException(
                    type + " needs " + type.bytes() + " bytes, but the buffer has " + target.remaining());
        }
        Deferred later = deferred;
        if (later != null) {
            later.writeTo(target);
        } else {
            target.duplicate().put(memory());
            requireOpen();
        }
    }

    /** After reading lent memory: it was not used for something else in the meantime. */
    private void requireOpen() {
        if (data == null) {
            throw closed();
        }
    }

    private IllegalStateException closed() {
        return new IllegalStateException("the tensor " + type + " is closed");
    }

    /**
     * {@return the elements of a float32 tensor as a view}
     *
     * @throws IllegalStateException if the tensor is of another type
     */
    public FloatBuffer floats() {
        requireType(DType.FLOAT32);
        return bytes().asFloatBuffer();
    }

    /**
     * {@return the elements of an int64 tensor as a view}
     *
     * @throws IllegalStateException if the tensor is of another type
     */
    public LongBuffer longs() {
        requireType(DType.INT64);
        return bytes().asLongBuffer();
    }

    private void requireType(DType wanted) {
        if (type.dtype() != wanted) {
            throw new IllegalStateException("the tensor is " + type + ", not " + wanted);
        }
    }

    /**
     * {@return element {@code index} (row-major) as a double; integers beyond 2^53 lose their low bits}
     *
     * @param index row-major, counted from 0
     */
    public double getDouble(long index) {
        double value = Elements.getDouble(memory(), type.dtype(), checked(index));
        requireOpen();
        return value;
    }

    /**
     * {@return element {@code index} (row-major) as a long; floating values are truncated towards zero, of uint64 it
     * has the bits}
     *
     * @param index row-major, counted from 0
     */
    public long getLong(long index) {
        long value = Elements.getLong(memory(), type.dtype(), checked(index));
        requireOpen();
        return value;
    }

    /**
     * Stores a floating value: integers truncate towards zero and saturate, those of less than a byte keep the low bits
     * instead; floats of 16 bits and less round half to even, those of 8 and 4 bits saturate.
     *
     * @param index row-major, counted from 0
     * @param value the number
     */
    public void setDouble(long index, double value) {
        Elements.setDouble(bytes(), type.dtype(), checked(index), value);
    }

    /**
     * Stores an integer: narrower integers keep the low bits, as a C cast does.
     *
     * @param index row-major, counted from 0
     * @param value the number
     */
    public void setLong(long index, long value) {
        Elements.setLong(bytes(), type.dtype(), checked(index), value);
    }

    /**
     * {@link #setLong} of an integer without a sign, of which {@code value} has the bits.
     *
     * @param index row-major, counted from 0
     * @param value the bits
     */
    public void setUnsigned(long index, long value) {
        Elements.setUnsigned(bytes(), type.dtype(), checked(index), value);
    }

    private long checked(long index) {
        return Objects.checkIndex(index, elements);
    }

    /**
     * {@return the bits of element {@code index} of a type of at most 8 bits}
     *
     * @param index row-major, counted from 0
     */
    public int code(long index) {
        requireNarrow();
        int code = Elements.code(memory(), type.dtype(), checked(index));
        requireOpen();
        return code;
    }

    /**
     * Stores the low bits of {@code code} as element {@code index} of a type of at most 8 bits.
     *
     * @param index row-major, counted from 0
     * @param code the bits
     */
    public void setCode(long index, int code) {
        requireNarrow();
        Elements.setCode(bytes(), type.dtype(), checked(index), code);
    }

    private void requireNarrow() {
        if (type.dtype().bits() > Byte.SIZE || type.dtype() == DType.U1) {
            throw new IllegalStateException("the elements of " + type + " are no codes of at most 8 bits");
        }
    }

    /** {@return all elements as a new float array} */
    public float[] toFloatArray() {
        float[] values = new float[Math.toIntExact(elements())];
        ByteBuffer memory = memory();
        if (dtype() == DType.FLOAT32) {
            memory.asFloatBuffer().get(values);
        } else {
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) Elements.getDouble(memory, dtype(), i);
            }
        }
        requireOpen();
        return values;
    }

    /**
     * {@return all elements as a new long array; floating values are truncated towards zero, of uint64 it has the
     * bits}
     */
    public long[] toLongArray() {
        long[] values = new long[Math.toIntExact(elements())];
        ByteBuffer memory = memory();
        for (int i = 0; i < values.length; i++) {
            values[i] = Elements.getLong(memory, dtype(), i);
        }
        requireOpen();
        return values;
    }

    /** {@return all elements as a new double array; integers beyond 2^53 lose their low bits} */
    public double[] toDoubleArray() {
        double[] values = new double[Math.toIntExact(elements())];
        ByteBuffer memory = memory();
        for (int i = 0; i < values.length; i++) {
            values[i] = Elements.getDouble(memory, dtype(), i);
        }
        requireOpen();
        return values;
    }

    /** {@return all elements as a new int array, each as {@link #getLong} gives it, its low bits where it has more} */
    public int[] toIntArray() {
        return (int[]) JavaArrays.array(this, int.class);
    }

    /**
     * {@return all elements as a new short array, each as {@link #getLong} gives it, its low bits where it has more}
     */
    public short[] toShortArray() {
        return (short[]) JavaArrays.array(this, short.class);
    }

    /** {@return all elements as a new byte array, each as {@link #getLong} gives it, its low bits where it has more} */
    public byte[] toByteArray() {
        return (byte[]) JavaArrays.array(this, byte.class);
    }

    /** {@return all elements as a new boolean array, true where one is not 0} */
    public boolean[] toBooleanArray() {
        return (boolean[]) JavaArrays.array(this, boolean.class);
    }

    /**
     * {@return all elements as nested arrays of the shape, of the Java type with the same width: floats of at most 32
     * bits as {@code float}, float64 as {@code double}, bool as {@code boolean}, integers as {@code byte} to {@code
     * long}, without a sign as the next wider type ({@code short} for uint8, {@code int} for uint16, {@code long} for
     * uint32 and as bits for uint64)} Cast it: {@code (float[][]) tensor.toArray()}.
     *
     * @throws IllegalStateException if it is a scalar, which no array is
     */
    public Object toArray() {
        return JavaArrays.nested(this);
    }

    /**
     * Stores all elements, each as {@link #setDouble} does.
     *
     * @param values as many as there are elements, row-major
     * @throws IllegalArgumentException if there are more or fewer
     */
    public void setDoubles(double[] values) {
        if (values.length != elements()) {
            throw new IllegalArgumentException(values.length + " values are not the elements of " + type);
        }
        ByteBuffer memory = bytes();
        for (int i = 0; i < values.length; i++) {
            Elements.setDouble(memory, type.dtype(), i, values[i]);
        }
    }

    /**
     * {@return the same elements converted to {@code dtype}; see {@link #setDouble} and {@link #setLong} for the
     * rules}
     *
     * @param dtype the type of the new elements
     */
    public Tensor to(DType dtype) {
        Tensor converted = allocate(new TensorType(dtype, shape()));
        Elements.convert(memory(), type.dtype(), converted.bytes(), dtype, elements());
        requireOpen();
        return converted;
    }

    /**
     * {@return a tensor over the same memory with another shape of as many elements}
     *
     * @param shape of known sizes
     */
    public Tensor reshaped(Shape shape) {
        Deferred later = deferred;
        TensorType same = new TensorType(dtype(), shape);
        if (later != null && shape.elements() == elements) {
            return new Tensor(same, null, null, later, first());
        }
        return wrap(same, bytes(), null, first());
    }

    /**
     * {@return the bytes of these tensors together; those over the same memory ({@link #reshaped}) count once}
     *
     * @param tensors of known sizes
     */
    public static long bytes(Collection<Tensor> tensors) {
        Set<Tensor> counted = Collections.newSetFromMap(new IdentityHashMap<>());
        return tensors.stream()
                .filter(tensor -> counted.add(tensor.first()))
                .mapToLong(tensor -> tensor.type().bytes())
                .sum();
    }

    private Tensor first() {
        return first == null ? this : first;
    }

    /** {@return a copy in memory of its own} */
    public Tensor copy() {
        Tensor copy = allocate(type);
        copy.bytes().put(memory());
        requireOpen();
        return copy;
    }

    @Override
    public void close() {
        deferred = null;
        data = null;
        if (loan != null) {
            loan.end();
        }
    }

    /** The type and, for up to eight elements, the values. */
    @Override
    public String toString() {
        if (data == null && deferred == null) {
            return type + " (closed)";
        }
        if (elements() > 8) {
            return type.toString();
        }
        if (dtype() == DType.UINT64) {
            return type + " "
                    + Arrays.stream(toLongArray())
                            .mapToObj(Long::toUnsignedString)
                            .toList();
        }
        return type + " " + (dtype().isFloating() ? Arrays.toString(toFloatArray()) : Arrays.toString(toLongArray()));
    }
}
