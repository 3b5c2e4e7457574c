package org.clinfer.importer.tflite;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The flatbuffer of a test's network, and of those that its operators run. */
final class TfliteWriter {

    private static final List<String> TYPES = List.of(
            "float32",
            "float16",
            "int32",
            "uint8",
            "int64",
            "string",
            "bool",
            "int16",
            "complex64",
            "int8",
            "float64",
            "complex128",
            "uint64",
            "resource");

    /** The bytes of an element of the vectors that a sparse axis may have, by their numbers in the union. */
    private static final List<Integer> VECTORS = List.of(0, Integer.BYTES, Short.BYTES, Byte.BYTES);

    private final TfliteNet net;
    private final int version;
    private FlatBufferBuilder file = new FlatBufferBuilder();
    private List<Integer> buffers = new ArrayList<>();
    private long behind;

    TfliteWriter(TfliteNet net, int version) {
        this.net = net;
        this.version = version;
    }

    /** @param elements where the elements behind the flatbuffer begin; 0 if they are in it */
    byte[] bytes(long elements) {
        file = new FlatBufferBuilder();
        buffers = new ArrayList<>();
        behind = elements;
        write();
        return file.sizedByteArray();
    }

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

    private static int quantization(FlatBufferBuilder file, TfliteNet.Entry tensor) {
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

    private static int sparsity(FlatBufferBuilder file, TfliteNet.Sparsity sparsity) {
        List<Integer> levels =
                sparsity.levels().stream().map(level -> level(file, level)).toList();
        int order = ints(file, sparsity.order());
        int blocks = sparsity.blocks().length == 0 ? 0 : ints(file, sparsity.blocks());
        int metadata = tables(file, levels);
        file.startTable(3);
        file.addOffset(0, order, 0);
        file.addOffset(1, blocks, 0);
        file.addOffset(2, metadata, 0);
        return file.endTable();
    }

    private static int level(FlatBufferBuilder file, TfliteNet.Level level) {
        int segments = level.isSparse() ? numbers(file, level.segments(), level.bytes()) : 0;
        int indices = level.isSparse() ? numbers(file, level.indices(), level.bytes()) : 0;
        byte kind = (byte) VECTORS.indexOf(level.bytes());
        file.startTable(6);
        file.addByte(0, (byte) (level.isSparse() ? 1 : 0), 0);
        file.addInt(1, level.size(), 0);
        file.addByte(2, kind, 0);
        file.addOffset(3, segments, 0);
        file.addByte(4, kind, 0);
        file.addOffset(5, indices, 0);
        return file.endTable();
    }

    /** A table with one vector of numbers. */
    private static int numbers(FlatBufferBuilder file, int[] values, int bytes) {
        file.startVector(bytes, values.length, 4);
        for (int i = values.length - 1; i >= 0; i--) {
            switch (bytes) {
                case 1 -> file.addByte((byte) values[i]);
                case 2 -> file.addShort((short) values[i]);
                default -> file.addInt(values[i]);
            }
        }
        int vector = file.endVector();
        file.startTable(1);
        file.addOffset(0, vector, 0);
        return file.endTable();
    }

    private static int tensor(FlatBufferBuilder file, TfliteNet.Entry tensor, int buffer) {
        int name = file.createString(tensor.name());
        int shape = ints(file, tensor.shape());
        int signature = tensor.signature().length == 0 ? 0 : ints(file, tensor.signature());
        int quantization = quantization(file, tensor);
        int sparsity = tensor.sparsity().map(some -> sparsity(file, some)).orElse(0);
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
        fields.stream()
                .filter(field -> field.kind() == TfliteSchema.Kind.TEXT && given.containsKey(field.name()))
                .forEach(field -> vectors.put(field.name(), file.createString(given.getOrDefault(field.name(), ""))));
        fields.stream()
                .filter(field -> field.kind() == TfliteSchema.Kind.FLOATS && given.containsKey(field.name()))
                .forEach(field -> vectors.put(field.name(), reals(file, given.getOrDefault(field.name(), ""))));
        fields.stream()
                .filter(field -> field.kind() == TfliteSchema.Kind.BYTES && given.containsKey(field.name()))
                .forEach(field -> vectors.put(
                        field.name(),
                        file.createByteVector(
                                given.getOrDefault(field.name(), "").getBytes(StandardCharsets.UTF_8))));
        file.startTable(fields.size());
        for (int i = 0; i < fields.size(); i++) {
            TfliteSchema.Field field = fields.get(i);
            String value = given.remove(field.name());
            if (value == null) {
                continue;
            }
            switch (field.kind()) {
                case INTS, FLOATS, BYTES, TEXT ->
                    file.addOffset(i, Objects.requireNonNull(vectors.get(field.name())), 0);
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

    private static int reals(FlatBufferBuilder file, String list) {
        String[] numbers = list.split(",", -1);
        file.startVector(4, numbers.length, 4);
        for (int i = numbers.length - 1; i >= 0; i--) {
            file.addFloat(Float.parseFloat(numbers[i]));
        }
        return file.endVector();
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

    private static int step(FlatBufferBuilder file, TfliteNet.Step step, int code) {
        TfliteSchema.Builtin builtin = builtin(step.type());
        int from = ints(file, step.inputs());
        int to = ints(file, step.outputs());
        boolean hasOptions = builtin.options() != 0;
        int options = hasOptions ? options(file, builtin, step.options()) : 0;
        int custom = step.custom().length == 0 ? 0 : file.createByteVector(step.custom());
        boolean isSecond = step.type().startsWith("STABLEHLO") || step.type().equals("DILATE");
        file.startTable(13);
        file.addInt(0, code, 0);
        file.addOffset(1, from, 0);
        file.addOffset(2, to, 0);
        file.addByte(isSecond ? 11 : 3, (byte) builtin.options(), 0);
        file.addOffset(isSecond ? 12 : 4, options, 0);
        file.addOffset(5, custom, 0);
        return file.endTable();
    }

    private static int names(FlatBufferBuilder file, List<TfliteNet.Named> names) {
        List<Integer> entries = new ArrayList<>();
        for (TfliteNet.Named named : names) {
            int name = file.createString(named.name());
            file.startTable(2);
            file.addOffset(0, name, 0);
            file.addInt(1, named.tensor(), 0);
            entries.add(file.endTable());
        }
        return tables(file, entries);
    }

    private int signature() {
        int from = names(file, net.inputNames);
        int to = names(file, net.outputNames);
        int key = file.createString("serving_default");
        file.startTable(5);
        file.addOffset(0, from, 0);
        file.addOffset(1, to, 0);
        file.addOffset(2, key, 0);
        int entry = file.endTable();
        return net.inputNames.isEmpty() && net.outputNames.isEmpty() ? 0 : tables(file, List.of(entry));
    }

    private void write() {
        file.startTable(3);
        buffers.add(file.endTable());
        List<TfliteNet> nets =
                Stream.concat(Stream.of(net), net.others.stream()).toList();
        List<String> types = nets.stream()
                .flatMap(each -> each.steps.stream())
                .map(TfliteNet.Step::type)
                .distinct()
                .toList();
        List<Integer> codes = types.stream().map(type -> code(file, type)).toList();
        List<Integer> networks =
                nets.stream().map(each -> subgraph(each, types)).toList();
        int signature = signature();
        int description = file.createString("a test");
        int codeVector = tables(file, codes);
        int subgraphs = tables(file, networks);
        int bufferVector = tables(file, buffers);
        file.startTable(8);
        file.addInt(0, version, 0);
        file.addOffset(1, codeVector, 0);
        file.addOffset(2, subgraphs, 0);
        file.addOffset(3, description, 0);
        file.addOffset(4, bufferVector, 0);
        file.addOffset(7, signature, 0);
        file.finish(file.endTable(), "TFL3");
    }

    /** The number of the buffer of a tensor, which is written; that without elements for a tensor that is no constant. */
    private int buffer(byte[] elements) {
        if (elements.length == 0) {
            return 0;
        }
        int data = 0;
        if (behind == 0) {
            file.startVector(1, elements.length, 16);
            for (int i = elements.length - 1; i >= 0; i--) {
                file.addByte(elements[i]);
            }
            data = file.endVector();
        }
        file.startTable(3);
        file.addOffset(0, data, 0);
        file.addLong(1, behind, 0);
        file.addLong(2, behind == 0 ? 0 : elements.length, 0);
        buffers.add(file.endTable());
        behind += behind == 0 ? 0 : elements.length;
        return buffers.size() - 1;
    }

    private int subgraph(TfliteNet network, List<String> types) {
        List<Integer> entries = new ArrayList<>();
        for (TfliteNet.Entry tensor : network.tensors) {
            entries.add(tensor(file, tensor, buffer(tensor.data())));
        }
        List<Integer> operators = network.steps.stream()
                .map(each -> step(file, each, types.indexOf(each.type())))
                .toList();
        int all = tables(file, entries);
        int from =
                ints(file, network.inputs.stream().mapToInt(Integer::intValue).toArray());
        int to = ints(file, network.outputs.stream().mapToInt(Integer::intValue).toArray());
        int every = tables(file, operators);
        int name = file.createString("network");
        file.startTable(5);
        file.addOffset(0, all, 0);
        file.addOffset(1, from, 0);
        file.addOffset(2, to, 0);
        file.addOffset(3, every, 0);
        file.addOffset(4, name, 0);
        return file.endTable();
    }
}
