package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** The types of nodes while a graph is written, and the refusals of those that do not fit. */
class NodeBinderTest {

    private static final ArgValue X = ArgValue.of(TensorType.of(DType.FLOAT32, 2, 6));

    private final NodeBinder binder = new NodeBinder(OpCatalog.builtIn());

    private static Node node(String op, Map<String, Attribute> params, String... inputs) {
        return new Node("temporary", op, List.of(inputs), List.of("y"), params, new SourceRef("net", "node 7"));
    }

    @Test
    void typesFollowFromTypesAndElements() {
        Node relu = node("Relu", Map.of(), "x");
        Node reshape = node("Reshape", Map.of(), "x", "shape");

        assertThat(binder.types(relu, List.of(X))).containsExactly(TensorType.of(DType.FLOAT32, 2, 6));
        try (Tensor shape = Tensor.of(new long[] {3, 4}, 2)) {
            assertThat(binder.types(reshape, List.of(X, ArgValue.of(shape))))
                    .containsExactly(TensorType.of(DType.FLOAT32, 3, 4));
        }
    }

    @Test
    void whatDoesNotFitIsRefusedWithoutTheName() {
        Node split = node("Split", Map.of("axis", Attribute.of(9), "foreign", Attribute.of(1)), "x");

        assertThatThrownBy(() -> binder.types(split, List.of(X)))
                .isInstanceOf(GraphException.class)
                .hasMessageStartingWith("net: node 7: Split: ")
                .hasMessageContaining("axis: expected < 2")
                .hasMessageContaining("foreign")
                .hasMessageNotContaining("temporary");
        assertThatThrownBy(() -> binder.types(node("None", Map.of(), "x"), List.of(X)))
                .hasMessage("net: node 7: there is no operator 'None'");
    }

    @Test
    void aTypeThatIsNotDecidedIsRefusedWithTheReason() {
        Node filled = node("ConstantOfShape", Map.of(), "sizes");
        ArgValue sizes = ArgValue.of(new TensorType(DType.INT64, new Shape(List.of(Dim.named("rank")))));

        assertThat(binder.sound(filled, List.of(sizes)).outputs()).isEmpty();
        assertThatThrownBy(() -> binder.types(filled, List.of(sizes)))
                .isInstanceOf(GraphException.class)
                .hasMessage(
                        "net: node 7: ConstantOfShape: y: the shape is not known, because it depends on the elements of"
                                + " shape_tensor");
    }
}
