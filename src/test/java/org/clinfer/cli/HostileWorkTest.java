package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;
import static org.clinfer.robustness.OnnxModel.BOOL;
import static org.clinfer.robustness.OnnxModel.INT64;
import static org.clinfer.robustness.OnnxModel.integer;
import static org.clinfer.robustness.OnnxModel.ints;
import static org.clinfer.robustness.OnnxModel.subgraph;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clinfer.graph.WorkBudget;
import org.clinfer.importer.onnx.proto.FunctionProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.robustness.OnnxModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Small files that ask for very much work before anything runs: it is left out, or refused, within seconds. */
final class HostileWorkTest extends HostileInput {

    private static final Duration SECONDS = Duration.ofSeconds(20);
    private static final int SMALL = 1 << 20;
    private static final String DOMAIN = "local";

    /** A network and what it is called. */
    private record Named(String name, ModelProto model) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static Named named(String name, OnnxModel model) {
        return new Named(name, model.build());
    }

    private static OnnxModel zeros(OnnxModel model, String name, long... dims) {
        return model.longs(name + "_dims", dims).node("ConstantOfShape", name + "_dims", name);
    }

    /** Everything is known beforehand, and would take hours. */
    static Stream<Named> constants() {
        OnnxModel products = zeros(new OnnxModel(), "x", 4096, 4096);
        for (int i = 0; i < 20; i++) {
            products.node("MatMul", (i == 0 ? "x" : "p" + (i - 1)) + ",x", "p" + i);
        }
        OnnxModel convolution = zeros(zeros(new OnnxModel(), "x", 1, 64, 512, 512), "w", 64, 64, 31, 31);
        OnnxModel pool = zeros(new OnnxModel(), "x", 1, 1, 3000, 3000);
        OnnxModel recurrent = zeros(zeros(new OnnxModel(), "x", 10_000, 1, 1024), "w", 1, 3072, 1024);
        OnnxModel neighbours = zeros(new OnnxModel(), "x", 1, 4000, 64, 64);
        OnnxModel boxes = zeros(zeros(new OnnxModel(), "b", 1, 30_000, 4), "c", 1, 10, 30_000);
        OnnxModel wave = zeros(new OnnxModel(), "x", 1 << 24);
        for (int i = 0; i < 200; i++) {
            wave.node("Sin", i == 0 ? "x" : "s" + (i - 1), "s" + i);
        }
        return Stream.of(
                named("products", products),
                named("convolution", convolution.node("Conv", "x,w", "y", ints("kernel_shape", 31, 31))),
                named("pool", pool.node("MaxPool", "x", "y", ints("kernel_shape", 1000, 1000))),
                named("recurrent", recurrent.node("GRU", "x,w,w", "y", integer("hidden_size", 1024))),
                named("neighbours", neighbours.node("LRN", "x", "y", integer("size", 3999))),
                named("boxes", boxes.longs("most", 30_000).node("NonMaxSuppression", "b,c,most", "y")),
                named("wave", wave));
    }

    @ParameterizedTest
    @MethodSource("constants")
    void longComputationsOfConstantsAreNotDoneBeforehand(Named constants) throws IOException {
        Path file = writeSmall(constants);
        Ran ran = assertTimeoutPreemptively(SECONDS, () -> clinfer("check", file, "--device", "cpu", "--explain"));
        assertThat(ran.code()).as(ran.toString()).isZero();
    }

    private static OnnxModel body(OnnxModel body, int results) {
        body.graph().clearOutput();
        Stream.concat(Stream.of("goes_on", "next"), IntStream.range(0, results).mapToObj(i -> "next"))
                .forEach(output ->
                        body.graph().addOutput(ValueInfoProto.newBuilder().setName(output)));
        return body;
    }

    private static OnnxModel iteration() {
        return new OnnxModel()
                .typed("number", INT64)
                .typed("again", BOOL)
                .input("before", 1)
                .node("Identity", "again", "goes_on");
    }

    private static OnnxModel loop(long iterations, OnnxModel body, int results) {
        String outputs = Stream.concat(
                        Stream.of("y"), IntStream.range(0, results).mapToObj(i -> "list" + i))
                .collect(Collectors.joining(","));
        return new OnnxModel()
                .input("x", 1)
                .longs("iterations", iterations)
                .initializer(TensorProto.newBuilder()
                        .setName("yes")
                        .setDataType(BOOL)
                        .addInt32Data(1))
                .node("Loop", "iterations,yes,x", outputs, subgraph("body", body(body, results)));
    }

    private static NodeProto call(String function, String input, String output) {
        return NodeProto.newBuilder()
                .setOpType(function)
                .setDomain(DOMAIN)
                .addInput(input)
                .addOutput(output)
                .build();
    }

    private static FunctionProto function(String name, List<NodeProto> nodes) {
        return FunctionProto.newBuilder()
                .setName(name)
                .setDomain(DOMAIN)
                .addInput("a")
                .addOutput("b")
                .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("").setVersion(13))
                .addOpsetImport(
                        OperatorSetIdProto.newBuilder().setDomain(DOMAIN).setVersion(1))
                .addAllNode(nodes)
                .build();
    }

    private static ModelProto calling(List<FunctionProto> functions, String name) {
        ModelProto.Builder model = new OnnxModel().input("x", 1).build().toBuilder();
        model.getGraphBuilder()
                .addNode(call(name, "x", "y"))
                .addOutput(ValueInfoProto.newBuilder().setName("y"));
        return model.addAllFunctions(functions)
                .addOpsetImport(
                        OperatorSetIdProto.newBuilder().setDomain(DOMAIN).setVersion(1))
                .build();
    }

    /** Each calls the one before it so often. */
    private static ModelProto functions(int count, int calls) {
        List<FunctionProto> functions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<NodeProto> nodes = new ArrayList<>();
            for (int k = 0; k < calls; k++) {
                NodeProto node = call("F" + (i - 1), k == 0 ? "a" : "v" + k, k == calls - 1 ? "b" : "v" + (k + 1));
                nodes.add(
                        i > 0
                                ? node
                                : node.toBuilder()
                                        .setOpType("Neg")
                                        .clearDomain()
                                        .build());
            }
            functions.add(function("F" + i, nodes));
        }
        return calling(functions, "F" + (count - 1));
    }

    /** Each call makes a node of many inputs. */
    private static ModelProto wideFunction() {
        NodeProto.Builder sum = NodeProto.newBuilder().setOpType("Sum").addOutput("b");
        IntStream.range(0, 8000).forEach(i -> sum.addInput("a"));
        List<NodeProto> calls = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            calls.add(call("Wide", i == 0 ? "a" : "v" + i, i == 999 ? "b" : "v" + (i + 1)));
        }
        return calling(List.of(function("Wide", List.of(sum.build())), function("Many", calls)), "Many");
    }

    static Stream<Named> longLoops() {
        OnnxModel initialized = iteration().node("Add", "before,t0", "next");
        for (int i = 0; i < 2000; i++) {
            initialized.reals("t" + i, 1);
        }
        OnnxModel scanned =
                new OnnxModel().input("before", 1).input("element", 1).node("Add", "before,element", "next");
        IntStream.range(0, 2000)
                .forEach(i ->
                        scanned.graph().addOutput(ValueInfoProto.newBuilder().setName("next")));
        String outputs = IntStream.range(0, 2001).mapToObj(i -> "o" + i).collect(Collectors.joining(","));
        return Stream.of(
                named("initializers", loop(6000, initialized, 0)),
                named("results", loop(5000, iteration().node("Relu", "before", "next"), 3000)),
                named(
                        "sequence",
                        new OnnxModel()
                                .input("x", 1)
                                .input("s", 9000, 1)
                                .node(
                                        "Scan",
                                        "x,s",
                                        outputs,
                                        subgraph("body", scanned),
                                        integer("num_scan_inputs", 1))));
    }

    static Stream<Named> expansions() {
        return Stream.of(
                named("iterations", loop(Long.MAX_VALUE, iteration().node("Relu", "before", "next"), 0)),
                new Named("calls", functions(30, 2)),
                new Named("many calls", functions(3, 300)),
                new Named("inputs of calls", wideFunction()));
    }

    @ParameterizedTest
    @MethodSource("expansions")
    void whatIsVeryLargeWhenWrittenOutIsRefused(Named expansion) throws IOException {
        Path file = writeSmall(expansion);
        assertRefused(assertTimeoutPreemptively(SECONDS, () -> clinfer("run", file, "--device", "cpu")), "more than ");
        Ran checked = assertTimeoutPreemptively(SECONDS, () -> clinfer("check", file, "--device", "cpu"));
        assertThat(checked.code()).as("%s", checked).isIn(1, 2);
        assertThat(String.join("\n", checked.out()) + String.join("\n", checked.err()))
                .contains("more than ");
    }

    /** They are graphs that a node runs. */
    @ParameterizedTest
    @MethodSource("longLoops")
    void loopsOfManyTurnsAreNotWrittenOut(Named loop) throws IOException {
        Path file = writeSmall(loop);
        Ran ran = assertTimeoutPreemptively(SECONDS, () -> clinfer("check", file, "--device", "cpu"));
        assertThat(ran.code()).as(ran.toString()).isZero();
    }

    /** A tensor in a body is one constant, however often the body stands there. */
    @Test
    void theMemoryOfALoopIsThatOfOneTurn() throws IOException {
        OnnxModel inner = iteration().weights("big", 250_000).node("Add", "before,big", "sum");
        inner.longs("zero", 0).node("Gather", "sum,zero", "next");
        OnnxModel outer = iteration().longs("iterations", 10);
        outer.node("Loop", "iterations,again,before", "next", subgraph("body", body(inner, 0)));
        Path file = write(loop(100, outer, 0).bytes());
        Ran ran = assertTimeoutPreemptively(
                SECONDS.multipliedBy(2), () -> clinfer("run", file, "--device", "cpu", "--input", "x=zeros"));
        assertThat(ran.code()).as(ran.toString()).isZero();
    }

    @Test
    void thePropertyRaisesTheBudgets() throws IOException {
        Path file = write(functions(2, 300).toByteArray());
        Path larger = folder.resolve("larger.onnx");
        Files.write(larger, functions(2, 230).toByteArray());
        System.setProperty(WorkBudget.PROPERTY, "none");
        try {
            assertRefused(clinfer("check", larger, "--device", "cpu"), WorkBudget.PROPERTY);
            System.setProperty(WorkBudget.PROPERTY, "2");
            assertThat(clinfer("check", file, "--device", "cpu").code()).isZero();
        } finally {
            System.clearProperty(WorkBudget.PROPERTY);
        }
        assertRefused(clinfer("check", file, "--device", "cpu"), "more than 50000 nodes");
    }

    /** As sparse files, which take no room. */
    @ParameterizedTest
    @ValueSource(
            strings = {"m.onnx", "m.json", "m.pb", "m.prototxt", "m.caffemodel", "m.cfg", "m.param", "m.xml", "m.tflite"
            })
    void filesOfGibibytesAreRefusedByTheirSize(String name) throws IOException {
        Path file = folder.resolve(name);
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength((1L << 31) + 5);
        }
        Ran ran = assertTimeoutPreemptively(SECONDS, () -> clinfer("check", file, "--device", "cpu"));
        assertRefused(ran, name);
    }

    private Path writeSmall(Named model) throws IOException {
        byte[] bytes = model.model().toByteArray();
        assertThat(bytes.length).as(model.name()).isLessThan(SMALL);
        return write(bytes);
    }
}
