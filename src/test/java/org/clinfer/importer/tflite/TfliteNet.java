package org.clinfer.importer.tflite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Networks that tests write as TensorFlow Lite's flatbuffers. Tensors are known by the numbers that they get. */
public final class TfliteNet {

    /**
     * A tensor.
     *
     * @param signature the sizes with -1 where they are open; empty where there are none
     * @param scales empty where it is not quantized
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Entry(
            String name,
            String type,
            int[] shape,
            int[] signature,
            byte[] data,
            float[] scales,
            long[] zeros,
            int axis,
            boolean variable,
            Optional<Sparsity> sparsity) {

        private Entry quantized(int along, float[] scale, long[] zero) {
            return new Entry(name, type, shape, signature, data, scale, zero, along, variable, sparsity);
        }

        private Entry opened(int[] sizes) {
            return new Entry(name, type, shape, sizes, data, scales, zeros, axis, variable, sparsity);
        }

        private Entry asVariable() {
            return new Entry(name, type, shape, signature, data, scales, zeros, axis, true, sparsity);
        }

        private Entry stored(Sparsity some) {
            return new Entry(name, type, shape, signature, data, scales, zeros, axis, variable, Optional.of(some));
        }
    }

    /**
     * A part of a constant's elements that is stored.
     *
     * @param order the axes in the order in which they are walked, those of blocks behind the tensor's own
     * @param blocks the axes that have blocks
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Sparsity(int[] order, int[] blocks, List<Level> levels) {}

    /**
     * One axis of the walk.
     *
     * @param size of a dense one; a sparse one has segments and indices
     * @param bytes of a segment and of an index: 1, 2 or 4
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Level(int size, int[] segments, int[] indices, int bytes) {

        static Level dense(int size) {
            return new Level(size, new int[0], new int[0], 0);
        }

        static Level sparse(int bytes, int[] segments, int... indices) {
            return new Level(0, segments, indices, bytes);
        }

        boolean isSparse() {
            return bytes > 0;
        }
    }

    @SuppressWarnings("ArrayRecordComponent")
    record Step(String type, int[] inputs, int[] outputs, String options, byte[] custom) {}

    record Named(String name, int tensor) {}

    final List<Entry> tensors = new ArrayList<>();
    final List<Step> steps = new ArrayList<>();
    final List<Integer> inputs = new ArrayList<>();
    final List<Integer> outputs = new ArrayList<>();
    final List<Named> inputNames = new ArrayList<>();
    final List<Named> outputNames = new ArrayList<>();
    final List<TfliteNet> others = new ArrayList<>();
    private boolean buffersBehind;
    private int version = 3;

    private int add(Entry entry) {
        tensors.add(entry);
        return tensors.size() - 1;
    }

    private static Entry entry(String name, String type, byte[] data, int... shape) {
        return new Entry(name, type, shape, new int[0], data, new float[0], new long[0], 0, false, Optional.empty());
    }

    /** A tensor that an operator gives. */
    public int value(String name, String type, int... shape) {
        return add(entry(name, type, new byte[0], shape));
    }

    /** An input of the network. */
    public int input(String name, String type, int... shape) {
        int tensor = value(name, type, shape);
        inputs.add(tensor);
        return tensor;
    }

    /** Makes a tensor an output of the network. */
    public TfliteNet output(int tensor) {
        outputs.add(tensor);
        return this;
    }

    /** A constant of float32. */
    public int floats(String name, float[] values, int... shape) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            bytes.putFloat(value);
        }
        return add(entry(name, "float32", bytes.array(), shape));
    }

    /** A constant of int32. */
    public int ints(String name, int[] values, int... shape) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int value : values) {
            bytes.putInt(value);
        }
        return add(entry(name, "int32", bytes.array(), shape));
    }

    /** A vector of int32. */
    public int vector(String name, int... values) {
        return ints(name, values, values.length);
    }

    /** A constant with these bytes. */
    public int bytes(String name, String type, byte[] data, int... shape) {
        return add(entry(name, type, data, shape));
    }

    private TfliteNet change(int tensor, Entry entry) {
        tensors.set(tensor, entry);
        return this;
    }

    /** Quantizes a tensor with one scale. */
    public TfliteNet quantized(int tensor, double scale, long zero) {
        return quantized(tensor, 0, new float[] {(float) scale}, zero);
    }

    /** Quantizes a tensor with a scale for each index of an axis. */
    public TfliteNet quantized(int tensor, int axis, float[] scales, long... zeros) {
        return change(tensor, tensors.get(tensor).quantized(axis, scales, zeros));
    }

    /** Opens sizes of a tensor. */
    public TfliteNet signature(int tensor, int... signature) {
        return change(tensor, tensors.get(tensor).opened(signature));
    }

    /** Makes a tensor a variable. */
    public TfliteNet variable(int tensor) {
        return change(tensor, tensors.get(tensor).asVariable());
    }

    /** Makes a constant one of which only some elements are stored. */
    TfliteNet sparse(int tensor, Sparsity sparsity) {
        return change(tensor, tensors.get(tensor).stored(sparsity));
    }

    /** Adds a network that an operator may run, and gives its number. */
    int network(TfliteNet other) {
        others.add(other);
        return others.size();
    }

    /** Names an input in the network's signature. */
    public TfliteNet nameInput(String name, int tensor) {
        inputNames.add(new Named(name, tensor));
        return this;
    }

    /** Names an output in the network's signature. */
    public TfliteNet nameOutput(String name, int tensor) {
        outputNames.add(new Named(name, tensor));
        return this;
    }

    /** Writes the elements of constants behind the flatbuffer, as files of more than 2 GB have them. */
    public TfliteNet withBuffersBehind() {
        buffersBehind = true;
        return this;
    }

    TfliteNet version(int other) {
        version = other;
        return this;
    }

    /**
     * An operator.
     *
     * @param options names and values, as {@code padding=1 stride_w=2}
     */
    public TfliteNet op(String type, int[] from, int[] to, String options) {
        steps.add(new Step(type, from, to, options, new byte[0]));
        return this;
    }

    /** An operator of one output. */
    public TfliteNet op(String type, int to, String options, int... from) {
        return op(type, from, new int[] {to}, options);
    }

    /** A custom operator. */
    public TfliteNet custom(String type, int to, byte[] options, int... from) {
        return custom(type, new int[] {to}, options, from);
    }

    /** A custom operator of several outputs. */
    public TfliteNet custom(String type, int[] to, byte[] options, int... from) {
        steps.add(new Step(type, from, to, "", options));
        return this;
    }

    /** The file. */
    public byte[] bytes() {
        TfliteWriter writer = new TfliteWriter(this, version);
        if (!buffersBehind) {
            return writer.bytes(0);
        }
        int length = writer.bytes(1 << 20).length;
        byte[] head = writer.bytes(length);
        List<byte[]> parts = new ArrayList<>(List.of(head));
        tensors.forEach(tensor -> parts.add(tensor.data()));
        ByteBuffer whole =
                ByteBuffer.allocate(parts.stream().mapToInt(part -> part.length).sum());
        parts.forEach(whole::put);
        return whole.array();
    }

    /** Writes the network as {@code net.tflite}. */
    public Path write(Path folder) throws IOException {
        return Files.write(folder.resolve("net.tflite"), bytes());
    }

    /** The network as it is read. */
    Graph read(Path folder) throws IOException {
        return Importers.builtIn().read(write(folder));
    }

    /** The outputs of a run on the CPU. */
    Map<String, Tensor> run(Path folder, Map<String, Tensor> given) throws IOException {
        return run(write(folder), new DeviceChoice.Cpu(), given);
    }

    /** The outputs of a run. */
    static Map<String, Tensor> run(Path model, DeviceChoice device, Map<String, Tensor> given) {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(device));
                Model loaded = engine.load(model);
                Session session = loaded.session();
                Result result = session.run(given)) {
            Map<String, Tensor> results = new LinkedHashMap<>();
            result.outputs().forEach((name, tensor) -> results.put(name, tensor.copy()));
            return results;
        }
    }

    /** The only output of a run on the CPU. */
    Tensor one(Path folder, Map<String, Tensor> given) throws IOException {
        return List.copyOf(run(folder, given).values()).get(0);
    }

    /** A tensor of a type with these elements. */
    static Tensor tensor(DType dtype, double[] values, long... sizes) {
        Tensor tensor = Tensor.allocate(dtype, sizes);
        tensor.setDoubles(values);
        return tensor;
    }
}
