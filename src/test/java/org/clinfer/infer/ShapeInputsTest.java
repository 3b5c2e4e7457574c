package org.clinfer.infer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Which inputs decide shapes by their values. */
class ShapeInputsTest {

    private final GraphBuilder builder = new GraphBuilder("net", new SourceRef("net", ""))
            .input("a", DType.INT64, 2)
            .input("x", DType.FLOAT32, 6)
            .input("b", DType.INT64, 2)
            .constant("c", Tensor.of(new long[] {1, 1}, 2));

    private void node(String op, String output, String... inputs) {
        builder.node(op, List.of(inputs), List.of(output), Map.of());
    }

    private void decide(String... inputs) {
        assertThat(ShapeInputs.of(builder.build(), OpCatalog.builtIn())).containsExactly(inputs);
    }

    @Test
    void noneWhereOnlyTypesMatter() {
        node("Relu", "y", "x");
        node("Reshape", "z", "y", "c");
        builder.output("z");
        decide();
    }

    @Test
    void anInputThatIsAShape() {
        node("Reshape", "y", "x", "b");
        builder.output("y");
        decide("b");
    }

    @Test
    void inputsThatAShapeIsComputedFrom() {
        node("Add", "s", "b", "c");
        node("Mul", "t", "s", "a");
        node("Reshape", "y", "x", "t");
        builder.output("y");
        decide("a", "b");
    }

    @Test
    void notAnInputWhoseTypeAloneIsAskedFor() {
        node("Shape", "s", "x");
        node("Expand", "y", "a", "s");
        builder.output("y");
        decide();
    }

    @Test
    void notTheDataOfAnUnknownOperator() {
        node("Warp", "y", "x", "a");
        builder.output("y");
        decide();
    }

    @Test
    void alsoByWayOfAnUnknownOperator() {
        node("Warp", "s", "a");
        node("Reshape", "y", "x", "s");
        builder.output("y");
        decide("a");
    }
}
