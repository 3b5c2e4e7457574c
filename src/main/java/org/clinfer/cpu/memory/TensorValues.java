package org.clinfer.cpu.memory;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.HalfFloat;
import org.clinfer.tensor.Tensor;

/** Copies stretches of a tensor of any numeric type to and from heap arrays; safe for several threads. */
public final class TensorValues {

    private final Tensor tensor;
    private final DType dtype;
    private final FloatBuffer floats;
    private final DoubleBuffer doubles;
    private final ShortBuffer shorts;

    private TensorValues(Tensor tensor) {
        this.tensor = tensor;
        this.dtype = tensor.dtype();
        ByteBuffer bytes = tensor.bytes();
        this.floats = bytes.asFloatBuffer();
        this.doubles = bytes.asDoubleBuffer();
        this.shorts = bytes.asShortBuffer();
    }

    public static TensorValues of(Tensor tensor) {
        return new TensorValues(tensor);
    }

    /** All elements of a tensor as floats. */
    public static float[] allFloats(Tensor tensor) {
        float[] values = new float[Math.toIntExact(tensor.elements())];
        of(tensor).read(0, values, 0, values.length);
        return values;
    }

    /** All elements of a tensor as floats, read by several threads. */
    public static float[] allFloats(Tensor tensor, Parallel parallel) {
        float[] values = new float[Math.toIntExact(tensor.elements())];
        TensorValues from = of(tensor);
        parallel.forRange(values.length, 1 << 16, (first, end) -> from.read(first, values, first, end - first));
        return values;
    }

    /** All elements of a tensor as doubles. */
    public static double[] allDoubles(Tensor tensor) {
        double[] values = new double[Math.toIntExact(tensor.elements())];
        of(tensor).read(0, values, 0, values.length);
        return values;
    }

    public void read(int from, float[] into, int at, int count) {
        switch (dtype) {
            case FLOAT32 -> floats.get(from, into, at, count);
            case FLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    into[at + i] = HalfFloat.toFloat(shorts.get(from + i));
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    into[at + i] = HalfFloat.bfloatToFloat(shorts.get(from + i));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    into[at + i] = (float) tensor.getDouble((long) from + i);
                }
            }
        }
    }

    public void read(int from, double[] into, int at, int count) {
        switch (dtype) {
            case FLOAT64 -> doubles.get(from, into, at, count);
            case FLOAT32, FLOAT16, BFLOAT16 -> {
                float[] narrow = new float[count];
                read(from, narrow, 0, count);
                for (int i = 0; i < count; i++) {
                    into[at + i] = narrow[i];
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    into[at + i] = tensor.getDouble((long) from + i);
                }
            }
        }
    }

    public void write(int from, float[] values, int at, int count) {
        switch (dtype) {
            case FLOAT32 -> floats.put(from, values, at, count);
            case FLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    shorts.put(from + i, HalfFloat.fromFloat(values[at + i]));
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    shorts.put(from + i, HalfFloat.bfloatFromFloat(values[at + i]));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    tensor.setDouble((long) from + i, values[at + i]);
                }
            }
        }
    }

    public void write(int from, double[] values, int at, int count) {
        if (dtype == DType.FLOAT64) {
            doubles.put(from, values, at, count);
            return;
        }
        if (dtype == DType.FLOAT32) {
            float[] narrow = new float[count];
            for (int i = 0; i < count; i++) {
                narrow[i] = (float) values[at + i];
            }
            floats.put(from, narrow, 0, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            tensor.setDouble((long) from + i, values[at + i]);
        }
    }

    /** Writes the whole tensor, split over the threads. */
    public void writeAll(float[] values, Parallel parallel) {
        parallel.forRange(values.length, 1 << 16, (from, to) -> write(from, values, from, to - from));
    }

    /** Writes the whole tensor, split over the threads. */
    public void writeAll(double[] values, Parallel parallel) {
        parallel.forRange(values.length, 1 << 16, (from, to) -> write(from, values, from, to - from));
    }
}
