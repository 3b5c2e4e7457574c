package org.clinfer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Values that lie in the memory of others: views, parts, and what takes the place of its input. */
class SharedPlacesTest extends PlanTests {

    @Test
    void viewsShareTheMemoryOfTheirOwner() {
        node("*Relu", "x", "a");
        node("*Reshape", "a", "b");
        node("*Identity", "b", "c");
        node("*Exp", "c", "y");
        ExecutionPlan plan = plan("y", "b");
        assertThat(plan.owner("b")).isEqualTo("a");
        assertThat(plan.owner("c")).isEqualTo("a");
        assertThat(plan.owner("y")).isEqualTo("y");
        assertThat(plan.deviceArena().regions().keySet()).containsExactlyInAnyOrder("x", "a", "y");
        assertThat(plan.deviceOutputs()).containsExactlyInAnyOrder("y", "b");
    }

    @Test
    void aViewIsMovedWithItsOwner() {
        node("*Relu", "x", "a");
        node("*Reshape", "a", "b");
        node("Exp", "b", "c");
        node("Abs", "a", "d");
        ExecutionPlan plan = plan("c", "d");
        assertThat(steps(plan)).containsOnlyOnce("down a").doesNotContain("down b");
    }

    @Test
    void aViewOfAnInputOrAConstantNeedsNoMemory() {
        builder.constant("k", Tensor.of(new float[4], 4));
        node("Reshape", "x", "a");
        node("Identity", "k", "b");
        ExecutionPlan plan = plan("a", "b");
        assertThat(plan.hostArena().regions()).isEmpty();
        assertThat(plan.deviceOutputs()).isEmpty();
    }

    @Test
    void partsOfASplitLieInItsInput() {
        node("Relu", "x", "a");
        node("Split", "a", "b,c");
        node("Exp", "b", "d");
        node("*Relu", "c", "y");
        ExecutionPlan plan = plan("d", "y");
        assertThat(plan.hostArena().wholes()).isEqualTo(Map.of("b", "a", "c", "a"));
        long a = Objects.requireNonNull(plan.hostArena().regions().get("a")).offset();
        ArenaPlan.Region c = Objects.requireNonNull(plan.hostArena().regions().get("c"));
        assertThat(c.offset()).isEqualTo(a + c.bytes());
        assertThat(steps(plan)).contains("up c").doesNotContain("up a");
        assertThat(plan.steps().get(1))
                .isInstanceOfSatisfying(
                        Step.HostCall.class, call -> assertThat(call.done()).isTrue());
    }

    @Test
    void aSliceWithoutGapsLiesInItsInput() {
        node("Relu", "x", "a");
        node("Slice", "a", "b");
        node("Exp", "b", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.hostArena().wholes()).isEqualTo(Map.of("b", "a"));
        long a = Objects.requireNonNull(plan.hostArena().regions().get("a")).offset();
        assertThat(Objects.requireNonNull(plan.hostArena().regions().get("b")).offset())
                .isGreaterThan(a);
    }

    @Test
    void whatOneIndexGathersLiesInItsInput() {
        builder.constant("last", Tensor.of(new long[] {-1}, 1));
        node("Relu", "x", "a");
        node("Gather", "a,last", "b");
        node("Exp", "b", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.hostArena().wholes()).isEqualTo(Map.of("b", "a"));
    }

    @Test
    void inputsOfAConcatLieInItsOutput() {
        node("Relu", "x", "a");
        node("Exp", "x", "b");
        node("Concat", "a,b", "ab");
        node("Concat", "ab,ab", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.hostArena().wholes()).isEqualTo(Map.of("a", "y", "b", "y", "ab", "y"));
        assertThat(plan.hostArena().totalBytes())
                .isEqualTo(Objects.requireNonNull(plan.hostArena().regions().get("y"))
                        .bytes());
    }

    @Test
    void inputsAndConstantsAreNotMoved() {
        builder.constant("k", Tensor.of(new float[16], 2, 8));
        node("Concat", "x,k", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.hostArena().wholes()).isEmpty();
        assertThat(plan.steps().get(0))
                .isInstanceOfSatisfying(
                        Step.HostCall.class, call -> assertThat(call.done()).isFalse());
    }

    @Test
    void whatTheDeviceCannotAlignIsNotAPart() {
        node("*Relu", "x", "a");
        node("*Split", "a", "b,c");
        node("*Concat", "b,c", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.deviceArena().wholes()).isEqualTo(Map.of("b", "a"));
    }

    /** {@code data[2, 8], indices, x → y}. */
    private void scatter(String op) {
        builder.input("data", DType.FLOAT32, 2, 8).input("indices", DType.INT64, 2, 8);
        node(op, "data,indices,x", "y");
    }

    private static boolean updates(ExecutionPlan plan) {
        return plan.steps().stream().anyMatch(step -> step instanceof Step.Launch launch && launch.updates());
    }

    @Test
    void elementsAreReplacedWhereNobodyElseReadsThem() {
        scatter("*ScatterElements");
        ExecutionPlan plan = plan("y");
        assertThat(plan.updates()).containsExactly(Map.entry("y", "data"));
        assertThat(plan.deviceArena().regions().get("data"))
                .isEqualTo(plan.deviceArena().regions().get("y"));
        assertThat(updates(plan)).isTrue();
    }

    @Test
    void elementsAreReplacedInLentMemory() {
        scatter("*ScatterElements");
        ExecutionPlan plan = sharedPlan("y");
        assertThat(plan.lent()).containsExactlyInAnyOrder("y", "indices", "x");
        assertThat(plan.deviceArena().wholes()).containsEntry("data", "y");
        assertThat(plan.deviceArena().regions()).isEmpty();
    }

    @Test
    void theHostReplacesElementsInItsOwnPlaceForEachRun() {
        scatter("ScatterElements");
        ExecutionPlan plan = plan("y");
        assertThat(plan.updates()).containsExactly(Map.entry("y", "data"));
        assertThat(plan.hostArena().regions()).containsOnlyKeys("y");
    }

    @Test
    void elementsThatAreReadElsewhereAreNotReplaced() {
        scatter("*ScatterElements");
        node("Relu", "data", "z");
        ExecutionPlan plan = plan("y", "z");
        assertThat(plan.updates()).isEmpty();
        assertThat(updates(plan)).isFalse();
        assertThat(plan.deviceArena().wholes()).isEmpty();
    }

    @Test
    void anInputThatIsAnOutputTooIsNotReplaced() {
        scatter("*ScatterElements");
        assertThat(updates(plan("y", "data"))).isFalse();
    }
}
