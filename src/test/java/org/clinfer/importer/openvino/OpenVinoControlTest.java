package org.clinfer.importer.openvino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.Importers;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Layers that run networks. */
class OpenVinoControlTest {

    @TempDir
    Path folder;

    private static String input(int number, Out parameter, String more) {
        return "<input external_port_id=\"" + number + "\" internal_layer_id=\"" + parameter.layer() + "\" " + more
                + "/>";
    }

    private static String output(int port, int result, String more) {
        return "<output external_port_id=\"" + port + "\" internal_layer_id=\"" + result + "\" " + more + "/>";
    }

    private static String backEdge(int result, Out parameter) {
        return "<edge from-layer=\"" + result + "\" to-layer=\"" + parameter.layer() + "\"/>";
    }

    private static Tensor truth(boolean value) {
        Tensor truth = Tensor.allocate(DType.BOOL);
        truth.setLong(0, value ? 1 : 0);
        return truth;
    }

    /** One branch doubles, the other adds a constant; both see the same value, one of them twice. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void branches(boolean condition) throws IOException {
        IrNet net = new IrNet();
        Out given = net.parameter("boolean", "");
        Out x = net.parameter("f32", "3");
        IrNet yes = net.inner();
        Out first = yes.parameter("f32", "3");
        Out second = yes.parameter("f32", "3");
        int doubled = yes.result(yes.add("Add", "auto_broadcast=numpy", "f32:3", first, second));
        IrNet no = net.inner();
        Out other = no.parameter("f32", "3");
        int moved = no.result(no.add("Add", "auto_broadcast=numpy", "f32:3", other, no.floats("3", 1, 2, 3)));
        String elements = "<then_port_map>" + input(1, first, "") + input(1, second, "")
                + output(2, doubled, "") + "</then_port_map><else_port_map>" + input(1, other, "")
                + output(2, moved, "") + "</else_port_map>" + yes.body("then_body") + no.body("else_body");
        Out y = net.layer("If:opset8", "", elements, List.of(given, x), "f32:3").get(0);
        Tensor result = net.results(y).run(folder, truth(condition), Tensor.of(new float[] {1, 2, 4}, 3));
        assertThat(result.toFloatArray()).containsExactly(condition ? new float[] {2, 4, 8} : new float[] {2, 4, 7});
    }

    /**
     * A sum over the parts of a value, forwards or backwards, with the sums so far as another output; how many parts there are
     * is known, or not.
     */
    @ParameterizedTest
    @CsvSource({
        "false, 1, 4",
        "true, 1, 4",
        "false, 2, 4",
        "true, 2, 4",
        "false, 1, ?",
        "true, 1, ?",
        "false, 2, ?",
        "true, 2, ?"
    })
    void partsOfAValue(boolean backward, int size, String length) throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2," + length);
        Out start = net.floats("2," + size, new float[2 * size]);
        IrNet inner = net.inner();
        Out part = inner.parameter("f32", "2," + size);
        Out sum = inner.parameter("f32", "2," + size);
        Out added = inner.add("Add", "auto_broadcast=numpy", "f32:2," + size, part, sum);
        int next = inner.result(added);
        int each = inner.result(inner.add("Negative", "", "f32:2," + size, added));
        String slice = "axis=\"1\" part_size=\"" + size + "\" "
                + (backward
                        ? "start=\"-1\" end=\"0\" stride=\"-" + size + "\""
                        : "start=\"0\" end=\"-1\" stride=\"" + size + "\"");
        String elements = "<port_map>" + input(0, part, slice) + input(1, sum, "") + output(2, next, "")
                + output(3, each, slice) + output(4, each, "") + "</port_map><back_edges>" + backEdge(next, sum)
                + "</back_edges>" + inner.body("body");
        List<Out> y = net.layer(
                "TensorIterator", "", elements, List.of(x, start), "f32:2," + size, "f32:2," + length, "f32:2," + size);
        List<Tensor> results = net.results(y.toArray(new Out[0]))
                .runAll(folder, Tensor.of(new float[] {1, 2, 3, 4, 10, 20, 30, 40}, 2, 4));
        float[] last = size == 1 ? new float[] {10, 100} : new float[] {4, 6, 40, 60};
        assertThat(results.get(0).toFloatArray()).containsExactly(last);
        float[] sums;
        if (size == 1) {
            sums = backward
                    ? new float[] {-10, -9, -7, -4, -100, -90, -70, -40}
                    : new float[] {-1, -3, -6, -10, -10, -30, -60, -100};
        } else {
            sums = backward
                    ? new float[] {-4, -6, -3, -4, -40, -60, -30, -40}
                    : new float[] {-1, -2, -4, -6, -10, -20, -40, -60};
        }
        assertThat(results.get(1).shape()).isEqualTo(Shape.of(2, 4));
        assertThat(results.get(1).toFloatArray()).containsExactly(sums);
        for (int i = 0; i < last.length; i++) {
            assertThat(results.get(2).getDouble(i)).isEqualTo(-last[i]);
        }
    }

    /** Doubles until a bound, at most so many times; the number of the iteration is added. */
    @ParameterizedTest
    @CsvSource({"-1, true, 12", "2, true, 5", "9, false, 1", "0, true, 1"})
    void iterationsUnderACondition(long most, boolean start, float wanted) throws IOException {
        IrNet net = new IrNet();
        Out count = net.parameter("i64", "");
        Out goesOn = net.parameter("boolean", "");
        Out x = net.parameter("f32", "1");
        IrNet inner = net.inner();
        Out state = inner.parameter("f32", "1");
        Out number = inner.parameter("i32", "1");
        Out twice = inner.add("Multiply", "auto_broadcast=numpy", "f32:1", state, inner.floats("1", 2));
        Out added = inner.add(
                "Add",
                "auto_broadcast=numpy",
                "f32:1",
                twice,
                inner.add("Convert", "destination_type=f32", "f32:1", number));
        int next = inner.result(added);
        int condition =
                inner.result(inner.add("Less", "auto_broadcast=numpy", "boolean:1", added, inner.floats("1", 10)));
        String elements = "<port_map>" + input(2, state, "")
                + input(-1, number, "purpose=\"current_iteration\"")
                + output(3, next, "") + output(-1, condition, "purpose=\"execution_condition\"")
                + "</port_map><back_edges>" + backEdge(next, state) + "</back_edges>" + inner.body("body");
        Out y = net.layer("Loop:opset5", "", elements, List.of(count, goesOn, x), "f32:1")
                .get(0);
        Tensor trips = Tensor.scalar(most);
        Tensor result = net.results(y).run(folder, trips, truth(start), Tensor.of(new float[] {1}, 1));
        assertThat(result.toFloatArray()).containsExactly(wanted);
    }

    /** A count that is known, and a condition that always or never holds. */
    @ParameterizedTest
    @CsvSource({"1, 8", "0, 2"})
    void iterationsThatAreKnown(int condition, float wanted) throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1");
        IrNet inner = net.inner();
        Out state = inner.parameter("f32", "1");
        int next = inner.result(inner.add("Multiply", "auto_broadcast=numpy", "f32:1", state, inner.floats("1", 2)));
        int end = inner.result(inner.bytes("boolean", "1", condition));
        String elements = "<port_map>" + input(2, state, "") + output(3, next, "") + output(4, next, "axis=\"0\"")
                + output(-1, end, "purpose=\"execution_condition\"") + "</port_map><back_edges>"
                + backEdge(next, state) + "</back_edges>" + inner.body("body");
        List<Out> inputs = List.of(net.whole(3), net.bytes("boolean", "", 1), x);
        List<Out> y = net.layer("Loop:opset5", "", elements, inputs, "f32:1", "f32:?");
        List<Tensor> results = net.results(y.toArray(new Out[0])).runAll(folder, Tensor.of(new float[] {1}, 1));
        assertThat(results.get(0).toFloatArray()).containsExactly(wanted);
        assertThat(results.get(1).toFloatArray())
                .containsExactly(condition == 1 ? new float[] {2, 4, 8} : new float[] {2});
    }

    /** Loops within one another, which are few layers in a file and endlessly many in a graph. */
    @Test
    @Timeout(60)
    void nestsOfLoopsEnd() throws IOException {
        IrNet net = new IrNet();
        IrNet body = net.inner();
        Out part = body.parameter("f32", "1");
        int result = body.result(part);
        for (int i = 0; i < 6; i++) {
            IrNet around = i < 5 ? net.inner() : net;
            Out taken = around.parameter("f32", "1");
            String elements = "<port_map>" + input(0, part, "axis=\"0\"") + output(1, result, "") + "</port_map>"
                    + body.body("body");
            Out counted = around.floats("1000", new float[1000]);
            Out y = around.layer("TensorIterator", "", elements, List.of(counted), "f32:1")
                    .get(0);
            body = around;
            part = taken;
            result = around.result(y);
        }
        refused(net, "have more than 200000 layers");
    }

    @Test
    void bodiesWithGapsAreRefused() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,4");
        IrNet inner = net.inner();
        Out part = inner.parameter("f32", "2,1");
        inner.parameter("f32", "2,1");
        int result = inner.result(part);
        String elements = "<port_map>" + input(0, part, "axis=\"1\" stride=\"2\"") + output(1, result, "")
                + "</port_map>" + inner.body("body");
        refused(
                net.results(net.layer("TensorIterator", "", elements, List.of(x), "f32:2,1")
                        .get(0)),
                "at a stride of 2");
        IrNet other = new IrNet();
        Out y = other.parameter("f32", "2,4");
        refused(
                other.results(other.layer("TensorIterator", "", "", List.of(y), "f32:2,1")
                        .get(0)),
                "it lacks a body");
    }

    private void refused(IrNet net, String why) throws IOException {
        Path file = net.write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining(why);
    }
}
