package org.clinfer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Steps and transfers, and what of a graph needs memory at all. */
class PlannerTest extends PlanTests {

    @Test
    void movesValuesOnceInEachDirection() {
        node("*Relu", "x", "a");
        node("Exp", "a", "b");
        node("Abs", "a", "c");
        node("*Add", "b,a", "d");
        node("*Mul", "b,d", "e");
        node("Sum", "c,e,a", "y");
        ExecutionPlan plan = plan("y");
        assertThat(steps(plan))
                .containsExactlyInAnyOrder(
                        "up x",
                        "launch relu_0",
                        "down a",
                        "call exp_1",
                        "call abs_2",
                        "up b",
                        "launch add_3",
                        "launch mul_4",
                        "down e",
                        "call sum_5");
        assertThat(plan.deviceOutputs()).isEmpty();
    }

    @Test
    void aGraphOnTheDeviceIsReadFromThere() {
        node("*Relu", "x", "a");
        node("*Exp", "a", "y");
        ExecutionPlan plan = plan("y", "a");
        assertThat(steps(plan)).containsExactly("up x", "launch relu_0", "launch exp_1");
        assertThat(plan.deviceOutputs()).containsExactlyInAnyOrder("y", "a");
        assertThat(plan.hostArena().totalBytes()).isZero();
        assertThat(plan.deviceArena().regions().keySet()).containsExactlyInAnyOrder("x", "a", "y");
    }

    @Test
    void anOutputThatIsOnBothSidesIsTakenFromTheHost() {
        node("*Relu", "x", "a");
        node("Exp", "a", "y");
        ExecutionPlan plan = plan("y", "a");
        assertThat(steps(plan)).containsExactly("up x", "launch relu_0", "down a", "call exp_1");
        assertThat(plan.deviceOutputs()).isEmpty();
    }

    @Test
    void aGraphOnTheCpuMovesNothing() {
        node("Relu", "x", "a");
        node("Exp", "a", "y");
        ExecutionPlan plan = plan("y");
        assertThat(steps(plan)).containsExactly("call relu_0", "call exp_1");
        assertThat(plan.deviceArena().totalBytes()).isZero();
        assertThat(plan.hostArena().regions().keySet()).containsExactlyInAnyOrder("a", "y");
    }

    @Test
    void anInputMayBeAnOutput() {
        node("*Relu", "x", "y");
        ExecutionPlan plan = plan("x", "y");
        assertThat(plan.deviceOutputs()).containsExactly("y");
        assertThat(plan.hostArena().regions()).isEmpty();
    }

    @Test
    void aConstantMayBeAnOutput() {
        builder.constant("c", Tensor.of(new float[16], 2, 8));
        node("*Add", "x,c", "y");
        ExecutionPlan plan = plan("c", "y");
        assertThat(plan.deviceOutputs()).containsExactly("y");
        assertThat(plan.deviceArena().regions()).doesNotContainKey("c");
    }

    @Test
    void constantsOfKernelsAreNamedAndInNoArena() {
        builder.constant("c", Tensor.of(new float[16], 2, 8)).constant("d", Tensor.of(new float[16], 2, 8));
        node("*Add", "x,c", "a");
        node("Add", "a,d", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.deviceConstants()).containsExactly("c");
        assertThat(steps(plan)).containsExactly("up x", "launch add_0", "down a", "call add_1");
        assertThat(plan.deviceArena().regions()).doesNotContainKeys("c", "d");
        assertThat(plan.hostArena().regions()).doesNotContainKeys("c", "d");
    }

    @Test
    void shapesThatKernelsNeverSeeStayOnTheHost() {
        builder.constant("target", Tensor.of(new long[] {3, 2, 8}, 3));
        node("*Expand", "x,target", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.deviceConstants()).isEmpty();
        assertThat(steps(plan)).containsExactly("up x", "launch expand_0");
    }

    @Test
    void outputsThatNobodyUsesHaveMemory() {
        node("*Split", "x", "a,");
        node("*Relu", "a", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.deviceArena().regions())
                .containsKey("unused output 1 of split_0")
                .doesNotContainKey("");
    }

    @Test
    void emptyValuesHaveMemoryToo() {
        builder.input("nothing", DType.FLOAT32, 0, 8);
        node("*Relu", "nothing", "y");
        assertThat(plan("y").deviceArena().regions()).containsKeys("nothing", "y");
    }

    @Test
    void memoryIsUsedAgain() {
        String last = "x";
        for (int i = 0; i < 10; i++) {
            node("*Relu", last, "v" + i);
            last = "v" + i;
        }
        assertThat(plan(last).deviceArena().totalBytes()).isEqualTo(128 + 64);
    }

    @Test
    void blockedChannelsThatOnlySuchOperatorsMeetLieInArrays() {
        host = MemoryLimits.host(Set.of("Relu", "Concat"));
        builder.input("b", DType.FLOAT32, 1, 2, 3, 4, 16);
        node("Relu", "b", "inner");
        node("Relu", "inner", "part");
        node("Relu", "inner", "other");
        node("Concat", "part,other", "whole");
        node("Relu", "whole", "last");
        node("Exp", "last", "elsewhere");
        node("Relu", "inner", "sent");
        node("*Relu", "sent", "received");
        node("Relu", "x", "matrix");
        node("Relu", "matrix", "given");
        ExecutionPlan plan = plan("elsewhere", "received", "given");
        ArenaPlan arena = plan.hostArena();
        assertThat(arena.regions().keySet().stream().filter(arena::isInArray))
                .containsExactlyInAnyOrder("inner", "part", "other", "whole");
        assertThat(arena.arrays()).isOne();
        assertThat(arena.arrayBytes()).hasSize(1);
        assertThat(arena.memoryBytes()).hasSize(arena.chunkBytes().size() - 1);
    }
}
