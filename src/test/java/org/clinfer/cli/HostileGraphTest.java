package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;
import static org.clinfer.robustness.OnnxModel.INT64;
import static org.clinfer.robustness.OnnxModel.integer;
import static org.clinfer.robustness.OnnxModel.ints;
import static org.clinfer.robustness.OnnxModel.subgraph;
import static org.clinfer.robustness.OnnxModel.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.robustness.OnnxModel;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Graphs that are no graphs, attributes and indices out of range, and graphs of very many nodes. */
final class HostileGraphTest extends HostileInput {

    @Test
    void operatorsAndGraphsThatAreNotOurs() throws IOException {
        assertRefused(oneByFour("Frobnicate"), "node 0", "Frobnicate");
        OnnxModel body = new OnnxModel().input("i").node("Identity", "i", "o");
        assertRefused(
                new OnnxModel().input("x", 1, 4).longs("n", 3).node("Loop", "n,,x", "y", subgraph("body", body)),
                "Loop");
        assertRefused(
                new OnnxModel()
                        .input("x", 1, 4)
                        .node("If", "x", "y", subgraph("then_branch", body), subgraph("else_branch", body)),
                "If");
        assertRefused(new OnnxModel().input("x", 1, 4).node("Add", "x,b", "a").node("Relu", "a", "b"), "cycle");
        assertRefused(new OnnxModel().input("x", 1, 4).node("Add", "x,y", "y"), "cycle");
        assertRefused(
                new OnnxModel().input("x", 1, 4).node("Relu", "x", "y").node("Abs", "x", "y"), "'y' is produced twice");
        assertRefused(new OnnxModel().input("x", 1, 4).node("Relu", "x", "x"), "'x'");
        assertRefused(new OnnxModel().input("x", 1, 4).input("x", 1, 4).node("Relu", "x", "y"), "'x'");
        assertRefused(new OnnxModel().input("x", 1, 4).node("Add", "x,ghost", "y"), "'ghost'");
        assertRefused(
                new OnnxModel().input("x", 1, 4).node("Re\u001b[31mlu\nnext", "x", "y"), "Re\\u001b[31mlu\\u000anext");
    }

    @Test
    void hugeAttributes() throws IOException {
        Object[][] attributes = {
            {ints("strides", 1L << 62, 1), "strides"},
            {ints("dilations", 1, 1L << 62), "dilation"},
            {ints("pads", 1L << 40, 0, 0, 0), "padding"},
            {ints("pads", -1, 0, 0, 0), "padding"},
            {ints("kernel_shape", 1L << 40, 3), "kernel"},
            {integer("group", 1L << 40), "group"},
            {integer("group", 0), "group"},
            {text("auto_pad", "SOME"), "SOME"},
        };
        for (Object[] attribute : attributes) {
            OnnxModel model = new OnnxModel()
                    .input("x", 1, 2, 4, 4)
                    .weights("w", 3, 2, 3, 3)
                    .node("Conv", "x,w", "y", (AttributeProto) attribute[0]);
            assertRefused(model, "n0", (String) attribute[1]);
        }
        OnnxModel pool = new OnnxModel()
                .input("x", 1, 1, 4, 4)
                .node("MaxPool", "x", "y", ints("kernel_shape", 1L << 40, 1L << 40));
        assertRefused(pool, "n0", "kernel_size");
        assertRefused(new OnnxModel().input("x", 2, 3).node("Transpose", "x", "y", ints("perm", 1, 1)), "n0", "perm");
        assertRefused(
                new OnnxModel().input("x", 2, 3).node("Flatten", "x", "y", integer("axis", 1L << 40)), "n0", "axis");
        assertRefused(
                new OnnxModel()
                        .input("x", 2, 3)
                        .longs("s", Long.MAX_VALUE, Long.MAX_VALUE, 4)
                        .node("Split", "x,s", "y,z,w", integer("axis", 0)),
                "n0");
        assertRefused(
                new OnnxModel().input("x", 1, 4, 2, 2).node("DepthToSpace", "x", "y", integer("blocksize", 1L << 40)),
                "n0",
                "scale");
    }

    private void assertIndexRefused(String device) throws IOException {
        Path model = write(new OnnxModel()
                .input("x", 3, 2)
                .typed("i", INT64, 2)
                .node("Gather", "x,i", "y", integer("axis", 0))
                .bytes());
        Path indices = npy("i.npy", Tensor.of(new long[] {0, 7}, 2));
        assertRefused(
                clinfer("run", model, "--device", device, "--input", "x=zeros", "--input", "i=" + indices),
                "m.onnx: node 0 'n0' (Gather)",
                "index 7 at position 1 ",
                "is outside of -3 ... 2");
        Path constant = write(new OnnxModel()
                .input("x", 3, 2)
                .longs("i", 0, 7)
                .node("Gather", "x,i", "y", integer("axis", 0))
                .bytes());
        assertRefused(
                clinfer("run", constant, "--device", device, "--input", "x=zeros"), "'n0'", "an index is outside");
    }

    @Test
    void indicesOutOfRangeOnTheCpu() throws IOException {
        assertIndexRefused("cpu");
    }

    @Test
    @RequiresOpenCl
    void indicesOutOfRangeOnTheDevice() throws IOException {
        assertIndexRefused("opencl");
    }

    @Test
    void deepGraphsRun() throws IOException {
        int count = 100_000;
        OnnxModel deep = new OnnxModel().input("x", 1);
        for (int i = 0; i < count; i++) {
            deep.node(i % 2 == 0 ? "Identity" : "Relu", i == 0 ? "x" : "v" + (i - 1), "v" + i);
        }
        Ran ran = run(deep);
        assertThat(ran.code()).as(ran.toString()).isZero();
    }

    @Test
    void wideGraphsRun() throws IOException {
        int count = 100_000;
        OnnxModel wide = new OnnxModel().input("x", 1);
        for (int i = 0; i < count / 4; i++) {
            wide.node("Relu", "x", "v" + i);
        }
        wide.node("Sum", IntStream.range(0, count / 4).mapToObj(i -> "v" + i).collect(Collectors.joining(",")), "y");
        Ran ran = run(wide);
        assertThat(ran.code()).as(ran.toString()).isIn(0, 2);
        assertThat(ran.err()).as(ran.toString()).hasSize(ran.code() == 0 ? 0 : 1);
    }

    @Test
    void equalNamesOfManyNodes() throws IOException {
        OnnxModel model = new OnnxModel().input("x", 1);
        for (int i = 0; i < 50_000; i++) {
            model.node("Identity", i == 0 ? "x" : "v" + (i - 1), "v" + i);
        }
        model.graph().getNodeBuilderList().forEach(node -> node.setName("same"));
        assertThat(run(model).code()).isZero();
    }
}
