package org.clinfer.importer.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorflowImporterTest {

    @TempDir
    private Path folder;

    private Graph read(TfGraph graph) throws IOException {
        return new TensorflowImporter(OpCatalog.builtIn()).read(graph.write(folder));
    }

    private List<String> ops(TfGraph graph) throws IOException {
        return read(graph).nodes().stream().map(Node::op).toList();
    }

    private static TfGraph picture() {
        return new TfGraph()
                .input("x", 1, 8, 8, 3)
                .floats("w", new long[] {1, 1, 3, 4}, new float[12])
                .floats("b", new long[] {4}, 1, 2, 3, 4);
    }

    @Test
    void blocksThatAreNoDilationAreOneOperatorEach() throws IOException {
        TfGraph graph = picture()
                .ints("block", 2, 2)
                .ints("none", new long[] {2, 2}, 0, 0, 0, 0)
                .node("SpaceToBatchND", "s", "x block none")
                .node("Relu", "r", "s")
                .node("BatchToSpaceND", "y", "r block none");

        assertThat(ops(graph)).containsExactly("SpaceToBatch", "Relu", "BatchToSpace");
    }

    @Test
    void valuesAreTurnedAtTheEdgesAlone() throws IOException {
        TfGraph graph = picture()
                .node("Conv2D", "c", "x w", "padding=SAME", "strides=[1,1,1,1]")
                .node("BiasAdd", "a", "c b")
                .node("Relu6", "r", "a")
                .node("MaxPool", "y", "r", "padding=SAME", "ksize=[1,2,2,1]", "strides=[1,2,2,1]");

        assertThat(ops(graph)).containsExactly("Transpose", "Conv2d", "Add", "Relu6", "MaxPool", "Transpose");
        Graph imported = read(graph);
        assertThat(imported.inputs()).containsExactly(new Graph.Input("x", TensorType.of(DType.FLOAT32, 1, 8, 8, 3)));
        assertThat(imported.outputs()).containsExactly("y");
    }

    @Test
    void orderOfTheFileThatIsThatOfOursCostsNothing() throws IOException {
        TfGraph graph = picture()
                .ints("second", 0, 3, 1, 2)
                .node("Conv2D", "c", "x w", "padding=SAME", "strides=[1,1,1,1]")
                .node("Transpose", "y", "c second");

        assertThat(ops(graph)).containsExactly("Transpose", "Conv2d", "Identity");
        assertThat(read(graph).outputs()).containsExactly("y");
    }

    @Test
    void theBranchOfTrainingIsNotRead() throws IOException {
        TfGraph graph = new TfGraph()
                .input("x", 1, 4)
                .node("Placeholder", "training", "", "dtype=bool")
                .node("Identity", "flag", "training")
                .node("Switch", "s", "x flag")
                .node("Identity", "t", "s:1")
                .node("RandomStandardNormal", "noise", "^t")
                .node("Add", "noisy", "s:1 noise")
                .node("Abs", "plain", "s:0")
                .node("Merge", "m", "plain noisy")
                .node("Neg", "y", "m")
                .node("Const", "dangling", "^t")
                .node("NoOp", "init", "^y");

        assertThat(ops(graph)).containsExactly("Abs", "Neg");
        assertThat(read(graph).inputs()).hasSize(1);
        assertThat(read(graph).outputs()).containsExactly("y");
    }

    @Test
    void aConditionThatDependsOnTheInputIsRefused() {
        TfGraph graph = new TfGraph()
                .input("x", 1)
                .number("one", 1)
                .node("Less", "flag", "x one")
                .node("Switch", "s", "x flag")
                .node("Neg", "y", "s:1");

        assertThatThrownBy(() -> read(graph))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("'s' (Switch): operator Switch with a condition that is not known");
    }

    @Test
    void dropoutIsPassedOver() throws IOException {
        TfGraph old = new TfGraph()
                .input("x", 1, 4)
                .node("Relu", "r", "x")
                .node("Placeholder", "keep", "", "dtype=float")
                .node("RealDiv", "scaled", "r keep")
                .ints("shape", 1, 4)
                .node("RandomUniform", "random", "shape")
                .node("Add", "sum", "keep random")
                .node("Floor", "mask", "sum")
                .node("Mul", "y", "scaled mask");
        assertThat(ops(old)).containsExactly("Relu", "Identity");
        assertThat(read(old).inputs()).hasSize(1);
        TfGraph recent = new TfGraph()
                .input("x", 1, 4)
                .node("Relu", "r", "x")
                .number("factor", 2)
                .node("Mul", "scaled", "r factor")
                .ints("shape", 1, 4)
                .node("RandomUniform", "random", "shape")
                .node("GreaterEqual", "kept", "random factor")
                .number("zero", 0)
                .node("SelectV2", "y", "kept scaled zero");
        assertThat(ops(recent)).containsExactly("Relu", "Identity");
    }

    @Test
    void shapesThatAreNotDeclaredFollowFromTheirUse() throws IOException {
        TfGraph graph = new TfGraph()
                .node("Placeholder", "x", "", "dtype=float")
                .floats("w", new long[] {3, 3, 5, 4}, new float[180])
                .node("Relu", "r", "x")
                .node("Conv2D", "y", "r w", "padding=SAME", "strides=[1,1,1,1]");
        assertThat(read(graph).inputs().get(0).type()).hasToString("?x?x?x5:float32");
        TfGraph open = new TfGraph().node("Placeholder", "x", "", "dtype=float").node("Relu", "y", "x");
        assertThat(read(open).inputs().get(0).type()).hasToString("scalar:float32");
    }

    @Test
    void sizesAreComputedAsFarAsTheyAreKnown() throws IOException {
        TfGraph graph = new TfGraph()
                .input("x", -1, 4, 6, 3)
                .node("Shape", "shape", "x", "out_type=int32")
                .ints("one", 1)
                .ints("three", 3)
                .ints("zero", 0)
                .node("StridedSlice", "space", "shape one three one")
                .integer("two", 2)
                .node("Mul", "double", "space two")
                .node("ResizeBilinear", "y", "x double");
        Node resize = read(graph).nodes().stream()
                .filter(node -> node.op().equals("Resize"))
                .findFirst()
                .orElseThrow();
        assertThat(resize.params().get("sizes")).hasToString("[8, 12]");
    }

    @Test
    void aShapeOfWhichSomeSizesAreKnownIsKnownInPart() {
        TfGraph graph = new TfGraph()
                .input("x", -1, 28, 28, 4)
                .node("Shape", "shape", "x", "out_type=int32")
                .ints("zero", 0)
                .ints("one", 1)
                .node("StridedSlice", "batch", "shape zero one one", "shrink_axis_mask=1")
                .integer("columns", 3136)
                .node("Pack", "sizes", "batch columns")
                .node("Reshape", "flat", "x sizes")
                .integer("axis", 1)
                .node("Split", "y", "axis flat", "num_split=3");
        assertThatThrownBy(() -> read(graph))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("axis 1 of size 3136 cannot be cut into 3");
    }

    @Test
    void hugeConstantsThatRepeatTheLastOfTheirValuesAreRefused() {
        TfGraph graph = new TfGraph()
                .input("x", 1)
                .ints("w", new long[] {1L << 25}, 1, 2)
                .node("AddV2", "y", "x w");

        assertThatThrownBy(() -> read(graph))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining(
                        "its type 33554432:int32 has more elements than the 16777216 that may repeat a value, and only 2 are given");
    }

    @Test
    void picturesThatDoNotFitAreLeftToTheCheck() throws IOException {
        TfGraph graph = picture()
                .node("Conv2D", "c", "x w", "padding=SAME", "strides=[1,1,1,1]")
                .node("Conv2D", "half", "x w", "padding=SAME", "strides=[1,2,2,1]")
                .node("Add", "sum", "c half")
                .node("Relu", "y", "sum");
        assertThat(ops(graph)).containsExactly("Transpose", "Conv2d", "Conv2d", "Add", "Relu", "Transpose");
    }

    @Test
    void outputsOfSeveralPorts() throws IOException {
        TfGraph graph = new TfGraph().input("x", 2, 6).integer("axis", 1).node("Split", "y", "axis x", "num_split=3");
        assertThat(read(graph).outputs()).containsExactly("y", "y:1", "y:2");
    }

    @Test
    void constantsInEveryEncoding() {
        assertThat(tensor(TfGraph.tensor(DataType.DT_FLOAT, 2, 2).addFloatVal(1).addFloatVal(3))
                        .toFloatArray())
                .containsExactly(1, 3, 3, 3);
        assertThat(tensor(TfGraph.tensor(DataType.DT_FLOAT, 3)).toFloatArray()).containsExactly(0, 0, 0);
        assertThat(tensor(TfGraph.tensor(DataType.DT_FLOAT, 0)).elements()).isZero();
        Tensor half =
                tensor(TfGraph.tensor(DataType.DT_HALF, 2).addHalfVal(0x3C00).addHalfVal(0xC000));
        assertThat(half.dtype()).isEqualTo(DType.FLOAT16);
        assertThat(half.toFloatArray()).containsExactly(1, -2);
        assertThat(tensor(TfGraph.tensor(DataType.DT_INT64, 2).addInt64Val(1L << 40))
                        .toLongArray())
                .containsExactly(1L << 40, 1L << 40);
        assertThat(tensor(TfGraph.tensor(DataType.DT_BOOL, 2).addBoolVal(true).addBoolVal(false))
                        .toLongArray())
                .containsExactly(1, 0);
        assertThat(tensor(TfGraph.tensor(DataType.DT_INT8, 2).setTensorContent(ByteString.copyFrom(new byte[] {-3, 7})))
                        .toLongArray())
                .containsExactly(-3, 7);
        assertThat(tensor(TfGraph.tensor(DataType.DT_DOUBLE).addDoubleVal(0.1)).getDouble(0))
                .isEqualTo(0.1);
    }

    private static Tensor tensor(TensorProto.Builder proto) {
        return TfTensorReader.read(proto.build(), new SourceRef("test", ""));
    }

    @Test
    void quantizedConstants() throws IOException {
        TfGraph graph = new TfGraph()
                .input("x", 3)
                .constant(
                        "codes",
                        TfGraph.tensor(DataType.DT_QUINT8, 3)
                                .setTensorContent(ByteString.copyFrom(new byte[] {0, 85, -1})))
                .number("min", -1)
                .number("max", 2)
                .node("Dequantize", "w", "codes min max", "mode=MIN_FIRST")
                .node("Add", "y", "x w");
        Tensor weights = Objects.requireNonNull(read(graph).constants().get("w"));
        assertThat(weights.toFloatArray()).containsExactly(-1, 0, 2);
    }
}
