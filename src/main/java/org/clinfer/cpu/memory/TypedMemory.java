package org.clinfer.cpu.memory;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.HalfFloat;
import org.clinfer.tensor.Tensor;

/**
 * Moves elements between a tensor and the arrays they are computed in: float arrays for float32 and the 16-bit floats,
 * double arrays for any type, long arrays for integers and bool, for uint64 with its bits.
 */
public final class TypedMemory {

    /** Elements from which on one copy is cheaper than a loop. */
    private static final int BULK = 8;

    private final Tensor tensor;
    private final DType dtype;
    private final ByteBuffer bytes;
    private final FloatBuffer floats;
    private final IntBuffer ints;
    private final LongBuffer longs;

    public TypedMemory(Tensor tensor) {
        this.tensor = tensor;
        this.dtype = tensor.dtype();
        this.bytes = tensor.bytes();
        this.floats = bytes.asFloatBuffer();
        this.ints = bytes.asIntBuffer();
        this.longs = bytes.asLongBuffer();
    }

    public DType dtype() {
        return dtype;
    }

    /** Loads {@code count} elements, {@code step} apart, to {@code to[at …]}. */
    public void load(int from, int step, int count, float[] to, int at) {
        if (step == 0) {
            Arrays.fill(to, at, at + count, one(from));
            return;
        }
        if (dtype == DType.FLOAT32 && step == 1) {
            if (count >= BULK) {
                floats.get(from, to, at, count);
                return;
            }
            for (int i = 0; i < count; i++) {
                to[at + i] = floats.get(from + i);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            to[at + i] = one(from + i * step);
        }
    }

    /** {@link #load(int, int, int, float[], int)} to doubles. */
    public void load(int from, int step, int count, double[] to, int at) {
        if (step == 0) {
            Arrays.fill(to, at, at + count, real(from));
            return;
        }
        switch (dtype) {
            case FLOAT32 -> {
                for (int i = 0; i < count; i++) {
                    to[at + i] = floats.get(from + i * step);
                }
            }
            case FLOAT64 -> {
                for (int i = 0; i < count; i++) {
                    to[at + i] = bytes.getDouble((from + i * step) * 8);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    to[at + i] = real(from + i * step);
                }
            }
        }
    }

    /** {@link #load(int, int, int, float[], int)} to longs; for integers and bool. */
    public void load(int from, int step, int count, long[] to, int at) {
        if (step == 0) {
            Arrays.fill(to, at, at + count, integer(from));
            return;
        }
        if (step == 1 && count >= BULK && loadTogether(from, count, to, at)) {
            return;
        }
        // one loop for each of the usual types: with the type inside of it none is fast
        switch (dtype) {
            case INT8 -> {
                for (int i = 0; i < count; i++) {
                    to[at + i] = bytes.get(from + i * step);
                }
            }
            case UINT8 -> {
                for (int i = 0; i < count; i++) {
                    to[at + i] = bytes.get(from + i * step) & 0xffL;
                }
            }
            case BOOL -> {
                for (int i = 0; i < count; i++) {
                    to[at + i] = bytes.get(from + i * step) == 0 ? 0 : 1;
                }
            }
            case INT32 -> {
                for (int i = 0; i < count; i++) {
                    to[at + i] = bytes.getInt((from + i * step) * 4);
                }
            }
            case INT64, UINT64 -> {
                for (int i = 0; i < count; i++) {
                    to[at + i] = bytes.getLong((from + i * step) * 8);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    to[at + i] = integer(from + i * step);
                }
            }
        }
    }

    /** Loads neighbours in one copy, which is faster than a look at each, where the type is one for that. */
    private boolean loadTogether(int from, int count, long[] to, int at) {
        switch (dtype) {
            case INT64, UINT64 -> longs.get(from, to, at, count);
            case INT32 -> {
                int[] copied = new int[count];
                ints.get(from, copied);
                for (int i = 0; i < count; i++) {
                    to[at + i] = copied[i];
                }
            }
            case INT8, UINT8 -> {
                byte[] copied = new byte[count];
                bytes.get(from, copied);
                int mask = dtype.isUnsigned() ? 0xff : -1;
                for (int i = 0; i < count; i++) {
                    to[at + i] = copied[i] & mask;
                }
            }
            case BOOL -> {
                byte[] copied = new byte[count];
                bytes.get(from, copied);
                for (int i = 0; i < count; i++) {
                    to[at + i] = copied[i] == 0 ? 0 : 1;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Stores floats from element {@code at} on, rounding to 16 bits where the type has no more. */
    public void store(int at, int count, float[] values) {
        store(at, 1, count, values, 0);
    }

    /** Stores doubles from element {@code at} on; integers truncate and saturate. */
    public void store(int at, int count, double[] values) {
        store(at, 1, count, values, 0);
    }

    /** Stores longs from element {@code at} on; narrower integers saturate, bool is 1 for all but 0; bits of uint64. */
    public void store(int at, int count, long[] values) {
        store(at, 1, count, values, 0);
    }

    /** Stores {@code count} floats from {@code values[at]} on to element {@code to} and every {@code step}th after it. */
    public void store(int to, int step, int count, float[] values, int at) {
        switch (dtype) {
            case FLOAT32 -> {
                if (step == 1) {
                    floats.put(to, values, at, count);
                    return;
                }
                for (int i = 0; i < count; i++) {
                    floats.put(to + i * step, values[at + i]);
                }
            }
            case FLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    bytes.putShort((to + i * step) * 2, HalfFloat.fromFloat(values[at + i]));
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    bytes.putShort((to + i * step) * 2, HalfFloat.bfloatFromFloat(values[at + i]));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    tensor.setDouble(to + i * step, values[at + i]);
                }
            }
        }
    }

    /** {@link #store(int, int, int, float[], int)} of doubles; integers truncate and saturate. */
    public void store(int to, int step, int count, double[] values, int at) {
        switch (dtype) {
            case FLOAT32 -> {
                for (int i = 0; i < count; i++) {
                    floats.put(to + i * step, (float) values[at + i]);
                }
            }
            case FLOAT64 -> {
                for (int i = 0; i < count; i++) {
                    bytes.putDouble((to + i * step) * 8, values[at + i]);
                }
            }
            case INT32 -> {
                for (int i = 0; i < count; i++) {
                    bytes.putInt((to + i * step) * 4, (int) values[at + i]);
                }
            }
            case INT64 -> {
                for (int i = 0; i < count; i++) {
                    bytes.putLong((to + i * step) * 8, (long) values[at + i]);
                }
            }
            case INT8, UINT8 -> {
                long low = dtype.lowest();
                long high = dtype.highest();
                for (int i = 0; i < count; i++) {
                    bytes.put(to + i * step, (byte) Math.max(low, Math.min(high, (long) values[at + i])));
                }
            }
            case BOOL -> {
                for (int i = 0; i < count; i++) {
                    bytes.put(to + i * step, (byte) (values[at + i] == 0 ? 0 : 1));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    tensor.setDouble(to + i * step, values[at + i]);
                }
            }
        }
    }

    /** {@link #store(int, int, int, float[], int)} of longs; narrower integers saturate, bool is 1 for all but 0. */
    public void store(int to, int step, int count, long[] values, int at) {
        if (step == 1 && count >= BULK && storeTogether(to, count, values, at)) {
            return;
        }
        switch (dtype) {
            case INT8, UINT8 -> {
                long low = dtype.lowest();
                long high = dtype.highest();
                for (int i = 0; i < count; i++) {
                    bytes.put(to + i * step, (byte) Math.max(low, Math.min(high, values[at + i])));
                }
            }
            case BOOL -> {
                for (int i = 0; i < count; i++) {
                    bytes.put(to + i * step, (byte) (values[at + i] == 0 ? 0 : 1));
                }
            }
            case INT32, UINT32 -> {
                long low = dtype.lowest();
                long high = dtype.highest();
                for (int i = 0; i < count; i++) {
                    bytes.putInt((to + i * step) * 4, (int) Math.max(low, Math.min(high, values[at + i])));
                }
            }
            case INT64, UINT64 -> {
                for (int i = 0; i < count; i++) {
                    bytes.putLong((to + i * step) * 8, values[at + i]);
                }
            }
            case FLOAT32 -> {
                for (int i = 0; i < count; i++) {
                    floats.put(to + i * step, (float) values[at + i]);
                }
            }
            case INT16, UINT16, INT4, UINT4, INT2, UINT2 -> {
                for (int i = 0; i < count; i++) {
                    tensor.setLong(to + i * step, dtype.saturated(values[at + i]));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    tensor.setLong(to + i * step, values[at + i]);
                }
            }
        }
    }

    /** Stores {@code count} elements of 8 bits, {@code step} apart, from {@code to} on. */
    public void storeBytes(int to, int step, int count, byte[] values) {
        if (step == 1) {
            bytes.put(to, values, 0, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            bytes.put(to + i * step, values[i]);
        }
    }

    /** Stores ints where the type is int32: {@code count} from {@code values[at]} on, {@code step} elements apart. */
    public void storeInts(int to, int step, int count, int[] values, int at) {
        if (step == 1) {
            ints.put(to, values, at, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            ints.put(to + i * step, values[at + i]);
        }
    }

    /** Stores neighbours in one copy, where the type is one for that. */
    private boolean storeTogether(int to, int count, long[] values, int at) {
        switch (dtype) {
            case INT64, UINT64 -> longs.put(to, values, at, count);
            case INT32, UINT32 -> {
                int[] narrow = new int[count];
                long low = dtype.lowest();
                long high = dtype.highest();
                for (int i = 0; i < count; i++) {
                    narrow[i] = (int) Math.max(low, Math.min(high, values[at + i]));
                }
                ints.put(to, narrow);
            }
            case INT8, UINT8 -> {
                byte[] narrow = new byte[count];
                long low = dtype.lowest();
                long high = dtype.highest();
                for (int i = 0; i < count; i++) {
                    narrow[i] = (byte) Math.max(low, Math.min(high, values[at + i]));
                }
                bytes.put(to, narrow);
            }
            case BOOL -> {
                byte[] narrow = new byte[count];
                for (int i = 0; i < count; i++) {
                    narrow[i] = (byte) (values[at + i] == 0 ? 0 : 1);
                }
                bytes.put(to, narrow);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private float one(int index) {
        return switch (dtype) {
            case FLOAT32 -> floats.get(index);
            case FLOAT16 -> HalfFloat.toFloat(bytes.getShort(index * 2));
            case BFLOAT16 -> HalfFloat.bfloatToFloat(bytes.getShort(index * 2));
            default -> (float) tensor.getDouble(index);
        };
    }

    private double real(int index) {
        return switch (dtype) {
            case FLOAT64 -> bytes.getDouble(index * 8);
            case FLOAT32, FLOAT16, BFLOAT16 -> one(index);
            case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, BOOL, U1 -> (double) integer(index);
            default -> tensor.getDouble(index);
        };
    }

    private long integer(int index) {
        return switch (dtype) {
            case INT8 -> bytes.get(index);
            case INT16 -> bytes.getShort(index * 2);
            case INT32 -> bytes.getInt(index * 4);
            case INT64, UINT64 -> bytes.getLong(index * 8);
            case UINT8 -> bytes.get(index) & 0xffL;
            case UINT16 -> bytes.getShort(index * 2) & 0xffffL;
            case UINT32 -> bytes.getInt(index * 4) & 0xffffffffL;
            case BOOL -> bytes.get(index) == 0 ? 0 : 1;
            default -> tensor.getLong(index);
        };
    }
}
