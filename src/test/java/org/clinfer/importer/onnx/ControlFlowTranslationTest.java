package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.BOOL;
import static org.clinfer.importer.onnx.TestModel.FLOAT;
import static org.clinfer.importer.onnx.TestModel.INT64;
import static org.clinfer.importer.onnx.TestModel.graph;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.onnx.export.OnnxExporter;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** If, Loop and Scan that are written out, and those that cannot be. */
class ControlFlowTranslationTest {

    @TempDir
    private Path folder;

    private static TestModel body() {
        return TestModel.opset(18);
    }

    private float[] run(TestModel test, String output, float... x) {
        float[] found = run(test.write(folder), output, x);
        assertThat(run(converted(test), output, x)).isEqualTo(found);
        return found;
    }

    private static float[] run(Path file, String output, float... x) {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(file);
                Session session = model.session();
                Result result = session.run(Map.of("x", Tensor.of(x, 2, x.length / 2)))) {
            return result.get(output).toFloatArray();
        }
    }

    /** The model as it is written again. */
    private Path converted(TestModel test) {
        Path file = folder.resolve("converted.onnx");
        try (OutputStream out = Files.newOutputStream(file)) {
            new OnnxExporter(OpCatalog.builtIn()).content(test.read(folder)).writeTo(out);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return file;
    }

    /** As exporters write what depends on whether an axis has one element. */
    private static TestModel branches(long columns) {
        TestModel yes = body().reals("half", 0.5f).node("Mul", "r,half", "a").output("a");
        TestModel no = body().node("Add", "r,x", "a").node("Neg", "a", "b").output("b");
        return TestModel.opset(18)
                .input("x", 2, columns)
                .longs("one", 1)
                .node("Relu", "x", "r")
                .node("Shape", "r", "shape")
                .node("Gather", "shape,one", "columns")
                .node("Equal", "columns,one", "single")
                .node("If", "single", "y", graph("then_branch", yes), graph("else_branch", no))
                .output("y");
    }

    @Test
    void theBranchThatAKnownConditionChooses() {
        assertThat(run(branches(1), "y", 3, -2)).containsExactly(1.5f, 0);
        assertThat(run(branches(2), "y", 3, -2, 4, 1)).containsExactly(-6, 2, -8, -2);
        List<String> names =
                branches(2).read(folder).nodes().stream().map(Node::name).toList();
        assertThat(names).contains("if/add", "if/neg").doesNotContain("if/mul");
    }

    /** The branch that the sign of the sum of x chooses. */
    private static TestModel chosen(TestModel yes, TestModel no) {
        return TestModel.opset(18)
                .input("x", 2, 2)
                .reals("none", 0)
                .node("ReduceSum", "x", "sum")
                .node("Greater", "sum,none", "c")
                .node("If", "c", "y", graph("then_branch", yes), graph("else_branch", no))
                .output("y");
    }

    /** Quantizers put the nodes whose values only branches read behind the condition. */
    @Test
    void nodesAreInAnyOrder() {
        TestModel plus = body().node("Add", "x,late", "p").output("p");
        TestModel minus = body().node("Neg", "late", "m").output("m");
        TestModel model = chosen(plus, minus).node("Mul", "x,twice", "late").reals("two", 2);
        model.node("Identity", "two", "twice");
        assertThat(run(model, "y", 1, 2, 3, 4)).containsExactly(3, 6, 9, 12);
        assertThat(run(model, "y", 1, 2, -3, -4)).containsExactly(-2, -4, 6, 8);
        TestModel circle = model.node("Add", "round,x", "about").node("Neg", "about", "round");
        assertThatThrownBy(() -> circle.output("round").read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("round");
    }

    /** As exporters write a recurrent network within what depends on a rate: conditions upon conditions. */
    @Test
    void aBranchReadsWhatABranchBesideItGave() {
        TestModel plus = body().node("Add", "x,x", "p").output("p");
        TestModel minus = body().node("Neg", "x", "m").output("m");
        TestModel reads = body().node("Shape", "first", "shape")
                .node("Cast", "shape", "s", integer("to", FLOAT))
                .node("ReduceSum", "s", "size")
                .node("Mul", "first,size", "a")
                .output("a");
        TestModel leaves = body().node("Identity", "x", "b").output("b");
        TestModel yes = body().node("ReduceMax", "x", "most")
                .node("Greater", "most,three", "d")
                .node("If", "d", "first", graph("then_branch", plus), graph("else_branch", minus))
                .node("If", "d", "second", graph("then_branch", leaves), graph("else_branch", reads))
                .output("second");
        TestModel test = TestModel.opset(18)
                .input("x", 2, 2)
                .reals("none", 0)
                .reals("three", 3)
                .node("ReduceSum", "x", "sum")
                .node("Greater", "sum,none", "c")
                .node(
                        "If",
                        "c",
                        "y",
                        graph("then_branch", yes),
                        graph("else_branch", body().node("Relu", "x", "r").output("r")))
                .output("y");
        assertThat(run(test, "y", 1, 2, 3, -1)).containsExactly(-4, -8, -12, 4);
        assertThat(run(test, "y", 1, 2, 3, 5)).containsExactly(1, 2, 3, 5);
        assertThat(run(test, "y", -1, 2, -3, -1)).containsExactly(0, 2, 0, 0);
    }

    @Test
    void resultsOfBothBranchesWhereDataChoose() {
        TestModel yes = body().node("Neg", "x", "a").output("a");
        TestModel no = body().node("Mul", "x,x", "m").node("Add", "m,x", "a").output("a");
        assertThat(run(chosen(yes, no), "y", 1, 2, 3, -4)).containsExactly(-1, -2, -3, 4);
        assertThat(run(chosen(yes, no), "y", 1, 2, 3, -7)).containsExactly(2, 6, 12, 42);
    }

    @Test
    void branchesOfOtherOperatorsAndSizes() {
        TestModel yes = body().node("Neg", "x", "a").output("a");
        TestModel lesser = body().node("ReduceMax", "x", "m", integer("keepdims", 0))
                .node("Add", "m,m", "a")
                .output("a");
        assertThat(run(chosen(yes, lesser), "y", 1, 2, 3, -4)).containsExactly(-1, -2, -3, 4);
        assertThat(run(chosen(yes, lesser), "y", 1, 2, 3, -7)).containsExactly(6);
        assertThat(chosen(yes, lesser).read(folder).nodes())
                .filteredOn(Node::isControl)
                .singleElement()
                .satisfies(node -> assertThat(node.bodies().keySet()).containsExactly("then_branch", "else_branch"));
    }

    /** What a branch gives has its size when it has run: another branch and a Slice behind it depend on it. */
    @Test
    void branchesBehindBranches() {
        TestModel yes = body().node("Concat", "x,x", "a", integer("axis", 0)).output("a");
        TestModel no = body().node("Identity", "x", "a").output("a");
        TestModel high = body().node("Neg", "y", "b").output("b");
        TestModel low = body().node("Add", "y,x", "b").output("b");
        TestModel model = chosen(yes, no)
                .longs("zero", 0)
                .longs("two", 2)
                .node("Shape", "y", "shape")
                .node("Gather", "shape,zero", "rows")
                .node("Greater", "rows,two", "tall")
                .node("If", "tall", "z", graph("then_branch", high), graph("else_branch", low))
                .longs("last", -1)
                .node("Sub", "rows,two", "first")
                .node("Slice", "z,first,rows,zero", "tail")
                .output("z", "tail");
        assertThat(run(model, "z", 1, 2, 3, 4)).containsExactly(-1, -2, -3, -4, -1, -2, -3, -4);
        assertThat(run(model, "z", 1, 2, 3, -7)).containsExactly(2, 4, 6, -14);
        assertThat(run(model, "tail", 1, 2, 3, 4)).containsExactly(-1, -2, -3, -4);
    }

    @Test
    void aBranchWithinABranch() {
        TestModel inner = body().node("Mul", "r,x", "p").output("p");
        TestModel other = body().node("Sub", "r,x", "p").output("p");
        TestModel yes = body().node("Add", "x,x", "r")
                .reals("big", 100)
                .node("Greater", "sum,big", "d")
                .node("If", "d", "q", graph("then_branch", inner), graph("else_branch", other))
                .output("q");
        TestModel no = body().node("Neg", "x", "q").output("q");
        assertThat(run(chosen(yes, no), "y", 100, 1, 1, 1)).containsExactly(20000, 2, 2, 2);
        assertThat(run(chosen(yes, no), "y", 1, 2, 3, 4)).containsExactly(1, 2, 3, 4);
        assertThat(run(chosen(yes, no), "y", -1, -2, 0.5f, 1)).containsExactly(1, 2, -0.5f, -1);
    }

    /** Constants are there once, and both branches and the graph around them read them. */
    @Test
    void branchesReadConstantsAndInputsOfTheGraphAroundThem() {
        TestModel yes = body().node("MatMul", "x,w", "a").output("a");
        TestModel no = body().node("Add", "x,w", "a").output("a");
        TestModel model = chosen(yes, no)
                .initializer(TestModel.tensor("w", FLOAT, 2, 2)
                        .addFloatData(1)
                        .addFloatData(2)
                        .addFloatData(3)
                        .addFloatData(4))
                .node("Mul", "y,w", "z")
                .output("z");
        assertThat(run(model, "z", 1, 0, 0, 1)).containsExactly(1, 4, 9, 16);
        assertThat(run(model, "z", -1, 0, 0, -1)).containsExactly(0, 4, 9, 12);
    }

    private static TestModel loop(long iterations, TestModel body) {
        return TestModel.opset(18)
                .input("x", 2, 2)
                .longs("iterations", iterations)
                .node("Loop", "iterations,,x", "y,list", graph("body", body))
                .output("y", "list");
    }

    private static TestModel iteration() {
        TestModel body = body().longs("two", 2);
        body.graph().addInput(TestModel.info("i", INT64));
        body.graph().addInput(TestModel.info("before", BOOL));
        body.graph().addInput(TestModel.info("v", FLOAT, 2, 2));
        return body.node("Add", "v,x", "next")
                .node("Identity", "v", "seen")
                .node("Less", "i,two", "after")
                .output("after", "next", "seen");
    }

    @Test
    void turnsOfALoopOneAfterTheOther() {
        assertThat(run(loop(2, iteration()), "y", 1, 2, 3, 4)).containsExactly(3, 6, 9, 12);
        assertThat(run(loop(2, iteration()), "list", 1, 2, 3, 4)).containsExactly(1, 2, 3, 4, 2, 4, 6, 8);
    }

    @Test
    void aLoopEndsWhereItsConditionIsKnownToFail() {
        assertThat(run(loop(9, iteration()), "y", 1, 2, 3, 4)).containsExactly(4, 8, 12, 16);
    }

    private static TestModel endless() {
        TestModel body = iteration();
        body.graph()
                .setNode(
                        2,
                        body.graph().getNode(2).toBuilder()
                                .setOpType("GreaterOrEqual")
                                .setInput(1, "i"));
        return body;
    }

    @Test
    @Timeout(60)
    void aLoopWithoutEndIsRefused() {
        assertThatThrownBy(() -> loop(1L << 62, endless()).read(folder))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("more than 2147483647 iterations");
        TestModel unbounded = TestModel.opset(18)
                .input("x", 2, 2)
                .node("Loop", ",,x", "y,list", graph("body", endless()))
                .output("y");
        assertThatThrownBy(() -> unbounded.read(folder))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("more than 2147483647 iterations");
    }

    @Test
    void aLongLoopIsNotWrittenOut() {
        TestModel model = loop(3000, endless());
        assertThat(model.read(folder).nodes()).hasSizeLessThan(4).anyMatch(Node::isControl);
        assertThat(run(model, "y", 1, 2, 3, 0)).containsExactly(3001, 6002, 9003, 0);
    }

    private Map<String, float[]> run(TestModel test, Map<String, Tensor> inputs) {
        Map<String, float[]> found = new TreeMap<>();
        for (DeviceChoice device : List.of(new DeviceChoice.Cpu(), new DeviceChoice.Auto())) {
            try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(device));
                    Model model = engine.load(test.write(folder));
                    Session session = model.session()) {
                for (int run = 0; run < 2; run++) {
                    try (Result result = session.run(inputs)) {
                        result.outputs().forEach((name, tensor) -> {
                            float[] elements = tensor.to(DType.FLOAT32).toFloatArray();
                            float[] before = found.putIfAbsent(name, elements);
                            assertThat(elements).as(name).containsExactly(before == null ? elements : before);
                        });
                    }
                }
            }
        }
        return found;
    }

    @Test
    void turnsThatAnInputCounts() {
        TestModel model = TestModel.opset(18)
                .input("x", 2, 2)
                .typed("iterations", INT64, 1)
                .node("Loop", "iterations,,x", "y,list", graph("body", iteration()))
                .output("y", "list");
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, 2, 2);
        Map<String, float[]> two = run(model, Map.of("x", x, "iterations", Tensor.of(new long[] {2}, 1)));
        assertThat(two.get("y")).containsExactly(3, 6, 9, 12);
        assertThat(two.get("list")).containsExactly(1, 2, 3, 4, 2, 4, 6, 8);
        Map<String, float[]> many = run(model, Map.of("x", x, "iterations", Tensor.of(new long[] {9}, 1)));
        assertThat(many.get("y")).containsExactly(4, 8, 12, 16);
        Map<String, float[]> none = run(model, Map.of("x", x, "iterations", Tensor.of(new long[] {0}, 1)));
        assertThat(none.get("y")).containsExactly(1, 2, 3, 4);
        assertThat(none.get("list")).isEmpty();
    }

    /** Grows a row with each iteration while its last sum is below a limit. */
    @Test
    void aLoopThatDataEndAndThatChangesSizes() {
        TestModel body = body().longs("zero", 0).reals("limit", 40);
        body.graph().addInput(TestModel.info("i", INT64));
        body.graph().addInput(TestModel.info("before", BOOL));
        body.graph().addInput(TestModel.info("v", FLOAT, -1, 2));
        body.node("Concat", "v,x", "next", integer("axis", 0))
                .node("ReduceSum", "next", "total", integer("keepdims", 0))
                .node("Less", "total,limit", "after")
                .output("after", "next", "total");
        TestModel model = TestModel.opset(18)
                .input("x", 1, 2)
                .node("Loop", ",,x", "y,totals", graph("body", body))
                .output("y", "totals");
        Map<String, float[]> found = run(model, Map.of("x", Tensor.of(new float[] {5, 6}, 1, 2)));
        assertThat(found.get("totals")).containsExactly(22, 33, 44);
        assertThat(found.get("y")).containsExactly(5, 6, 5, 6, 5, 6, 5, 6);
    }

    @Test
    void aLoopWithinALoop() {
        TestModel inner = body();
        inner.graph().addInput(TestModel.info("j", INT64));
        inner.graph().addInput(TestModel.info("c", BOOL));
        inner.graph().addInput(TestModel.info("u", FLOAT, 2, 2));
        inner.node("Add", "u,x", "w").node("Identity", "c", "d").output("d", "w");
        TestModel outer = body();
        outer.graph().addInput(TestModel.info("i", INT64));
        outer.graph().addInput(TestModel.info("before", BOOL));
        outer.graph().addInput(TestModel.info("v", FLOAT, 2, 2));
        outer.node("Loop", "i,,v", "next", graph("body", inner))
                .node("Identity", "before", "after")
                .output("after", "next");
        TestModel model = TestModel.opset(18)
                .input("x", 2, 2)
                .typed("iterations", INT64)
                .node("Loop", "iterations,,x", "y", graph("body", outer))
                .output("y");
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, 2, 2);
        assertThat(run(model, Map.of("x", x, "iterations", Tensor.scalar(4L))).get("y"))
                .containsExactly(7, 14, 21, 28);
    }

    private static TestModel scan(TestModel model, AttributeProto... more) {
        TestModel body = body();
        body.graph().addInput(TestModel.info("sum", FLOAT, 2));
        body.graph().addInput(TestModel.info("element", FLOAT, 2));
        body.node("Add", "sum,element", "next").node("Identity", "next", "seen").output("next", "seen");
        AttributeProto[] all = new AttributeProto[more.length + 2];
        all[0] = graph("body", body);
        all[1] = integer("num_scan_inputs", 1);
        System.arraycopy(more, 0, all, 2, more.length);
        return model.reals("none", 0, 0).node("Scan", "none,x", "sum,list", all).output("sum", "list");
    }

    @Test
    void elementsOfAScanOneAfterTheOther() {
        TestModel model = TestModel.opset(18).input("x", 2, 2);
        assertThat(run(scan(model), "list", 1, 2, 3, 4)).containsExactly(1, 2, 4, 6);
        TestModel turned = TestModel.opset(18).input("x", 2, 2);
        scan(turned, ints("scan_input_axes", 1), ints("scan_input_directions", 1), ints("scan_output_axes", -1));
        assertThat(run(turned, "list", 1, 2, 3, 4)).containsExactly(2, 3, 4, 7);
        assertThat(run(turned, "sum", 1, 2, 3, 4)).containsExactly(3, 7);
    }

    /** The length comes out of sizes that are computed, and moves to another axis. */
    @Test
    void aScanOverWhatReshapeAndTransposeMake() {
        TestModel model = TestModel.opset(18)
                .input("given", 1, 2, 2)
                .longs("minus", -1)
                .node("Shape", "given", "rows", integer("start", 1), integer("end", 2))
                .node("Concat", "minus,rows", "sizes", integer("axis", 0))
                .node("Reshape", "given,sizes", "flat")
                .node("Transpose", "flat", "x", ints("perm", 1, 0));
        assertThat(scan(model).read(folder).nodes())
                .filteredOn(node -> node.name().startsWith("scan/1/"))
                .isNotEmpty();
    }

    /** Operator set 8: two batches of three elements each. */
    @Test
    void batchesOfAScan() {
        TestModel body = body();
        body.graph().addInput(TestModel.info("sum", FLOAT, 1));
        body.graph().addInput(TestModel.info("element", FLOAT, 1));
        body.node("Add", "sum,element", "next").node("Identity", "next", "seen").output("next", "seen");
        TestModel model = TestModel.opset(8)
                .input("x", 2, 3)
                .longs("sizes", 2, 3, 1)
                .node("Reshape", "x,sizes", "all")
                .longs("column", 2, 1)
                .initializer(
                        TestModel.tensor("none", FLOAT, 2, 1).addFloatData(0).addFloatData(10))
                .node("Scan", ",none,all", "sum,list", graph("body", body), integer("num_scan_inputs", 1))
                .output("sum", "list");
        assertThat(run(model, "list", 1, 2, 3, 4, 5, 6)).containsExactly(1, 3, 6, 14, 19, 25);
        assertThat(run(model, "sum", 1, 2, 3, 4, 5, 6)).containsExactly(6, 25);
    }

    @Test
    void aScanWhoseLengthARunKnows() {
        TestModel model = scan(TestModel.opset(18).input("x", -1, 2));
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2);
        Map<String, float[]> found = run(model, Map.of("x", x));
        assertThat(found.get("list")).containsExactly(1, 2, 4, 6, 9, 12);
        assertThat(found.get("sum")).containsExactly(9, 12);
        TestModel turned = scan(
                TestModel.opset(18).input("x", 2, -1),
                ints("scan_input_axes", 1),
                ints("scan_input_directions", 1),
                ints("scan_output_axes", -1),
                ints("scan_output_directions", 1));
        Tensor wide = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
        assertThat(run(turned, Map.of("x", wide)).get("list")).containsExactly(6, 5, 3, 15, 11, 6);
    }

    @Test
    void branchesTooDeepWithinEachOther() {
        TestModel inner = body().node("Neg", "x", "a").output("a");
        for (int i = 0; i < 40; i++) {
            TestModel outer = body().node("If", "yes", "a", graph("then_branch", inner), graph("else_branch", body()));
            inner = outer.output("a");
        }
        TestModel model = TestModel.opset(18)
                .input("x", 2, 2)
                .initializer(TestModel.tensor("yes", BOOL).addInt32Data(1))
                .node("If", "yes", "y", graph("then_branch", inner), graph("else_branch", body()))
                .output("y");
        assertThatThrownBy(() -> model.read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("within each other more than 32 deep");
    }
}
