package org.clinfer.importer.tflite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.DeviceChoice;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** IF and WHILE with the networks that they run. */
class TfliteControlTest {

    @TempDir
    Path folder;

    /** A network of one operator on two tensors of one type. */
    private static TfliteNet pair(String op, String options, int... shape) {
        TfliteNet net = new TfliteNet();
        int a = net.input("a", "float32", shape);
        int b = net.input("b", "float32", shape);
        int y = net.value("y", "float32", shape);
        return net.op(op, y, options, a, b).output(y);
    }

    /** The sum where a number is above 0, the product where it is not. */
    private static TfliteNet choice() {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 2);
        int by = net.input("by", "float32", 1);
        int zero = net.floats("zero", new float[] {0}, 1);
        int weights = net.floats("weights", new float[] {3, 4}, 2);
        int above = net.value("above", "bool", 1);
        int y = net.value("y", "float32", 2);
        int yes = net.network(pair("ADD", "", 2));
        int no = net.network(pair("MUL", "", 2));
        net.op("GREATER", above, "", by, zero)
                .op("IF", y, "then_subgraph_index=" + yes + " else_subgraph_index=" + no, above, x, weights)
                .output(y);
        return net;
    }

    /** A network that stands in the place of the operator, as exporters of PyTorch write attention and normalizations. */
    @Test
    void compositesAreTheirNetworks() throws IOException {
        TfliteNet inner = new TfliteNet();
        int a = inner.input("a", "float32", 2);
        int b = inner.input("b", "float32", 2);
        int product = inner.value("product", "float32", 2);
        int sum = inner.value("sum", "float32", 2);
        inner.op("MUL", product, "", a, b)
                .op("ADD", sum, "", product, b)
                .output(sum)
                .output(a);
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 2);
        int two = net.floats("two", new float[] {2, 3}, 2);
        int y = net.value("y", "float32", 2);
        int same = net.value("same", "float32", 2);
        int negative = net.value("negative", "float32", 2);
        String options = "name=odml.rms_norm composite_attributes=bytes version=2 decomposition_subgraph_index=";
        net.op("STABLEHLO_COMPOSITE", new int[] {x, two}, new int[] {y, same}, options + net.network(inner));
        net.op("NEG", negative, "", same).output(y).output(negative);
        Map<String, Tensor> results =
                net.run(folder, Map.of("x", TfliteNet.tensor(DType.FLOAT32, new double[] {1, -1}, 2)));
        assertThat(results.keySet()).containsExactly("y", "negative");
        assertThat(Objects.requireNonNull(results.get("y")).toFloatArray()).containsExactly(4, 0);
        assertThat(Objects.requireNonNull(results.get("negative")).toFloatArray())
                .containsExactly(-1, 1);
    }

    @Test
    void branchesAreChosenByData() throws IOException {
        Tensor x = Tensor.of(new float[] {1, 2}, 2);
        TfliteNet net = choice();
        assertThat(net.one(folder, Map.of("x", x, "by", Tensor.of(new float[] {1}, 1)))
                        .toFloatArray())
                .containsExactly(4, 6);
        assertThat(net.one(folder, Map.of("x", x, "by", Tensor.of(new float[] {-1}, 1)))
                        .toFloatArray())
                .containsExactly(3, 8);
        Node node = net.read(folder).nodes().get(1);
        assertThat(node.op()).isEqualTo("If");
        assertThat(node.name()).isEqualTo("y");
    }

    @Test
    @RequiresOpenCl(ClBinding.LWJGL)
    void branchesRunOnTheDevice() throws IOException {
        Tensor x = Tensor.of(new float[] {1, 2}, 2);
        Map<String, Tensor> results = TfliteNet.run(
                choice().write(folder),
                new DeviceChoice.FirstOpenCl(),
                Map.of("x", x, "by", Tensor.of(new float[] {-1}, 1)));
        assertThat(Objects.requireNonNull(results.get("y")).toFloatArray()).containsExactly(3, 8);
    }

    /** Below a limit; the other states do not matter. */
    private static TfliteNet below(float limit, int... shape) {
        TfliteNet net = new TfliteNet();
        int count = net.input("count", "float32");
        net.input("x", "float32", shape);
        int most = net.floats("most", new float[] {limit});
        int y = net.value("is_below", "bool");
        return net.op("LESS", y, "", count, most).output(y);
    }

    /** Counts, and convolves a picture with channels last, which doubles it. */
    private static TfliteNet doubling() {
        TfliteNet net = new TfliteNet();
        int count = net.input("count", "float32");
        int x = net.input("x", "float32", 1, 2, 2, 2);
        int one = net.floats("one", new float[] {1});
        int w = net.floats("w", new float[] {2, 0, 0, 2}, 2, 1, 1, 2);
        int more = net.value("more", "float32");
        int y = net.value("y", "float32", 1, 2, 2, 2);
        return net.op("ADD", more, "", count, one)
                .op("CONV_2D", y, "stride_w=1 stride_h=1", x, w, -1)
                .output(more)
                .output(y);
    }

    private static TfliteNet loop(TfliteNet condition, TfliteNet body, int... shape) {
        TfliteNet net = new TfliteNet();
        int start = net.input("start", "float32");
        int x = net.input("x", "float32", shape);
        int cond = net.network(condition);
        int inner = net.network(body);
        int end = net.value("end", "float32");
        int y = net.value("y", "float32", shape);
        return net.op(
                        "WHILE",
                        new int[] {start, x},
                        new int[] {end, y},
                        "cond_subgraph_index=" + cond + " body_subgraph_index=" + inner)
                .output(end)
                .output(y);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void loopsRunWhileTheirConditionHolds(int count) throws IOException {
        TfliteNet net = loop(below(3, 1, 2, 2, 2), doubling(), 1, 2, 2, 2);
        float[] picture = {1, 2, 3, 4, 5, 6, 7, 8};
        Map<String, Tensor> results =
                net.run(folder, Map.of("start", Tensor.scalar((float) count), "x", Tensor.of(picture, 1, 2, 2, 2)));
        float[] expected = picture.clone();
        for (int i = 0; i < expected.length; i++) {
            expected[i] *= 1 << (3 - count);
        }
        assertThat(Objects.requireNonNull(results.get("y")).toFloatArray()).containsExactly(expected);
        assertThat(Objects.requireNonNull(results.get("end")).toFloatArray()).containsExactly(3);
    }

    @Test
    void iterationsMayChangeSizes() throws IOException {
        TfliteNet twice = new TfliteNet();
        int count = twice.input("count", "float32");
        int x = twice.input("x", "float32", 1);
        int one = twice.floats("one", new float[] {1});
        int more = twice.value("more", "float32");
        int y = twice.value("y", "float32", 1);
        twice.signature(x, -1).signature(y, -1);
        twice.op("ADD", more, "", count, one)
                .op("CONCATENATION", y, "", x, x)
                .output(more)
                .output(y);
        Map<String, Tensor> results = loop(below(3, 1), twice, 1)
                .run(folder, Map.of("start", Tensor.scalar(0f), "x", Tensor.of(new float[] {5}, 1)));
        Tensor all = Objects.requireNonNull(results.get("y"));
        assertThat(all.shape()).isEqualTo(Shape.of(8));
        assertThat(all.toFloatArray()).containsOnly(5);
    }

    @Test
    void quantizedStatesKeepTheirNumbers() throws IOException {
        TfliteNet condition = new TfliteNet();
        int seen = condition.input("x", "int8", 1);
        int limit = condition.bytes("limit", "int8", new byte[] {40}, 1);
        int is = condition.value("is", "bool", 1);
        condition.quantized(seen, 0.5, 0).quantized(limit, 0.5, 0);
        condition.op("LESS", is, "", seen, limit).output(is);
        TfliteNet body = new TfliteNet();
        int x = body.input("x", "int8", 1);
        int sum = body.value("sum", "int8", 1);
        body.quantized(x, 0.5, 0).quantized(sum, 0.5, 0);
        body.op("ADD", sum, "", x, x).output(sum);
        TfliteNet net = new TfliteNet();
        int first = net.input("first", "int8", 1);
        int last = net.value("last", "int8", 1);
        net.quantized(first, 0.5, 0).quantized(last, 0.5, 0);
        int cond = net.network(condition);
        net.op("WHILE", last, "cond_subgraph_index=" + cond + " body_subgraph_index=" + net.network(body), first)
                .output(last);
        Tensor three = TfliteNet.tensor(DType.INT8, new double[] {3}, 1);
        assertThat(net.one(folder, Map.of("first", three)).toLongArray()).containsExactly(48);
    }

    @Test
    void operatorsInBodiesAreRefusedByName() throws IOException {
        TfliteNet body = new TfliteNet();
        int count = body.input("count", "float32");
        int x = body.input("x", "float32", 2);
        int y = body.value("y", "float32", 2);
        body.custom("Mine", y, new byte[0], x).output(count).output(y);
        TfliteNet net = loop(below(3, 2), body, 2);
        assertThatThrownBy(() -> net.read(folder))
                .isInstanceOf(UnsupportedException.class)
                .hasMessage("net.tflite: operator 0 'end/body/y' (Mine): Clinfer has no layer Mine");
        Graph graph = Importers.builtIn().read(net.write(folder), UnsupportedLayers.OPAQUE);
        Node loop = graph.nodes().get(graph.nodes().size() - 1);
        assertThat(loop.op()).isEqualTo("Loop");
        assertThat(loop.body("body").nodes().stream().map(Node::op)).contains("Mine");
    }

    private void malformed(TfliteNet net, String message) {
        assertThatThrownBy(() -> net.read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessage("net.tflite: " + message);
    }

    @Test
    void networksThatDoNotFitAreMalformed() {
        TfliteNet missing = new TfliteNet();
        int x = missing.input("x", "bool");
        missing.op("IF", missing.value("y", "bool"), "then_subgraph_index=1", x).output(1);
        malformed(missing, "operator 0 'y' (IF): there is no network 1 beside the main one");
        TfliteNet real = new TfliteNet();
        int number = real.input("x", "float32", 2);
        real.op("IF", real.value("y", "float32", 2), "", number).output(1);
        malformed(real, "operator 0 'y' (IF): its condition must be one bool, but is 2:float32");
        TfliteNet one = loop(below(3, 2), below(3, 2), 2);
        malformed(one, "operator 0 'end' (WHILE): its networks give 1 tensors, but it names 2");
    }

    /** A body that runs itself, over and over. */
    @Test
    void networksWithinThemselvesAreRefused() {
        TfliteNet body = new TfliteNet();
        int count = body.input("count", "float32");
        int x = body.input("x", "float32", 2);
        int more = body.value("more", "float32");
        int y = body.value("y", "float32", 2);
        body.op("WHILE", new int[] {count, x}, new int[] {more, y}, "cond_subgraph_index=1 body_subgraph_index=2")
                .output(more)
                .output(y);
        assertThatThrownBy(() -> loop(below(3, 2), body, 2).read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("networks are within each other more than 32 deep");
    }

    @Test
    void outputsAreAll() throws IOException {
        assertThat(loop(below(1, 1, 2, 2, 2), doubling(), 1, 2, 2, 2)
                        .read(folder)
                        .outputs())
                .isEqualTo(List.of("end", "y"));
    }
}
