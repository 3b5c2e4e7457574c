package org.clinfer.importer.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.DeviceChoice;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.ModelSource;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.tensorflow.proto.FunctionDef;
import org.clinfer.importer.tensorflow.proto.FunctionDefLibrary;
import org.clinfer.importer.tensorflow.proto.GraphDef;
import org.clinfer.importer.tensorflow.proto.OpDef;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions and loops of frozen graphs that data decide, as TensorFlow 1 writes them. */
abstract class FrozenControlContract extends OperatorContract {

    private static final long[] TWO = {2};

    FrozenControlContract(DeviceChoice device) {
        super(device);
    }

    /** An input of two elements, and whether their sum is positive. */
    private static TfGraph start() {
        return sum().number("zero", 0).node("Greater", "positive", "sum zero");
    }

    private static TfGraph sum() {
        return new TfGraph().input("x", 2).integer("axis", 0).node("Sum", "sum", "x axis");
    }

    private void checkBoth(TfGraph graph, float[] ofPositive, float[] ofNegative) throws IOException {
        check(run(graph, Tensor.of(new float[] {1, 2}, 2)), TWO, ofPositive);
        check(run(graph, Tensor.of(new float[] {-1, -2}, 2)), TWO, ofNegative);
    }

    private static float[] of(float... values) {
        return values;
    }

    private Graph read(TfGraph graph) throws IOException {
        return new TensorflowImporter(OpCatalog.builtIn())
                .read(ModelSource.of(graph.write(folder)), UnsupportedLayers.REFUSED);
    }

    @Test
    void aBranchIsChosenInTheRun() throws IOException {
        TfGraph graph = TfControlGraphs.taken(TfControlGraphs.pivots(start(), "cond", "positive"), "cond", "x", "x")
                .node("Neg", "cond/Neg", "cond/x")
                .node("Exp", "cond/Exp", "cond/x:1")
                .node("Merge", "cond/Merge", "cond/Neg cond/Exp", "N=2")
                .node("Abs", "y", "cond/Merge");
        checkBoth(graph, of((float) Math.exp(1), (float) Math.exp(2)), of(1, 2));
    }

    @Test
    void branchesOfConstantsAreToldByTheNodesThatTheyWaitFor() throws IOException {
        TfGraph graph = TfControlGraphs.pivots(start(), "cond", "positive");
        TfControlGraphs.constant(graph, "cond/no", "cond/switch_f", 3, 4);
        TfControlGraphs.constant(graph, "cond/yes", "cond/switch_t", 5, 6);
        graph.node("Merge", "cond/Merge", "cond/no cond/yes", "N=2").node("Neg", "y", "cond/Merge");
        checkBoth(graph, of(-5, -6), of(-3, -4));
        assertThat(read(graph).outputs()).containsExactly("y");
    }

    @Test
    void aBranchMayGiveWhatItTakes() throws IOException {
        TfGraph graph = TfControlGraphs.taken(TfControlGraphs.pivots(start(), "cond", "positive"), "cond", "x", "x");
        TfControlGraphs.constant(graph, "cond/yes", "cond/switch_t", 5, 6);
        graph.node("Merge", "cond/Merge", "cond/x cond/yes", "N=2").node("Identity", "y", "cond/Merge");
        checkBoth(graph, of(5, 6), of(-1, -2));
    }

    @Test
    void theResultsOfAConditionAreThoseOfOneNode() throws IOException {
        TfGraph graph = TfControlGraphs.taken(TfControlGraphs.pivots(start(), "cond", "positive"), "cond", "x", "x")
                .node("Neg", "cond/Neg", "cond/x")
                .node("Abs", "cond/Abs", "cond/Neg")
                .node("Exp", "cond/Exp", "cond/x:1")
                .node("Sqrt", "cond/Sqrt", "cond/Exp")
                .node("Merge", "cond/Merge", "cond/Neg cond/Exp", "N=2")
                .node("Merge", "cond/Merge_1", "cond/Abs cond/Sqrt", "N=2")
                .node("Sub", "y", "cond/Merge cond/Merge_1");
        checkBoth(graph, of((float) (Math.exp(1) - Math.exp(0.5)), (float) (Math.exp(2) - Math.exp(1))), of(0, 0));
        assertThat(read(graph).nodes()).filteredOn(Node::isControl).hasSize(1);
    }

    @Test
    void conditionsFollowOneAnother() throws IOException {
        TfGraph graph =
                TfControlGraphs.pivots(TfControlGraphs.pivots(start(), "cond", "positive"), "cond_1", "positive");
        TfControlGraphs.taken(graph, "cond", "x", "x")
                .node("Neg", "cond/Neg", "cond/x")
                .node("Merge", "Merge", "cond/Neg cond/x:1", "N=2");
        TfControlGraphs.taken(graph, "cond_1", "x", "Merge")
                .node("Neg", "cond_1/Neg", "cond_1/x")
                .node("Square", "cond_1/Square", "cond_1/x:1")
                .node("Merge", "Merge_1", "cond_1/Neg cond_1/Square", "N=2")
                .node("Identity", "y", "Merge_1");
        checkBoth(graph, of(1, 4), of(-1, -2));
    }

    @Test
    void conditionsStandInBranches() throws IOException {
        TfGraph graph = TfControlGraphs.taken(TfControlGraphs.pivots(start(), "cond", "positive"), "cond", "x", "x");
        TfControlGraphs.taken(graph, "cond", "sum", "sum")
                .number("cond/two", 2)
                .with(node -> node.addInput("^cond/switch_t"))
                .node("Greater", "cond/large", "cond/sum:1 cond/two");
        TfControlGraphs.taken(TfControlGraphs.pivots(graph, "cond/inner", "cond/large"), "cond/inner", "x", "cond/x:1");
        TfControlGraphs.constant(graph, "cond/inner/no", "cond/inner/switch_f", 8, 9);
        graph.node("Square", "cond/inner/Square", "cond/inner/x:1")
                .node("Merge", "cond/inner/Merge", "cond/inner/no cond/inner/Square", "N=2")
                .node("Neg", "cond/Neg", "cond/x")
                .node("Merge", "cond/Merge", "cond/Neg cond/inner/Merge", "N=2")
                .node("Identity", "y", "cond/Merge");
        checkBoth(graph, of(1, 4), of(1, 2));
        check(run(graph, Tensor.of(new float[] {0.5f, 0.25f}, 2)), TWO, 8, 9);
    }

    /** Three branches by the sum of x, one of them of a constant, as TensorFlow 2 lowers a Case. */
    private static TfGraph numbered(long branches) {
        TfGraph graph = sum().node("Cast", "number", "sum", "SrcT=DT_FLOAT", "DstT=DT_INT32")
                .node("_SwitchN", "case/x", "x number", "num_outs=" + branches)
                .node("_SwitchN", "case/which", "number number", "num_outs=" + branches)
                .node("Identity", "case/pivot", "case/which:1");
        return TfControlGraphs.constant(graph, "case/constant", "case/pivot", 5, 6)
                .node("Neg", "case/Neg", "case/x")
                .node("Abs", "case/Abs", "case/Neg")
                .node("Square", "case/Square", "case/x:2")
                .node("Merge", "case/Merge", "case/Neg case/constant case/Square", "N=3")
                .node("Merge", "case/Merge_1", "case/Abs case/constant case/x:2", "N=3");
    }

    @ParameterizedTest
    @CsvSource({"1, -1, -2, 0", "2, -1, 0, 0", "3, -1, 6, 2", "4, -1, 12, 2", "-1, -2, 2, 6"})
    void aBranchIsChosenByItsNumber(float first, float second, float y, float z) throws IOException {
        TfGraph graph = numbered(3).node("Sub", "y", "case/Merge case/Merge_1");
        check(run(graph, Tensor.of(new float[] {first, second}, 2)), TWO, y, z);
        assertThat(read(graph).nodes()).filteredOn(Node::isControl).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1L << 40})
    void branchesThatCannotBeNumberedAreRefused(long branches) {
        TfGraph graph = numbered(branches).node("Sub", "y", "case/Merge case/Merge_1");
        assertThatThrownBy(() -> read(graph))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("_SwitchN");
    }

    @Test
    void aGraphThatReadsWhichBranchItWasIsRefused() {
        TfGraph graph = TfControlGraphs.taken(TfControlGraphs.pivots(start(), "cond", "positive"), "cond", "x", "x")
                .node("Neg", "cond/Neg", "cond/x")
                .node("Merge", "cond/Merge", "cond/Neg cond/x:1", "N=2")
                .node("Neg", "y", "cond/Merge:1");
        assertThatThrownBy(() -> read(graph))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("a condition that is not known beforehand");
    }

    @Test
    void aLoopRunsAsOftenAsItsConditionHolds() throws IOException {
        TfGraph graph = sum().node("Cast", "count", "sum", "DstT=int32");
        TfControlGraphs.entered(
                        TfControlGraphs.state(TfControlGraphs.counting(graph, "while", "count"), "while", "a", "x"),
                        "while",
                        "x",
                        "x")
                .node("AddV2", "while/add", "while/a while/x")
                .node("Neg", "while/unread", "while/a");
        TfControlGraphs.next(graph, "while", "a", "while/add").node("Identity", "y", "while/a/Exit");
        checkBoth(graph, of(4, 8), of(-1, -2));
        assertThat(read(graph).outputs()).as("not the counter").containsExactly("y");
    }

    @Test
    void loopsStandInLoops() throws IOException {
        TfGraph graph = new TfGraph().input("x", 2).integer("two", 2);
        TfControlGraphs.state(TfControlGraphs.counting(graph, "outer", "two"), "outer", "a", "x");
        TfControlGraphs.entered(graph, "outer", "three", "three").integer("three", 3);
        TfControlGraphs.state(TfControlGraphs.counting(graph, "inner", "outer/three"), "inner", "b", "outer/a")
                .node("Neg", "inner/Neg", "inner/b");
        TfControlGraphs.next(graph, "inner", "b", "inner/Neg").node("AddV2", "outer/add", "inner/b/Exit inner/b/Exit");
        TfControlGraphs.next(graph, "outer", "a", "outer/add").node("Identity", "y", "outer/a/Exit");
        checkBoth(graph, of(4, 8), of(-4, -8));
    }

    @Test
    void conditionsStandInLoopsAndLoopsInBranches() throws IOException {
        TfGraph graph = start().integer("three", 3);
        TfControlGraphs.taken(TfControlGraphs.pivots(graph, "cond", "positive"), "cond", "x", "x");
        TfControlGraphs.taken(graph, "cond", "three", "three");
        TfControlGraphs.state(TfControlGraphs.counting(graph, "while", "cond/three:1"), "while", "a", "cond/x:1")
                .integer("while/1", 1)
                .with(node -> node.addInput("^while/i"))
                .node("Equal", "while/is", "while/i while/1");
        TfControlGraphs.pivots(graph, "while/cond", "while/is");
        TfControlGraphs.constant(graph, "while/cond/no", "while/cond/switch_f", 2, 3);
        TfControlGraphs.constant(graph, "while/cond/yes", "while/cond/switch_t", 10, 10);
        graph.node("Merge", "while/cond/Merge", "while/cond/no while/cond/yes", "N=2")
                .node("Mul", "while/mul", "while/a while/cond/Merge");
        TfControlGraphs.next(graph, "while", "a", "while/mul")
                .node("Neg", "cond/Neg", "cond/x")
                .node("Merge", "cond/Merge", "cond/Neg while/a/Exit", "N=2")
                .node("Identity", "y", "cond/Merge");
        checkBoth(graph, of(40, 180), of(1, 2));
    }

    @Test
    void arraysAreReadAndWrittenInLoops() throws IOException {
        TfGraph graph = TfControlGraphs.mapped();
        checkBoth(graph, of((float) Math.exp(1), (float) Math.exp(2)), of(1, 2));
    }

    @Test
    void anArrayGrows() throws IOException {
        TfGraph graph = sum().integer("two", 2).integer("3", 3);
        TfControlGraphs.array(graph, "out", "dynamic_size")
                .node("TensorArrayWriteV3", "write", "out 3 sum out:1", "T=float")
                .node("TensorArrayReadV3", "read", "out 3 write", "dtype=float")
                .node("Add", "y", "x read");
        checkBoth(graph, of(4, 5), of(-4, -5));
    }

    @Test
    void aLoopWithoutACircleIsRefused() {
        TfGraph graph = TfControlGraphs.state(start(), "while", "a", "x")
                .node("LoopCond", "while/LoopCond", "positive")
                .node("Neg", "while/a/Next", "while/a")
                .node("Identity", "y", "while/a/Exit");
        assertThatThrownBy(() -> read(graph)).isInstanceOf(UnsupportedException.class);
    }

    @Test
    void functionsOfAFrozenGraphStandWhereTheyAreCalled() throws IOException {
        GraphDef body = new TfGraph().node("Neg", "neg", "a").build();
        FunctionDef.Builder function = FunctionDef.newBuilder()
                .setSignature(OpDef.newBuilder()
                        .setName("__inference_net_12")
                        .addInputArg(OpDef.ArgDef.newBuilder().setName("a"))
                        .addOutputArg(OpDef.ArgDef.newBuilder().setName("b")))
                .addAllNodeDef(body.getNodeList())
                .putRet("b", "neg:y:0");
        GraphDef calling = new TfGraph()
                .input("x", 1, 4).node("__inference_net_12", "y", "x").build().toBuilder()
                        .setLibrary(FunctionDefLibrary.newBuilder().addFunction(function))
                        .build();
        Path file = Files.write(folder.resolve("calling.pb"), calling.toByteArray());
        Graph graph = new TensorflowImporter(OpCatalog.builtIn()).read(ModelSource.of(file), UnsupportedLayers.REFUSED);
        assertThat(graph.outputs()).containsExactly("y");
        assertThat(graph.nodes()).extracting(Node::op).contains("Neg");
    }
}
