package org.clinfer.importer.tflite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Variables, and the networks that fill them before the first run. */
class TfliteVariablesTest {

    private static final float[] ONE = {3, 4};
    private static final float[] OTHER = {10, 20};

    @TempDir
    Path folder;

    private static int handle(TfliteNet net, String variable) {
        int handle = net.value("handle_" + variable, "resource");
        net.op("VAR_HANDLE", handle, "shared_name=" + variable);
        return handle;
    }

    private static void assign(TfliteNet net, int handle, int value) {
        net.op("ASSIGN_VARIABLE", new int[] {handle, value}, new int[0], "");
    }

    private static int read(TfliteNet net, int handle, String name) {
        int value = net.value(name, "float32", 2);
        net.op("READ_VARIABLE", value, "", handle);
        return value;
    }

    /** A network that fills two variables. */
    private static void fill(TfliteNet net) {
        TfliteNet once = new TfliteNet();
        assign(once, handle(once, "one"), once.floats("first", ONE, 2));
        assign(once, handle(once, "other"), once.floats("second", OTHER, 2));
        int number = net.network(once);
        net.op("CALL_ONCE", new int[0], new int[0], "init_subgraph_index=" + number);
    }

    private float[] run(TfliteNet net, float... x) throws IOException {
        return net.one(folder, Map.of("x", Tensor.of(x, 2))).toFloatArray();
    }

    @Test
    void variablesHaveWhatFilledThem() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 2);
        int sum = net.value("sum", "float32", 2);
        int y = net.value("y", "float32", 2);
        fill(net);
        net.op("ADD", sum, "", x, read(net, handle(net, "one"), "a"))
                .op("MUL", y, "", sum, read(net, handle(net, "other"), "b"))
                .output(y);
        assertThat(run(net, 1, 2)).containsExactly(40, 120);
        assertThat(net.read(folder).nodes()).extracting(Node::op).containsExactly("Add", "Mul");
    }

    @Test
    void aVariableMayBeAnOutput() throws IOException {
        TfliteNet net = new TfliteNet();
        net.input("x", "float32", 2);
        fill(net);
        net.output(read(net, handle(net, "other"), "y"));
        assertThat(run(net, 1, 2)).containsExactly(OTHER);
    }

    @Test
    void branchesReadThem() throws IOException {
        TfliteNet yes = new TfliteNet();
        int given = yes.input("x", "float32", 2);
        int sum = yes.value("y", "float32", 2);
        yes.op("ADD", sum, "", given, read(yes, handle(yes, "one"), "a")).output(sum);
        TfliteNet no = new TfliteNet();
        no.output(no.input("x", "float32", 2));
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 2);
        int above = net.value("above", "bool", 1);
        int y = net.value("y", "float32", 2);
        fill(net);
        int first = net.value("least", "float32", 1);
        net.op("REDUCE_MIN", first, "keep_dims=1", x, net.vector("axis", 0))
                .op("GREATER", above, "", first, net.floats("zero", new float[] {0}, 1))
                .op(
                        "IF",
                        y,
                        "then_subgraph_index=" + net.network(yes) + " else_subgraph_index=" + net.network(no),
                        above,
                        x)
                .output(y);
        assertThat(run(net, 1, 2)).containsExactly(4, 6);
        assertThat(run(net, -1, 2)).containsExactly(-1, 2);
    }

    /** Nothing is kept from one run to the next where a run assigns before it reads. */
    @Test
    void aRunMayAssignBeforeItReads() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 2);
        int twice = net.value("twice", "float32", 2);
        int y = net.value("y", "float32", 2);
        fill(net);
        int handle = handle(net, "one");
        net.op("ADD", twice, "", x, x);
        assign(net, handle, twice);
        net.op("MUL", y, "", x, read(net, handle, "a")).output(y);
        assertThat(run(net, 1, 2)).containsExactly(2, 8);
    }

    private void refused(TfliteNet net, String message) {
        assertThatThrownBy(() -> net.read(folder))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining(message);
    }

    @Test
    void whatIsKeptFromRunToRunIsRefused() {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 2);
        int y = net.value("y", "float32", 2);
        fill(net);
        int handle = handle(net, "one");
        net.op("ADD", y, "", x, read(net, handle, "a")).output(y);
        assign(net, handle, y);
        refused(
                net,
                "layer ASSIGN_VARIABLE with a variable that is read before, which keeps its elements from one run");
    }

    @Test
    void variablesThatNothingFillsAreRefused() {
        TfliteNet net = new TfliteNet();
        net.input("x", "float32", 2);
        fill(net);
        net.output(read(net, handle(net, "third"), "y"));
        refused(net, "layer READ_VARIABLE with a variable that nothing has filled");
    }
}
