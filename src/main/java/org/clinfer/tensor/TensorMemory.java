package org.clinfer.tensor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
 * The elements of one tensor from its beginning to {@link #close}: in memory of its own, of the caller or lent, or
 * deferred as long as nothing looks at them.
 */
final class TensorMemory {

    private final TensorType type;
    private final long elements;
    private final @Nullable Loan loan;

    /** The storage that was the first over the memory; null: this one. */
    private final @Nullable TensorMemory first;

    private volatile @Nullable ByteBuffer data;
    private volatile @Nullable Deferred deferred;

    private TensorMemory(
            TensorType type,
            @Nullable ByteBuffer data,
            @Nullable Loan loan,
            @Nullable Deferred deferred,
            @Nullable TensorMemory first) {
        this.type = type;
        this.elements = type.shape().elements();
        this.data = data;
        this.loan = loan;
        this.deferred = deferred;
        this.first = first;
    }

    static TensorMemory ofZeros(TensorType type) {
        return new TensorMemory(type, aligned(checkedBytes(type)), null, null, null);
    }

    static TensorMemory deferred(TensorType type, Consumer<ByteBuffer> fill) {
        return new TensorMemory(type, null, null, new Deferred(checkedBytes(type), fill), null);
    }

    static TensorMemory over(TensorType type, ByteBuffer memory) {
        return over(type, memory, null, null);
    }

    static TensorMemory lent(TensorType type, ByteBuffer memory, Runnable giveBack) {
        return over(type, memory, new Loan(giveBack), null);
    }

    private static TensorMemory over(
            TensorType type, ByteBuffer memory, @Nullable Loan loan, @Nullable TensorMemory first) {
        int bytes = checkedBytes(type);
        if (!memory.isDirect()) {
            throw new IllegalArgumentException("a tensor needs a direct buffer");
        }
        if (memory.remaining() != bytes) {
            throw otherSize(type, memory);
        }
        return new TensorMemory(type, memory.slice(), loan, null, first);
    }

    /** The bytes of open tensors, one after the other. */
    static TensorMemory joined(TensorType type, List<Tensor> parts) {
        long bytes = parts.stream().mapToLong(part -> part.type().bytes()).sum();
        if (bytes != type.bytes() || parts.stream().anyMatch(part -> part.dtype() != type.dtype())) {
            throw new IllegalArgumentException(
                    type + " is not made of " + parts.stream().map(Tensor::type).toList());
        }
        TensorMemory whole = ofZeros(type);
        ByteBuffer memory = whole.bytes();
        int start = 0;
        for (Tensor part : parts) {
            int size = Math.toIntExact(part.type().bytes());
            part.writeTo(memory.slice(start, size));
            start += size;
        }
        return whole;
    }

    /** Direct memory of zeros that begins at a multiple of {@link Tensor#ALIGNMENT}. */
    static ByteBuffer aligned(int bytes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(Math.addExact(bytes, 2 * Tensor.ALIGNMENT));
        return memory.alignedSlice(Tensor.ALIGNMENT).slice(0, bytes);
    }

    private static int checkedBytes(TensorType type) {
        long bytes;
        try {
            bytes = type.bytes();
        } catch (ArithmeticException overflow) {
            throw new IllegalArgumentException(type + " is too large: " + overflow.getMessage(), overflow);
        }
        if (bytes > Tensor.MAX_BYTES) {
            throw new IllegalArgumentException(
                    type + " needs " + bytes + " bytes, more than the " + Tensor.MAX_BYTES + " of one tensor");
        }
        return (int) bytes;
    }

    private static IllegalArgumentException otherSize(TensorType type, ByteBuffer memory) {
        return new IllegalArgumentException(
                type + " needs " + type.bytes() + " bytes, but the buffer has " + memory.remaining());
    }

    /** The same elements with another type of as many bytes, with a life of its own. */
    TensorMemory reshaped(TensorType other) {
        Deferred later = deferred;
        if (later != null && other.shape().elements() == elements) {
            return new TensorMemory(other, null, null, later, first());
        }
        return over(other, bytes(), null, first());
    }

    /** The bytes of these together; those over the same memory count once. */
    static long bytes(Collection<TensorMemory> memories) {
        Set<TensorMemory> counted = Collections.newSetFromMap(new IdentityHashMap<>());
        return memories.stream()
                .filter(memory -> counted.add(memory.first()))
                .mapToLong(memory -> memory.type.bytes())
                .sum();
    }

    private TensorMemory first() {
        return first == null ? this : first;
    }

    TensorType type() {
        return type;
    }

    long elements() {
        return elements;
    }

    /** The whole as a view that may be kept, little-endian. */
    ByteBuffer bytes() {
        ByteBuffer memory = beginRead();
        if (loan != null && !loan.keep()) {
            throw closed();
        }
        return memory;
    }

    /** The same of elements that have to be of this type. */
    ByteBuffer bytes(DType wanted) {
        if (type.dtype() != wanted) {
            throw new IllegalStateException("the tensor is " + type + ", not " + wanted);
        }
        return bytes();
    }

    /** The whole for an access that ends with {@link #endRead}: no view is left of it then. */
    private ByteBuffer beginRead() {
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

    /** After reading lent memory: it was not used for something else in the meantime. */
    private void endRead() {
        if (data == null) {
            throw closed();
        }
    }

    double getDouble(long index) {
        double value = Elements.getDouble(beginRead(), type.dtype(), checked(index));
        endRead();
        return value;
    }

    long getLong(long index) {
        long value = Elements.getLong(beginRead(), type.dtype(), checked(index));
        endRead();
        return value;
    }

    void setDouble(long index, double value) {
        Elements.setDouble(bytes(), type.dtype(), checked(index), value);
    }

    void setLong(long index, long value) {
        Elements.setLong(bytes(), type.dtype(), checked(index), value);
    }

    void setUnsigned(long index, long value) {
        Elements.setUnsigned(bytes(), type.dtype(), checked(index), value);
    }

    int code(long index) {
        requireCodes();
        int code = Elements.code(beginRead(), type.dtype(), checked(index));
        endRead();
        return code;
    }

    void setCode(long index, int code) {
        requireCodes();
        Elements.setCode(bytes(), type.dtype(), checked(index), code);
    }

    private void requireCodes() {
        if (type.dtype().bits() > Byte.SIZE || type.dtype() == DType.U1) {
            throw new IllegalStateException("the elements of " + type + " are no codes of at most 8 bits");
        }
    }

    private long checked(long index) {
        return Objects.checkIndex(index, elements);
    }

    float[] floats() {
        float[] values = new float[Math.toIntExact(elements)];
        ByteBuffer memory = beginRead();
        if (type.dtype() == DType.FLOAT32) {
            memory.asFloatBuffer().get(values);
        } else {
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) Elements.getDouble(memory, type.dtype(), i);
            }
        }
        endRead();
        return values;
    }

    long[] longs() {
        long[] values = new long[Math.toIntExact(elements)];
        ByteBuffer memory = beginRead();
        for (int i = 0; i < values.length; i++) {
            values[i] = Elements.getLong(memory, type.dtype(), i);
        }
        endRead();
        return values;
    }

    double[] doubles() {
        double[] values = new double[Math.toIntExact(elements)];
        ByteBuffer memory = beginRead();
        for (int i = 0; i < values.length; i++) {
            values[i] = Elements.getDouble(memory, type.dtype(), i);
        }
        endRead();
        return values;
    }

    void setDoubles(double[] values) {
        if (values.length != elements) {
            throw new IllegalArgumentException(values.length + " values are not the elements of " + type);
        }
        ByteBuffer memory = bytes();
        for (int i = 0; i < values.length; i++) {
            Elements.setDouble(memory, type.dtype(), i, values[i]);
        }
    }

    void convertTo(ByteBuffer target, DType dtype) {
        Elements.convert(beginRead(), type.dtype(), target, dtype, elements);
        endRead();
    }

    void writeTo(ByteBuffer target) {
        if (target.remaining() != type.bytes()) {
            throw otherSize(type, target);
        }
        Deferred later = deferred;
        if (later != null) {
            later.writeTo(target);
        } else {
            target.duplicate().put(beginRead());
            endRead();
        }
    }

    boolean isDeferred() {
        return deferred != null;
    }

    boolean isStored() {
        Deferred later = deferred;
        return later == null || later.isStored();
    }

    private IllegalStateException closed() {
        return new IllegalStateException("the tensor " + type + " is closed");
    }

    void close() {
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
        if (elements > 8) {
            return type.toString();
        }
        if (type.dtype() == DType.UINT64) {
            return type + " "
                    + Arrays.stream(longs()).mapToObj(Long::toUnsignedString).toList();
        }
        return type + " " + (type.dtype().isFloating() ? Arrays.toString(floats()) : Arrays.toString(longs()));
    }
}
