package org.clinfer.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.importer.tensorflow.TfControlGraphs;
import org.clinfer.importer.tensorflow.TfGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged TensorFlow graphs, binary ones and texts. */
class TensorflowFuzzTest {

    private static final int CASES = 2500;
    private static final int LONG = 20_000;

    static final List<String> TEXTS = List.of(
            "x",
            "w",
            "c",
            "c:1",
            "^c",
            "c:9999999999",
            "",
            "NHWC",
            "NCHW",
            "SAME",
            "VALID",
            "EXPLICIT",
            "float",
            "Conv2D",
            "Reshape",
            "Identity",
            "Switch",
            "Merge",
            "Enter",
            "Exit",
            "NextIteration",
            "LoopCond",
            "map",
            "map/i",
            "map/i/Switch:1",
            "StridedSlice",
            "Placeholder",
            "Const",
            "é\n\u0000");

    @TempDir
    Path folder;

    static TfGraph classifier() {
        return new TfGraph()
                .input("x", -1, 6, 6, 2)
                .floats("w", new long[] {3, 3, 2, 4}, numbers(72))
                .node("Conv2D", "c", "x w", "strides=[1,2,2,1]", "padding=SAME", "data_format=NHWC")
                .floats("b", new long[] {4}, 1, 2, 3, 4)
                .node("BiasAdd", "a", "c b")
                .floats("v", new long[] {4}, 1, 2, 3, 4)
                .node("FusedBatchNorm", "n", "a b b b v", "epsilon=0.001", "is_training=false")
                .node("Relu6", "r", "n")
                .node("MaxPool", "p", "r", "ksize=[1,2,2,1]", "strides=[1,1,1,1]", "padding=VALID")
                .node("Shape", "s", "p")
                .ints("begin", 0)
                .ints("end", 1)
                .ints("step", 1)
                .node("StridedSlice", "images", "s begin end step", "shrink_axis_mask=1")
                .integer("rest", -1)
                .node("Pack", "shape", "images rest", "axis=0")
                .node("Reshape", "f", "p shape")
                .floats("m", new long[] {16, 3}, numbers(48))
                .node("MatMul", "k", "f m", "transpose_b=false")
                .node("Softmax", "o", "k");
    }

    static TfGraph movements() {
        return new TfGraph()
                .input("x", 1, 4, 4, 4)
                .ints("perm", 0, 3, 1, 2)
                .node("Transpose", "t", "x perm")
                .ints("pads", new long[] {4, 2}, 0, 0, 0, 0, 1, 0, 1, 2)
                .node("Pad", "p", "t pads")
                .integer("axis", 3)
                .node("Split", "s", "axis x", "num_split=2")
                .node("ConcatV2", "c", "s:1 s x axis", "N=3")
                .ints("axes", 1, 2)
                .node("Mean", "m", "c axes", "keep_dims=true")
                .node("Mul", "g", "c m")
                .ints("size", 7, 5)
                .node("ResizeBilinear", "r", "g size", "align_corners=true")
                .node("DepthToSpace", "d", "x", "block_size=2")
                .ints("first", 0, 1, 1, 0)
                .ints("count", 1, 2, -1, 1)
                .node("Slice", "e", "d first count")
                .node("Squeeze", "q", "e", "squeeze_dims=[3]")
                .node("ArgMax", "l", "g axis")
                .number("two", 2)
                .node("Maximum", "o", "r two");
    }

    private static float[] numbers(int count) {
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = i % 5 - 1;
        }
        return numbers;
    }

    @Test
    void theGraphsAreSound() throws IOException {
        FormatFuzz.requireSound(classifier().write(folder));
        FormatFuzz.requireSound(movements().write(folder));
        FormatFuzz.requireSound(TfControlGraphs.mapped().write(folder));
    }

    @Test
    @Timeout(value = 1000, unit = TimeUnit.SECONDS)
    void damagedGraphs() throws IOException {
        List<TfGraph> graphs = List.of(classifier(), movements(), TfControlGraphs.mapped());
        FormatFuzz.run("TensorFlow", CASES, seed -> {
            TfGraph graph = graphs.get((int) (seed % graphs.size()));
            byte[] damaged = seed % 5 == 0
                    ? new ModelMutator(seed).damage(graph.bytes())
                    : new ProtoMutator(seed, TEXTS).change(graph.build()).toByteArray();
            return Files.write(folder.resolve("graph.pb"), damaged);
        });
    }

    @Test
    @Timeout(value = 1000, unit = TimeUnit.SECONDS)
    void damagedTexts() throws IOException {
        String text = Files.readString(movements().writeText(folder));
        FormatFuzz.run("TensorFlow texts", CASES / 2, seed -> {
            TextMutator mutator = new TextMutator(seed, TEXTS);
            String damaged = seed % 13 == 0 ? mutator.random("node { op: 'Placeholder' ") : mutator.change(text);
            return Files.writeString(folder.resolve("graph.pbtxt"), damaged);
        });
    }

    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void ringsAndLongChains() throws IOException {
        TfGraph chain = new TfGraph().input("x", 1, 4).node("Relu", "r0", "x");
        for (int i = 1; i < LONG; i++) {
            chain.node("Relu", "r" + i, "r" + (i - 1));
        }
        TfGraph ring = new TfGraph().input("x", 1, 4).node("Add", "a", "x b").node("Relu", "b", "a");
        TfGraph self = new TfGraph().input("x", 1, 4).node("Relu", "r", "r");
        TfGraph sizes = new TfGraph()
                .input("x", 1, 4)
                .node("Shape", "s", "y")
                .node("Reshape", "y", "x s")
                .node("Relu", "r", "y");
        try (Engine engine = FuzzTest.engine(new DeviceChoice.Cpu())) {
            assertThat(new Trial(engine).of(chain.write(folder)).defect()).isEmpty();
            for (TfGraph graph : List.of(ring, self, sizes)) {
                Trial.Outcome outcome = new Trial(engine).of(graph.write(folder));
                assertThat(outcome.defect()).isEmpty();
                assertThat(outcome.refusal().orElseThrow()).hasSizeLessThan(400).doesNotContain("\n");
            }
        }
    }
}
