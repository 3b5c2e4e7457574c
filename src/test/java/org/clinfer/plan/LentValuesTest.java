package org.clinfer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

/** Values that a device which shares the host's memory reads and writes where the host has them. */
class LentValuesTest extends PlanTests {

    @Test
    void sharedMemoryIsLent() {
        builder.input("large", DType.FLOAT32, 100, 100);
        node("*Relu", "large", "y");
        node("*Relu", "x", "small");
        ExecutionPlan plan = sharedPlan("y", "small");
        assertThat(plan.lent()).containsExactlyInAnyOrder("large", "x", "y");
        assertThat(plan.deviceArena().regions()).containsOnlyKeys("small");
    }

    @Test
    void onlyAFewValuesAreLentTheLargest() {
        for (int i = 1; i < 9; i++) {
            builder.input("i" + i, DType.FLOAT32, i);
            node("*Relu", "i" + i, "o" + i);
        }
        node("*Relu", "x", "y");
        assertThat(sharedPlan("y", "o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8")
                        .lent())
                .as("inputs of 4 to 64 bytes, the outputs are too small")
                .containsExactlyInAnyOrder("x", "i8", "i7", "i6", "i5", "i4");
    }

    @Test
    void memoryInWhichOthersLieIsNotLent() {
        builder.input("large", DType.FLOAT32, 200, 64);
        node("*Split", "large", "a,b");
        node("*Relu", "a", "c");
        node("*Relu", "b", "d");
        node("*Concat", "c,d", "y");
        assertThat(sharedPlan("y").lent()).isEmpty();
    }

    @Test
    void memoryOfTwoOutputsIsNotLent() {
        builder.input("large", DType.FLOAT32, 100, 100);
        node("*Relu", "large", "y");
        node("*Reshape", "y", "z");
        assertThat(sharedPlan("y", "z").lent()).containsExactly("large");
    }

    @Test
    void valuesForTheHostAreNotLent() {
        builder.input("large", DType.FLOAT32, 100, 100);
        node("Relu", "large", "a");
        node("*Relu", "a", "b");
        node("Relu", "b", "y");
        assertThat(sharedPlan("y").lent()).isEmpty();
    }

    @Test
    void smallInputsAreThereBeforeTheDeviceBegins() {
        builder.input("z", DType.FLOAT32, 4);
        builder.input("large", DType.FLOAT32, 1 << 10, 1 << 11);
        node("*Relu", "x", "a");
        node("*Relu", "large", "b");
        node("*Relu", "z", "c");
        node("Relu", "z", "d");
        ExecutionPlan plan = sharedPlan("a", "b", "c", "d");
        assertThat(steps(plan).subList(0, 2)).containsExactly("up x", "up z");
    }
}
