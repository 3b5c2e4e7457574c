package org.clinfer.infer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Where a run is cut because data decide sizes. */
class StagesTest {

    private final GraphBuilder builder = new GraphBuilder("net", new SourceRef("net", ""))
            .input("x", DType.FLOAT32, 3, 4)
            .input("v", DType.INT64, 2)
            .constant("none", Tensor.of(new long[] {0}, 1))
            .constant("one", Tensor.of(new long[] {1}, 1));

    private void node(String op, String outputs, String... inputs) {
        builder.node(op, List.of(inputs), List.of(outputs.split(",", -1)), Map.of());
    }

    private List<Stages.Stage> stages(String... outputs) {
        List.of(outputs).forEach(builder::output);
        return Stages.of(builder.build(), OpCatalog.builtIn());
    }

    private static List<String> operators(Stages.Stage stage) {
        return stage.nodes().stream().map(Node::op).toList();
    }

    @Test
    void oneWhereSizesFollowFromTypesConstantsAndVectors() {
        node("Shape", "s", "x");
        node("Mul", "t", "s", "v");
        node("Expand", "y", "x", "t");
        node("Slice", "z", "y", "none", "one", "one");
        List<Stages.Stage> stages = stages("z");
        assertThat(stages).hasSize(1);
        assertThat(stages.get(0).inputs()).containsExactly("x", "v");
        assertThat(stages.get(0).outputs()).containsExactly("z");
    }

    @Test
    void oneWhereACallerGivesTheSizeHoweverManyAxesItHas() {
        builder.input("square", DType.INT64, 1, 2);
        node("Reshape", "y", "x", "square");
        assertThat(stages("y")).hasSize(1);
    }

    @Test
    void whatHasAFoundSizeRunsAfterItsCount() {
        node("Relu", "r", "x");
        node("NonZero", "all,count", "r");
        node("Slice", "places", "all", "none", "count", "one");
        node("Shape", "s", "places");
        node("Expand", "y", "one", "s");
        node("Sigmoid", "aside", "r");
        List<Stages.Stage> stages = stages("y", "aside");
        assertThat(stages).hasSize(2);
        assertThat(operators(stages.get(0))).containsExactlyInAnyOrder("Relu", "NonZero", "Sigmoid");
        assertThat(stages.get(0).inputs()).containsExactly("x");
        assertThat(stages.get(0).outputs()).containsExactlyInAnyOrder("all", "count", "aside");
        assertThat(operators(stages.get(1))).containsExactly("Slice", "Shape", "Expand");
        assertThat(stages.get(1).inputs()).containsExactlyInAnyOrder("all", "count");
        assertThat(stages.get(1).outputs()).containsExactly("y");
    }

    @Test
    void aSizeThatIsComputedFromAFoundOneTakesAnother() {
        node("NonZero", "all,count", "x");
        node("Slice", "places", "all", "none", "count", "one");
        node("NonZero", "others,number", "places");
        node("Slice", "y", "others", "none", "number", "one");
        List<Stages.Stage> stages = stages("y");
        assertThat(stages)
                .extracting(StagesTest::operators)
                .containsExactly(List.of("NonZero"), List.of("Slice", "NonZero"), List.of("Slice"));
        assertThat(stages.get(2).inputs()).containsExactlyInAnyOrder("others", "number");
    }

    @Test
    void whatIsTakenFromTwoStagesBeforeIsKept() {
        node("Relu", "r", "x");
        node("NonZero", "all,count", "r");
        node("Slice", "places", "all", "none", "count", "one");
        node("NonZero", "others,number", "places");
        node("Slice", "held", "others", "none", "number", "one");
        node("Cast", "h", "held");
        node("Concat", "y", "r", "held");
        List<Stages.Stage> stages = stages("y");
        assertThat(stages.get(0).outputs()).contains("r");
        assertThat(stages.get(1).inputs()).doesNotContain("r");
        assertThat(stages.get(2).inputs()).contains("r");
    }

    @Test
    void whatFollowsFromConstantsBelongsToTheStageThatTakesIt() {
        node("Neg", "n", "one");
        node("Abs", "size", "n");
        node("Neg", "early", "one");
        node("NonZero", "all,count", "x");
        node("Slice", "places", "all", "none", "count", "size");
        node("Slice", "y", "places", "early", "early", "size");
        node("Slice", "z", "x", "early", "early", "one");
        List<Stages.Stage> stages = stages("y", "z");
        assertThat(stages)
                .extracting(StagesTest::operators)
                .containsExactly(List.of("NonZero", "Neg", "Slice"), List.of("Neg", "Abs", "Slice", "Slice"));
        assertThat(stages.get(1).inputs()).containsExactlyInAnyOrder("all", "count", "early");
    }

    @Test
    void aStageOfNothingButConstantsFallsAway() {
        node("Neg", "n", "one");
        Graph branch = new GraphBuilder("branch", new SourceRef("net", ""))
                .input("x", DType.FLOAT32, 3, 4)
                .output("x")
                .build();
        Map<String, Graph> branches = Map.of("then_branch", branch, "else_branch", branch);
        builder.input("go", DType.BOOL)
                .node(new Node(
                        "if",
                        "If",
                        List.of("go", "x"),
                        List.of("found"),
                        Map.of(),
                        branches,
                        new SourceRef("net", "")));
        node("Slice", "y", "found", "none", "n", "one");
        assertThat(stages("y"))
                .extracting(StagesTest::operators)
                .containsExactly(List.of("If"), List.of("Neg", "Slice"));
    }
}
