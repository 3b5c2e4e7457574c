package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.Inference;
import org.clinfer.importer.KnownType;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

class KnownTypesTest {

    /** Operators of which nothing follows without parameters. */
    private static final Set<String> NOT_FOLLOWED = Set.of("ConstantOfShape", "Deconvolution", "FusedConvTranspose");

    /** They are no nodes. */
    private static final Set<String> OF_THE_GRAPH = Set.of("Input", "Const", "Output");

    private static KnownTypes types() {
        return new KnownTypes(new Inference(OpCatalog.builtIn()), Map.of(), value -> Optional.empty(), Set.of());
    }

    private static KnownType result(OpDescription op, KnownType input) {
        KnownTypes types = types();
        List<String> inputs = new ArrayList<>();
        for (InputDescription each : op.inputs()) {
            inputs.add(each.name());
            types.declare(each.name(), input);
        }
        types.note(node(op.optype(), inputs, List.of("result")));
        return types.of("result");
    }

    private static Node node(String op, List<String> inputs, List<String> outputs) {
        return new Node("node", op, inputs, outputs, Map.of(), new SourceRef("test", ""));
    }

    @Test
    void everyOutputHasADataTypeOfItsOwn() {
        KnownTypes types = types();
        types.declare("x", KnownType.of(TensorType.of(DType.FLOAT16, 2, 3)));
        types.note(node("TopK", List.of("x", "k"), List.of("values", "places")));
        types.note(node("LayerNorm", List.of("x", "scale"), List.of("y", "mean", "deviation")));
        types.note(node("Split", List.of("x"), List.of("first", "second")));
        types.note(node("Lstm", List.of("x", "w", "r"), List.of("all", "hidden", "cell")));

        Shape chosen = new Shape(List.of(Dim.of(2), Dim.unknown()));
        assertThat(types.of("values")).isEqualTo(new KnownType(Optional.of(DType.FLOAT16), Optional.of(chosen)));
        assertThat(types.of("places")).isEqualTo(new KnownType(Optional.of(DType.INT64), Optional.of(chosen)));
        assertThat(types.of("y").dtype()).contains(DType.FLOAT16);
        assertThat(types.of("mean").dtype()).contains(DType.FLOAT32);
        assertThat(types.of("deviation").dtype()).contains(DType.FLOAT32);
        assertThat(types.of("second").dtype()).contains(DType.FLOAT16);
        assertThat(types.of("cell").dtype()).contains(DType.FLOAT16);
    }

    @Test
    void somethingFollowsOfEveryOperatorButThese() {
        KnownType reals = KnownType.of(TensorType.of(DType.FLOAT32, 2, 3, 4, 5));
        Set<String> without = new TreeSet<>();
        for (OpDescription op : OpCatalog.builtIn().operators()) {
            if (!OF_THE_GRAPH.contains(op.optype()) && result(op, reals).equals(KnownType.NOTHING)) {
                without.add(op.optype());
            }
        }
        assertThat(without).containsExactlyInAnyOrderElementsOf(NOT_FOLLOWED);
    }

    @Test
    void descriptionsSayWhatElementsBecome() {
        KnownType known = KnownType.of(TensorType.of(DType.FLOAT16, 2, 3));
        for (String op : List.of("Celu", "Softmax", "CumSum", "Add", "Clip", "PRelu", "ScatterND", "Identity", "Max")) {
            assertThat(result(OpCatalog.builtIn().find(op).orElseThrow(), known))
                    .as(op)
                    .isEqualTo(known);
        }
        for (String op : List.of("Less", "Equal", "And")) {
            assertThat(result(OpCatalog.builtIn().find(op).orElseThrow(), known))
                    .as(op)
                    .isEqualTo(known.withDtype(DType.BOOL));
        }
    }

    @Test
    void shapesAreBroadcast() {
        KnownTypes types = types();
        types.declare("yes", KnownType.of(TensorType.of(DType.BOOL, 5)));
        types.declare("a", KnownType.of(TensorType.of(DType.FLOAT16, 3, 1)));
        types.declare("b", KnownType.of(TensorType.of(DType.FLOAT16)));
        types.note(node("Where", List.of("yes", "a", "b"), List.of("y")));
        assertThat(types.of("y")).isEqualTo(KnownType.of(TensorType.of(DType.FLOAT16, 3, 5)));
        types.note(node("Where", List.of("yes", "a", "other"), List.of("z")));
        assertThat(types.of("z")).isEqualTo(new KnownType(Optional.of(DType.FLOAT16), Optional.empty()));
    }
}
