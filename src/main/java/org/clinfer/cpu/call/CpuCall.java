package org.clinfer.cpu.call;

import java.nio.FloatBuffer;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * One invocation of a CPU operator.
 *
 * @param parameters resolved parameters and scratch values
 * @param inputs in the description's order, variadic ones in place; {@code null} where an optional one is left out
 * @param outputs to be filled completely; their memory holds arbitrary bytes before
 * @param parallel where to run work on several threads
 * @param constants what is the same in every run
 * @param arrays inputs and outputs that lie in arrays of floats
 */
public record CpuCall(
        Parameters parameters,
        List<@Nullable Tensor> inputs,
        List<Tensor> outputs,
        Parallel parallel,
        Constants constants,
        FloatArrays arrays) {

    /**
     * The facts that are known of the inputs beforehand.
     *
     * @param packed forms of them that are kept
     * @param tensors the constant behind each input, null for those that are none; no more than up to the last one
     * @param kept what follows from parameters and types
     */
    public record Constants(PackedWeights packed, List<@Nullable Tensor> tensors, Kept kept) {

        /** Everything may be another in the next run. */
        public static final Constants NONE = new Constants(PackedWeights.none(), List.of(), Kept.nothing());

        public Constants {
            tensors = Collections.unmodifiableList(tensors);
        }
    }

    public CpuCall {
        inputs = Collections.unmodifiableList(inputs);
        outputs = List.copyOf(outputs);
    }

    /** A call whose inputs may all be others in the next run. */
    public CpuCall(Parameters parameters, List<@Nullable Tensor> inputs, List<Tensor> outputs, Parallel parallel) {
        this(parameters, inputs, outputs, parallel, Constants.NONE, FloatArrays.NONE);
    }

    /** A form of an input, which is kept where the input is a constant; see {@link PackedWeights}. */
    public float[] packed(int position, Object form, Supplier<float[]> make) {
        Tensor constant = position < constants.tensors.size() ? constants.tensors.get(position) : null;
        return constants.packed.of(constant, form, make);
    }

    /** The same for a form in bytes. */
    public byte[] packedBytes(int position, Object form, Supplier<byte[]> make) {
        Tensor constant = position < constants.tensors.size() ? constants.tensors.get(position) : null;
        return constants.packed.bytesOf(constant, form, make);
    }

    /**
     * {@return whether {@link #packed} keeps a form of an input that has so many floats; see {@link
     * PackedWeights#keeps}}
     */
    public boolean keeps(int position, Object form, long floats) {
        Tensor constant = position < constants.tensors.size() ? constants.tensors.get(position) : null;
        return constants.packed.keeps(constant, form, floats);
    }

    /** {@return whether the input has the same elements in every run} */
    public boolean isConstant(int position) {
        return position < constants.tensors.size() && constants.tensors.get(position) != null;
    }

    /** The object that follows from the parameters and the types of the tensors alone; see {@link Kept}. */
    public <T> T kept(Class<T> kind, Supplier<T> make) {
        return constants.kept.of(kind, make);
    }

    /**
     * The input at {@code position}.
     *
     * @throws IllegalArgumentException if it was left out
     */
    public Tensor input(int position) {
        Tensor tensor = optionalInput(position);
        if (tensor == null) {
            throw new IllegalArgumentException("input " + position + " was left out");
        }
        return tensor;
    }

    /** The input at {@code position}, or null where it was left out. */
    public @Nullable Tensor optionalInput(int position) {
        return position < inputs.size() ? inputs.get(position) : null;
    }

    public Tensor output() {
        return outputs.get(0);
    }

    /** The elements of an input of float32, wherever they lie; {@link FloatBuffer#hasArray} where in an array. */
    public FloatBuffer floats(int position) {
        FloatBuffer array = arrays.input(position);
        return array == null ? input(position).floats() : array;
    }

    /** A copy of the elements of an input of float32, wherever they lie. */
    public float[] copiedFloats(int position) {
        FloatBuffer floats = floats(position);
        float[] copied = new float[floats.capacity()];
        floats.get(0, copied);
        return copied;
    }

    /** The elements of the output, of float32, wherever they lie. */
    public FloatBuffer outputFloats() {
        FloatBuffer array = arrays.output(0);
        return array == null ? output().floats() : array;
    }
}
