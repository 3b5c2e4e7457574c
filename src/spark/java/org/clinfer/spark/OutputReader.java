package org.clinfer.spark;

import java.nio.FloatBuffer;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.clinfer.errors.InputException;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Reads what a row gets of a value of a run. */
final class OutputReader {

    private OutputReader() {}

    /**
     * {@return the column's value for a row, in Spark's own format}
     *
     * @param fetch the column
     * @param tensor the value, with the rows along its first dimension
     * @param row the place in it
     * @param rows of the run
     * @throws InputException if the value does not have the rows along its first dimension
     */
    static @Nullable Object read(TaskPlan.Fetch fetch, Tensor tensor, int row, long rows) {
        if (tensor.shape().rank() == 0 || tensor.shape().size(0) != rows) {
            throw new InputException("value '" + fetch.value() + "' is " + tensor.type() + " for " + rows
                    + " rows: they are not its first dimension; with batches of 1 the model may do");
        }
        int count = Math.toIntExact(tensor.elements() / rows);
        long at = (long) row * count;
        return switch (fetch.form()) {
            case NUMBER -> number(tensor, at);
            case ARRAY -> array(tensor, at, count);
            case VECTOR -> SparkType.vector().serialize(Vectors.dense(doubles(tensor, at, count)));
            case SOFTMAX -> UnsafeArrayData.fromPrimitiveArray(softmax(doubles(tensor, at, count)));
            case ARGMAX -> argmax(doubles(tensor, at, count));
        };
    }

    private static Object number(Tensor tensor, long at) {
        return switch (SparkType.of(tensor.dtype())) {
            case BOOLEAN -> tensor.getLong(at) != 0;
            case BYTE -> (byte) tensor.getLong(at);
            case SHORT -> (short) tensor.getLong(at);
            case INTEGER -> (int) tensor.getLong(at);
            case LONG -> tensor.getLong(at);
            case FLOAT -> (float) tensor.getDouble(at);
            case DOUBLE -> tensor.getDouble(at);
        };
    }

    private static UnsafeArrayData array(Tensor tensor, long at, int count) {
        return switch (SparkType.of(tensor.dtype())) {
            case FLOAT -> UnsafeArrayData.fromPrimitiveArray(floats(tensor, at, count));
            case DOUBLE -> UnsafeArrayData.fromPrimitiveArray(doubles(tensor, at, count));
            case LONG -> UnsafeArrayData.fromPrimitiveArray(longs(tensor, at, count));
            case INTEGER -> {
                int[] ints = new int[count];
                for (int i = 0; i < count; i++) {
                    ints[i] = (int) tensor.getLong(at + i);
                }
                yield UnsafeArrayData.fromPrimitiveArray(ints);
            }
            case SHORT -> {
                short[] shorts = new short[count];
                for (int i = 0; i < count; i++) {
                    shorts[i] = (short) tensor.getLong(at + i);
                }
                yield UnsafeArrayData.fromPrimitiveArray(shorts);
            }
            case BYTE -> {
                byte[] bytes = new byte[count];
                for (int i = 0; i < count; i++) {
                    bytes[i] = (byte) tensor.getLong(at + i);
                }
                yield UnsafeArrayData.fromPrimitiveArray(bytes);
            }
            case BOOLEAN -> {
                boolean[] truths = new boolean[count];
                for (int i = 0; i < count; i++) {
                    truths[i] = tensor.getLong(at + i) != 0;
                }
                yield UnsafeArrayData.fromPrimitiveArray(truths);
            }
        };
    }

    private static float[] floats(Tensor tensor, long at, int count) {
        float[] floats = new float[count];
        if (tensor.dtype() == DType.FLOAT32) {
            FloatBuffer all = tensor.floats();
            all.get((int) at, floats);
            return floats;
        }
        for (int i = 0; i < count; i++) {
            floats[i] = (float) tensor.getDouble(at + i);
        }
        return floats;
    }

    private static double[] doubles(Tensor tensor, long at, int count) {
        double[] doubles = new double[count];
        for (int i = 0; i < count; i++) {
            doubles[i] = tensor.getDouble(at + i);
        }
        return doubles;
    }

    private static long[] longs(Tensor tensor, long at, int count) {
        long[] longs = new long[count];
        for (int i = 0; i < count; i++) {
            longs[i] = tensor.getLong(at + i);
        }
        return longs;
    }

    /** Probabilities, of exponents that are at most 0. */
    private static float[] softmax(double[] scores) {
        double largest = Double.NEGATIVE_INFINITY;
        for (double score : scores) {
            largest = Math.max(largest, score);
        }
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            scores[i] = Math.exp(scores[i] - largest);
            sum += scores[i];
        }
        float[] probabilities = new float[scores.length];
        for (int i = 0; i < scores.length; i++) {
            probabilities[i] = (float) (scores[i] / sum);
        }
        return probabilities;
    }

    /** The first of the largest, NaN being none; null where there are no scores. */
    private static @Nullable Double argmax(double[] scores) {
        if (scores.length == 0) {
            return null;
        }
        int best = 0;
        for (int i = 1; i < scores.length; i++) {
            if (scores[i] > scores[best] || Double.isNaN(scores[best])) {
                best = i;
            }
        }
        return (double) best;
    }
}
