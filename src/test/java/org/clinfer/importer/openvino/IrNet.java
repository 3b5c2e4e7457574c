package org.clinfer.importer.openvino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Networks that tests write: layers one after another, edges between them, and constants in a file of their own. */
final class IrNet {

    /** An output of a layer, with the type that the file says. */
    record Out(int layer, int port, String precision, String dims) {}

    private final StringBuilder layers = new StringBuilder();
    private final StringBuilder edges = new StringBuilder();
    private final ByteArrayOutputStream weights;
    private String version = "11";
    private int count;
    private int results;

    IrNet() {
        this(new ByteArrayOutputStream());
    }

    private IrNet(ByteArrayOutputStream weights) {
        this.weights = weights;
    }

    /** A network that a layer of this one is to run: its constants are in the same file. */
    IrNet inner() {
        return new IrNet(weights);
    }

    /** The layers and edges as an element of a layer. */
    String body(String element) {
        return "<" + element + "><layers>" + layers + "</layers><edges>" + edges + "</edges></" + element + ">";
    }

    IrNet version(String other) {
        version = other;
        return this;
    }

    private static String ports(int first, List<Out> ports) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ports.size(); i++) {
            text.append("<port id=\"").append(first + i).append("\" precision=\"");
            text.append(ports.get(i).precision()).append("\">");
            for (String dim : ports.get(i).dims().isEmpty()
                    ? new String[0]
                    : ports.get(i).dims().split(",", -1)) {
                text.append("<dim>").append(dim).append("</dim>");
            }
            text.append("</port>");
        }
        return text.toString();
    }

    private static String precision(String type) {
        return switch (type) {
            case "f32" -> "FP32";
            case "f16" -> "FP16";
            case "boolean" -> "BOOL";
            case "u1" -> "BIN";
            default -> type.toUpperCase(Locale.ROOT);
        };
    }

    /**
     * A layer with some outputs.
     *
     * @param type the type, perhaps with its operator set behind a colon
     * @param attributes {@code name=value}, with spaces between them
     * @param outputs element types and sizes, such as {@code f32:1,2}
     */
    List<Out> layer(String type, String attributes, List<Out> inputs, String... outputs) {
        return layer(type, attributes, "", inputs, outputs);
    }

    /** A layer that has other elements beside its attributes and ports. */
    List<Out> layer(String type, String attributes, String elements, List<Out> inputs, String... outputs) {
        int id = count++;
        List<Out> given = new ArrayList<>();
        for (int i = 0; i < outputs.length; i++) {
            String[] parts = outputs[i].split(":", -1);
            given.add(new Out(id, inputs.size() + i, precision(parts[0]), parts[1]));
        }
        String[] name = type.split(":", -1);
        layers.append("<layer id=\"" + id + "\" name=\"" + name[0] + "_" + id + "\" type=\"" + name[0] + "\" version=\""
                + (name.length > 1 ? name[1] : "opset1") + "\">");
        if (!attributes.isEmpty()) {
            layers.append("<data ");
            for (String each : attributes.split(" ", -1)) {
                int equals = each.indexOf('=');
                layers.append(each, 0, equals + 1)
                        .append('"')
                        .append(each.substring(equals + 1))
                        .append("\" ");
            }
            layers.append("/>");
        }
        if (!inputs.isEmpty()) {
            layers.append("<input>").append(ports(0, inputs)).append("</input>");
        }
        if (!given.isEmpty()) {
            layers.append("<output>").append(ports(inputs.size(), given)).append("</output>");
        }
        layers.append(elements).append("</layer>\n");
        for (int i = 0; i < inputs.size(); i++) {
            edges.append("<edge from-layer=\"" + inputs.get(i).layer() + "\" from-port=\""
                    + inputs.get(i).port() + "\" to-layer=\"" + id + "\" to-port=\"" + i + "\"/>\n");
        }
        return given;
    }

    /** A layer with one output. */
    Out add(String type, String attributes, String output, Out... inputs) {
        return layer(type, attributes, List.of(inputs), output).get(0);
    }

    Out parameter(String type, String dims) {
        return add("Parameter", "element_type=" + type + " shape=" + dims, type + ":" + dims);
    }

    private static String dims(long... dims) {
        return LongStream.of(dims).mapToObj(String::valueOf).collect(Collectors.joining(","));
    }

    private Out constant(String type, String dims, ByteBuffer bytes) {
        byte[] copied = new byte[bytes.capacity()];
        bytes.get(0, copied);
        int at = weights.size();
        weights.writeBytes(copied);
        String shape = dims.isEmpty() ? "" : " shape=" + dims;
        return add(
                "Const",
                "element_type=" + type + shape + " offset=" + at + " size=" + copied.length,
                type + ":" + dims);
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    Out floats(String dims, float... values) {
        ByteBuffer bytes = buffer(4 * values.length);
        for (float value : values) {
            bytes.putFloat(value);
        }
        return constant("f32", dims, bytes);
    }

    /** A vector of int64. */
    Out longs(long... values) {
        return longs(dims(values.length), values);
    }

    Out longs(String dims, long... values) {
        ByteBuffer bytes = buffer(8 * values.length);
        for (long value : values) {
            bytes.putLong(value);
        }
        return constant("i64", dims, bytes);
    }

    /** An int64 without axes. */
    Out whole(long value) {
        return constant("i64", "", buffer(8).putLong(value));
    }

    Out bytes(String type, String dims, int... values) {
        ByteBuffer bytes = buffer(values.length);
        for (int value : values) {
            bytes.put((byte) value);
        }
        return constant(type, dims, bytes);
    }

    Out halves(String dims, int... bits) {
        ByteBuffer bytes = buffer(2 * bits.length);
        for (int value : bits) {
            bytes.putShort((short) value);
        }
        return constant("f16", dims, bytes);
    }

    /** Makes values the results of the network. */
    IrNet results(Out... outs) {
        for (Out out : outs) {
            result(out);
        }
        return this;
    }

    /** Makes a value a result, and gives the number of that layer. */
    int result(Out out) {
        layer("Result", "", List.of(out));
        results++;
        return count - 1;
    }

    String text() {
        return "<?xml version=\"1.0\"?>\n<net name=\"net\" version=\"" + version + "\">\n<layers>\n" + layers
                + "</layers>\n<edges>\n" + edges + "</edges>\n<rt_info><a value=\"b\"/></rt_info>\n</net>\n";
    }

    byte[] weights() {
        return weights.toByteArray();
    }

    /** Writes the definition as {@code net.xml} beside {@code net.bin}. */
    Path write(Path folder) throws IOException {
        Files.write(folder.resolve("net.bin"), weights());
        return Files.writeString(folder.resolve("net.xml"), text());
    }

    /** The first output on the CPU, for the values of the parameters in order. */
    Tensor run(Path folder, Tensor... inputs) throws IOException {
        return runAll(folder, inputs).get(0);
    }

    List<Tensor> runAll(Path folder, Tensor... inputs) throws IOException {
        Path file = write(folder);
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()))) {
            List<Tensor> outputs = run(engine, file, inputs);
            assertThat(outputs).hasSize(results);
            return outputs;
        }
    }

    static List<Tensor> run(Engine engine, Path file, Tensor... inputs) {
        Graph graph = Importers.builtIn().read(file);
        Map<String, Tensor> named = new LinkedHashMap<>();
        for (int i = 0; i < inputs.length; i++) {
            named.put(graph.inputs().get(i).name(), inputs[i]);
        }
        try (Model model = engine.load(graph);
                Session session = model.session();
                Result result = session.run(named)) {
            return graph.outputs().stream().map(name -> result.get(name).copy()).toList();
        }
    }

    /** Checks that the network is refused with this reason. */
    void refused(Path folder, String message) throws IOException {
        Path file = write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining(message);
    }

    /** Numbers from -2 to 2. */
    static Tensor random(long seed, long... dims) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, dims);
        Random random = new Random(seed);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextFloat() * 4 - 2);
        }
        return tensor;
    }

    static Tensor of(float[] values, long... dims) {
        return Tensor.of(values, dims);
    }

    /** Checks every element. */
    static void same(Tensor actual, double... wanted) {
        double[] values = actual.toDoubleArray();
        assertThat(values).hasSize(wanted.length);
        for (int i = 0; i < wanted.length; i++) {
            assertThat(values[i])
                    .as("element %s", i)
                    .isCloseTo(wanted[i], offset(2e-5 * Math.max(1, Math.abs(wanted[i]))));
        }
    }
}
