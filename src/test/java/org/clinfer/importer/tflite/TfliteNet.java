package org.clinfer.importer.tflite;

import com.google.flatbuffers.FlatBufferBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    private static final List<String> TYPES = List.of(
            "float32", "float16", "int32", "uint8", "int64", "string", "bool", "int16", "complex64", "int8", "float64");

    /**
     * A tensor.
     *
     * @param signature the sizes with -1 where they are open; empty where there are none
     * @param scales empty where it is not quantized
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Entry(
            String name,
            String type,
            int[] shape,
            int[] signature,
            byte[] data,
            float[] scales,
            long[] zeros,
            int axis,
            boolean variable,
            boolean sparse) {}

    @SuppressWarnings("ArrayRecordComponent")
    private record Step(String type, int[] inputs, int[] outputs, String options, byte[] custom) {}

    private record Named(String name, int tensor) {}

    private final List<Entry> tensors = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private final List<Integer> inputs = new ArrayList<>();
    private final List<Integer> outputs = new ArrayList<>();
    private final List<Named> inputNames = new ArrayList<>();
    private final List<Named> outputNames = new ArrayList<>();
    private boolean buffersBehind;
    private int version = 3;

    private int add(Entry entry) {
        tensors.add(entry);
        return tensors.size() - 1;
    }

    private static Entry entry(String name, String type, byte[] data, int... shape) {
        return new Entry(name, type, shape, new int[0], data, new float[0], new long[0], 0, false, false);
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
        Entry old = tensors.get(tensor);
        return change(
                tensor,
                new Entry(
                        old.name(),
                        old.type(),
                        old.shape(),
                        old.signature(),
                        old.data(),
                        scales,
                        zeros,
                        axis,
                        old.variable(),
                        old.sparse()));
    }

    /** Opens sizes of a tensor. */
    public TfliteNet signature(int tensor, int... signature) {
        Entry old = tensors.get(tensor);
        return change(
                tensor,
                new Entry(
                        old.name(),
                        old.type(),
                        old.shape(),
                        signature,
                        old.data(),
                        old.scales(),
                        old.zeros(),
                        0,
                        false,
                        false));
    }

    /** Makes a tensor a variable. */
    public TfliteNet variable(int tensor) {
        Entry old = tensors.get(tensor);
        return change(
                tensor,
                new Entry(
                        old.name(),
                        old.type(),
                        old.shape(),
                        new int[0],
                        old.data(),
                        old.scales(),
                        old.zeros(),
                        0,
                        true,
                        false));
    }

    /** Makes a constant one of which only some elements are stored. */
    public TfliteNet sparse(int tensor) {
        Entry old = tensors.get(tensor);
        return change(
                tensor,
                new Entry(
                        old.name(),
                        old.type(),
                        old.shape(),
                        new int[0],
                        old.data(),
                        old.scales(),
                        old.zeros(),
                        0,
                        false,
                        true));
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

    // the file

    private static int ints(FlatBufferBuilder file, int[] values) {
        file.startVector(4, values.length, 4);
        for (int i = values.length - 1; i >= 0; i--) {
            file.addInt(values[i]);
        }
        return file.endVector();
    }

    private static int tables(FlatBufferBuilder file, List<Integer> offsets) {
        return file.createVectorOfTables(
                offsets.stream().mapToInt(Integer::intValue).toArray());
    }

    private int quantization(FlatBufferBuilder file, Entry tensor) {
        if (tensor.scales().length == 0) {
            return 0;
        }
        file.startVector(4, tensor.scales().length, 4);
        for (int i = tensor.scales().length - 1; i >= 0; i--) {
            file.addFloat(tensor.scales()[i]);
        }
        int scales = file.endVector();
        long[] zeros = tensor.zeros();
        file.startVector(8, zeros.length, 8);
        for (int i = zeros.length - 1; i >= 0; i--) {
            file.addLong(zeros[i]);
        }
        int zero = file.endVector();
        file.startTable(7);
        file.addOffset(2, scales, 0);
        file.addOffset(3, zero, 0);
        file.addInt(6, tensor.axis(), 0);
        return file.endTable();
    }

    private int tensor(FlatBufferBuilder file, Entry tensor, int buffer) {
        int name = file.createString(tensor.name());
        int shape = ints(file, tensor.shape());
        int signature = tensor.signature().length == 0 ? 0 : ints(file, tensor.signature());
        int quantization = quantization(file, tensor);
        int sparsity = 0;
        if (tensor.sparse()) {
            file.startTable(3);
            sparsity = file.endTable();
        }
        file.startTable(9);
        file.addOffset(0, shape, 0);
        file.addByte(1, (byte) TYPES.indexOf(tensor.type()), 0);
        file.addInt(2, buffer, 0);
        file.addOffset(3, name, 0);
        file.addOffset(4, quantization, 0);
        file.addBoolean(5, tensor.variable(), false);
        file.addOffset(6, sparsity, 0);
        file.addOffset(7, signature, 0);
        file.addBoolean(8, true, false);
        return file.endTable();
    }

    /** The options of an operator; 0 where none is given. */
    private static int options(FlatBufferBuilder file, TfliteSchema.Builtin builtin, String options) {
        List<TfliteSchema.Field> fields = builtin.fields();
        Map<String, String> given = new LinkedHashMap<>();
        for (String part : options.split(" ", -1)) {
            if (!part.isEmpty()) {
                given.put(part.substring(0, part.indexOf('=')), part.substring(part.indexOf('=') + 1));
            }
        }
        Map<String, Integer> vectors = new LinkedHashMap<>();
        fields.stream()
                .filter(field -> field.kind() == TfliteSchema.Kind.INTS && given.containsKey(field.name()))
                .forEach(field -> vectors.put(field.name(), ints(file, numbers(given.getOrDefault(field.name(), "")))));
        file.startTable(fields.size());
        for (int i = 0; i < fields.size(); i++) {
            TfliteSchema.Field field = fields.get(i);
            String value = given.remove(field.name());
            if (value == null) {
                continue;
            }
            switch (field.kind()) {
                case INTS -> file.addOffset(i, Objects.requireNonNull(vectors.get(field.name())), 0);
                case FLOAT -> file.addFloat(i, Float.parseFloat(value), 0);
                case INT -> file.addInt(i, Integer.parseInt(value), field.otherwise());
                case BYTE, BOOL -> file.addByte(i, Byte.parseByte(value), field.otherwise());
            }
        }
        if (!given.isEmpty()) {
            throw new IllegalArgumentException(builtin.name() + " has no options " + given.keySet());
        }
        return file.endTable();
    }

    private static int[] numbers(String list) {
        return Arrays.stream(list.split(",", -1)).mapToInt(Integer::parseInt).toArray();
    }

    private static TfliteSchema.Builtin builtin(String type) {
        return TfliteSchema.BUILT_IN.operators().stream()
                .filter(each -> each.name().equals(type))
                .findFirst()
                .orElse(new TfliteSchema.Builtin(type, 0, List.of()));
    }

    private static int code(FlatBufferBuilder file, String type) {
        int number = 32;
        for (int i = 0; i < 256; i++) {
            if (TfliteSchema.BUILT_IN
                    .operator(i)
                    .filter(each -> each.name().equals(type))
                    .isPresent()) {
                number = i;
            }
        }
        int custom = number == 32 ? file.createString(type) : 0;
        file.startTable(4);
        file.addByte(0, (byte) Math.min(number, 127), 0);
        file.addOffset(1, custom, 0);
        file.addInt(2, type.equals("BROADCAST_TO") ? 2 : 1, 1);
        file.addInt(3, number, 0);
        return file.endTable();
    }

    private static int step(FlatBufferBuilder file, Step step, int code) {
        TfliteSchema.Builtin builtin = builtin(step.type());
        int from = ints(file, step.inputs());
        int to = ints(file, step.outputs());
        boolean hasOptions = builtin.options() != 0;
        int options = hasOptions ? options(file, builtin, step.options()) : 0;
        int custom = step.custom().length == 0 ? 0 : file.createByteVector(step.custom());
        file.startTable(6);
        file.addInt(0, code, 0);
        file.addOffset(1, from, 0);
        file.addOffset(2, to, 0);
        file.addByte(3, (byte) builtin.options(), 0);
        file.addOffset(4, options, 0);
        file.addOffset(5, custom, 0);
        return file.endTable();
    }

    private static int names(FlatBufferBuilder file, List<Named> names) {
        List<Integer> entries = new ArrayList<>();
        for (Named named : names) {
            int name = file.createString(named.name());
            file.startTable(2);
            file.addOffset(0, name, 0);
            file.addInt(1, named.tensor(), 0);
            entries.add(file.endTable());
        }
        return tables(file, entries);
    }

    private int signature(FlatBufferBuilder file) {
        int from = names(file, inputNames);
        int to = names(file, outputNames);
        int key = file.createString("serving_default");
        file.startTable(5);
        file.addOffset(0, from, 0);
        file.addOffset(1, to, 0);
        file.addOffset(2, key, 0);
        int entry = file.endTable();
        return inputNames.isEmpty() && outputNames.isEmpty() ? 0 : tables(file, List.of(entry));
    }

    /** @param behind where the elements behind the flatbuffer begin; 0 if they are in it */
    private byte[] flatbuffer(long behind) {
        FlatBufferBuilder file = new FlatBufferBuilder();
        List<Integer> buffers = new ArrayList<>();
        file.startTable(3);
        buffers.add(file.endTable());
        List<Integer> entries = new ArrayList<>();
        long offset = behind;
        for (Entry tensor : tensors) {
            boolean constant = tensor.data().length > 0;
            if (constant) {
                int data = 0;
                if (!buffersBehind) {
                    file.startVector(1, tensor.data().length, 16);
                    for (int i = tensor.data().length - 1; i >= 0; i--) {
                        file.addByte(tensor.data()[i]);
                    }
                    data = file.endVector();
                }
                file.startTable(3);
                file.addOffset(0, data, 0);
                file.addLong(1, buffersBehind ? offset : 0, 0);
                file.addLong(2, buffersBehind ? tensor.data().length : 0, 0);
                buffers.add(file.endTable());
                offset += tensor.data().length;
            }
            entries.add(tensor(file, tensor, constant ? buffers.size() - 1 : 0));
        }
        List<String> types = steps.stream().map(Step::type).distinct().toList();
        List<Integer> codes = types.stream().map(type -> code(file, type)).toList();
        List<Integer> operators = steps.stream()
                .map(each -> step(file, each, types.indexOf(each.type())))
                .toList();
        int subgraph = subgraph(file, entries, operators);
        int signature = signature(file);
        int description = file.createString("a test");
        int codeVector = tables(file, codes);
        int subgraphs = tables(file, List.of(subgraph));
        int bufferVector = tables(file, buffers);
        file.startTable(8);
        file.addInt(0, version, 0);
        file.addOffset(1, codeVector, 0);
        file.addOffset(2, subgraphs, 0);
        file.addOffset(3, description, 0);
        file.addOffset(4, bufferVector, 0);
        file.addOffset(7, signature, 0);
        file.finish(file.endTable(), "TFL3");
        return file.sizedByteArray();
    }

    private int subgraph(FlatBufferBuilder file, List<Integer> entries, List<Integer> operators) {
        int all = tables(file, entries);
        int from = ints(file, inputs.stream().mapToInt(Integer::intValue).toArray());
        int to = ints(file, outputs.stream().mapToInt(Integer::intValue).toArray());
        int every = tables(file, operators);
        int name = file.createString("main");
        file.startTable(5);
        file.addOffset(0, all, 0);
        file.addOffset(1, from, 0);
        file.addOffset(2, to, 0);
        file.addOffset(3, every, 0);
        file.addOffset(4, name, 0);
        return file.endTable();
    }

    /** The file. */
    public byte[] bytes() {
        if (!buffersBehind) {
            return flatbuffer(0);
        }
        int length = flatbuffer(1 << 20).length;
        byte[] head = flatbuffer(length);
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
