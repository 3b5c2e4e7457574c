package org.clinfer.tensor;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

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

    private final TensorMemory memory;

    private Tensor(TensorMemory memory) {
        this.memory = memory;
    }

    /**
     * {@return a tensor of zeros}
     *
     * @param type of known sizes
     * @throws IllegalArgumentException if the type needs more than {@link #MAX_BYTES}
     */
    public static Tensor allocate(TensorType type) {
        return new Tensor(TensorMemory.ofZeros(type));
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
        return new Tensor(TensorMemory.deferred(type, fill));
    }

    /**
     * {@return direct memory of zeros that begins at a multiple of {@link #ALIGNMENT}}
     *
     * @param bytes its size
     */
    public static ByteBuffer alignedMemory(int bytes) {
        return TensorMemory.aligned(bytes);
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
        return new Tensor(TensorMemory.over(type, memory));
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
        return new Tensor(TensorMemory.lent(type, memory, giveBack));
    }

    /**
     * {@return a tensor whose bytes are those of others, one after the other}
     *
     * @param type of known sizes
     * @param parts open, of the same data type and of as many bytes together
     * @throws IllegalArgumentException for parts of another data type or of more or fewer bytes
     */
    public static Tensor joined(TensorType type, List<Tensor> parts) {
        return new Tensor(TensorMemory.joined(type, parts));
    }

    /**
     * {@return a float32 tensor with these elements}
     *
     * @param values the elements, row-major
     * @param sizes the shape; none for a scalar
     */
    public static Tensor of(float[] values, long... sizes) {
        return JavaArrays.tensor(values, sizes);
    }

    /**
     * {@return an int64 tensor with these elements}
     *
     * @param values the elements, row-major
     * @param sizes the shape; none for a scalar
     */
    public static Tensor of(long[] values, long... sizes) {
        return JavaArrays.tensor(values, sizes);
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

    /** {@return the type of the elements, and the shape} */
    public TensorType type() {
        return memory.type();
    }

    /** {@return the type of the elements} */
    public DType dtype() {
        return type().dtype();
    }

    /** {@return the shape, of known sizes} */
    public Shape shape() {
        return type().shape();
    }

    /**
     * {@return the number of elements; it fits an int because the storage does, except for types of which several
     * share a byte}
     */
    public long elements() {
        return memory.elements();
    }

    /** {@return the whole storage as a view of its own position, little-endian} */
    public ByteBuffer bytes() {
        return memory.bytes();
    }

    /** {@return whether the elements are computed when they are looked at} */
    public boolean isDeferred() {
        return memory.isDeferred();
    }

    /**
     * {@return whether the elements are in memory: not before something looked at them where they {@link #isDeferred
     * are deferred}}
     */
    public boolean isStored() {
        return memory.isStored();
    }

    /**
     * Writes all elements to direct memory of as many bytes; deferred ones get none of their own by it.
     *
     * @param target the memory, which is filled from its position; the position stays
     * @throws IllegalArgumentException if its remaining bytes are not those of the type
     */
    public void writeTo(ByteBuffer target) {
        memory.writeTo(target);
    }

    /**
     * {@return the elements of a float32 tensor as a view}
     *
     * @throws IllegalStateException if the tensor is of another type
     */
    public FloatBuffer floats() {
        return memory.bytes(DType.FLOAT32).asFloatBuffer();
    }

    /**
     * {@return the elements of an int64 tensor as a view}
     *
     * @throws IllegalStateException if the tensor is of another type
     */
    public LongBuffer longs() {
        return memory.bytes(DType.INT64).asLongBuffer();
    }

    /**
     * {@return element {@code index} (row-major) as a double; integers beyond 2^53 lose their low bits}
     *
     * @param index row-major, counted from 0
     */
    public double getDouble(long index) {
        return memory.getDouble(index);
    }

    /**
     * {@return element {@code index} (row-major) as a long; floating values are truncated towards zero, of uint64 it
     * has the bits}
     *
     * @param index row-major, counted from 0
     */
    public long getLong(long index) {
        return memory.getLong(index);
    }

    /**
     * Stores a floating value: integers truncate towards zero and saturate, those of less than a byte keep the low bits
     * instead; floats of 16 bits and less round half to even, those of 8 and 4 bits saturate.
     *
     * @param index row-major, counted from 0
     * @param value the number
     */
    public void setDouble(long index, double value) {
        memory.setDouble(index, value);
    }

    /**
     * Stores an integer: narrower integers keep the low bits, as a C cast does.
     *
     * @param index row-major, counted from 0
     * @param value the number
     */
    public void setLong(long index, long value) {
        memory.setLong(index, value);
    }

    /**
     * {@link #setLong} of an integer without a sign, of which {@code value} has the bits.
     *
     * @param index row-major, counted from 0
     * @param value the bits
     */
    public void setUnsigned(long index, long value) {
        memory.setUnsigned(index, value);
    }

    /**
     * {@return the bits of element {@code index} of a type of at most 8 bits}
     *
     * @param index row-major, counted from 0
     */
    public int code(long index) {
        return memory.code(index);
    }

    /**
     * Stores the low bits of {@code code} as element {@code index} of a type of at most 8 bits.
     *
     * @param index row-major, counted from 0
     * @param code the bits
     */
    public void setCode(long index, int code) {
        memory.setCode(index, code);
    }

    /** {@return all elements as a new float array} */
    public float[] toFloatArray() {
        return memory.floats();
    }

    /**
     * {@return all elements as a new long array; floating values are truncated towards zero, of uint64 it has the
     * bits}
     */
    public long[] toLongArray() {
        return memory.longs();
    }

    /** {@return all elements as a new double array; integers beyond 2^53 lose their low bits} */
    public double[] toDoubleArray() {
        return memory.doubles();
    }

    /** {@return all elements as a new int array, of each the low bits of what {@link #getLong} gives} */
    public int[] toIntArray() {
        return (int[]) JavaArrays.array(this, int.class);
    }

    /** {@return all elements as a new short array, of each the low bits of what {@link #getLong} gives} */
    public short[] toShortArray() {
        return (short[]) JavaArrays.array(this, short.class);
    }

    /** {@return all elements as a new byte array, of each the low bits of what {@link #getLong} gives} */
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
        memory.setDoubles(values);
    }

    /**
     * {@return the same elements converted to {@code dtype}; see {@link #setDouble} and {@link #setLong} for the
     * rules}
     *
     * @param dtype the type of the new elements
     */
    public Tensor to(DType dtype) {
        Tensor converted = allocate(new TensorType(dtype, shape()));
        memory.convertTo(converted.bytes(), dtype);
        return converted;
    }

    /**
     * {@return a tensor over the same memory with another shape of as many elements}
     *
     * @param shape of known sizes
     */
    public Tensor reshaped(Shape shape) {
        return new Tensor(memory.reshaped(new TensorType(dtype(), shape)));
    }

    /**
     * {@return the bytes of these tensors together; those over the same memory ({@link #reshaped}) count once}
     *
     * @param tensors of known sizes
     */
    public static long bytes(Collection<Tensor> tensors) {
        return TensorMemory.bytes(tensors.stream().map(tensor -> tensor.memory).toList());
    }

    /** {@return a copy in memory of its own} */
    public Tensor copy() {
        return to(dtype());
    }

    @Override
    public void close() {
        memory.close();
    }

    /** The type and, for up to eight elements, the values. */
    @Override
    public String toString() {
        return memory.toString();
    }
}
