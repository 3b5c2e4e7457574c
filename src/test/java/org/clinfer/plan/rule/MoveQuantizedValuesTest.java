package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

class MoveQuantizedValuesTest {

    private static final MoveQuantizedValues RULE = new MoveQuantizedValues();

    private static Rewritten same(Coded coded, String value) {
        return coded.node("QuantizeLinear", value + ",xs,xz", "y").net().output("y");
    }

    @Test
    void movesCodes() {
        Map<String, Map<String, Attribute>> moves = Map.of(
                "Transpose",
                Map.of("perm", Attribute.ofInts(0, 2, 3, 1)),
                "Reshape",
                Map.of("shape", Attribute.ofInts(6, -1)),
                "Flatten",
                Map.of(),
                "DeePhiTile",
                Map.of("multiples", Attribute.ofInts(1, 2, 1, 3)),
                "ReduceMax",
                Map.of("axis", Attribute.ofInts(2, 3)),
                "Slice",
                Map.of("starts", Attribute.ofInts(1), "ends", Attribute.ofInts(3), "axes", Attribute.ofInts(2)),
                "MaxPool",
                Map.of("kernel_size", Attribute.ofInts(2, 2), "padding", Attribute.ofInts(1, 0, 0, 1)));
        moves.forEach((op, params) -> {
            PlacedGraph graph =
                    same(new Coded(2, 3, 4, 4).node(op, "a", "m", params), "m").by(RULE);
            assertThat(Rewritten.operators(graph)).containsExactly(op);
            assertThat(graph.nodes().get(0).node().node().inputs()).containsExactly("x");
            assertThat(graph.nodes().get(0).node().outputTypes().get(0).dtype()).isEqualTo(DType.UINT8);
            assertThat(Rewritten.parts(graph.nodes().get(0))).containsExactlyInAnyOrder("a", "y");
        });
    }

    @Test
    void padsWithTheCodeOfTheNumber() {
        Map<String, Attribute> ones =
                Map.of("pad_with", Attribute.ofInts(0, 0, 0, 0, 1, 1, 0, 1), "constant_value", Attribute.of(1.0));
        PlacedGraph graph =
                same(new Coded(2, 3, 4, 4).node("Pad", "a", "m", ones), "m").by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("Pad");
        assertThat(graph.nodes().get(0).node().binding().integers("integer_constants"))
                .containsOnly(5);
    }

    @Test
    void aBorderOfNaNStays() {
        Map<String, Attribute> ones = Map.of(
                "pad_with", Attribute.ofInts(0, 0, 0, 0, 1, 1, 0, 1), "constant_value", Attribute.of(Double.NaN));
        PlacedGraph graph =
                same(new Coded(2, 3, 4, 4).node("Pad", "a", "m", ones), "m").by(RULE);
        assertThat(Rewritten.operators(graph)).hasSizeGreaterThan(1);
    }

    @Test
    void joinsCodesOfOneScale() {
        Coded coded = new Coded(2, 3, 4, 4);
        coded.net().input("z", 2, 5, 4, 4);
        PlacedGraph graph = same(coded.node("DequantizeLinear", "z,xs,xz", "b").node("Concat", "a,b,a", "m"), "m")
                .by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("Concat");
        assertThat(graph.nodes().get(0).node().node().inputs()).containsExactly("x", "z", "x");
    }

    @Test
    void keepsIndices() {
        Coded coded = new Coded(2, 3, 4, 4);
        coded.constant("places", DType.INT64, new long[] {2}, 1, 0);
        PlacedGraph graph = same(coded.node("Gather", "a,places", "m", Map.of("axis", Attribute.of(1))), "m")
                .by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("Gather");
        assertThat(graph.nodes().get(0).node().node().inputs()).containsExactly("x", "places");
    }

    @Test
    void choosesAmongCodesOfOneScale() {
        Coded coded = new Coded(2, 3, 4, 4);
        coded.net().input("z", 3, 1, 4);
        PlacedGraph graph = same(coded.node("DequantizeLinear", "z,xs,xz", "b").node("Max", "a,b", "m"), "m")
                .by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("Max");
        assertThat(graph.nodes().get(0).node().node().inputs()).containsExactly("x", "z");
    }

    @Test
    void leavesOtherScalesAndOtherOperators() {
        assertThat(Rewritten.operators(
                        new Coded(2, 3, 4, 4).node("Flatten", "a", "m").end("m").by(RULE)))
                .containsExactly("DequantizeLinear", "Flatten", "QuantizeLinear");
        assertThat(Rewritten.operators(
                        same(new Coded(2, 3, 4, 4).node("Neg", "a", "m"), "m").by(RULE)))
                .containsExactly("DequantizeLinear", "Neg", "QuantizeLinear");
        Coded coded = new Coded(2, 3, 4, 4);
        coded.net().input("z", 2, 5, 4, 4);
        assertThat(Rewritten.operators(
                        same(coded.node("DequantizeLinear", "z,ys,yz", "b").node("Concat", "a,b", "m"), "m")
                                .by(RULE)))
                .contains("DequantizeLinear", "Concat", "QuantizeLinear");
    }

    @Test
    void leavesNumbersThatOthersUse() {
        Coded coded = new Coded(2, 3, 4, 4).node("Flatten", "a", "m");
        assertThat(Rewritten.operators(same(coded, "m").output("m").by(RULE)))
                .containsExactly("DequantizeLinear", "Flatten", "QuantizeLinear");
    }
}
