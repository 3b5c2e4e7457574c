package org.clinfer.cpu.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Arrays that are used again. */
class ScratchTest {

    @Test
    void theSmallestThatFitsIsUsedAgain() {
        Scratch scratch = new Scratch();
        float[] large = new float[100];
        float[] small = new float[10];
        scratch.give(large);
        scratch.give(small);

        assertThat(scratch.take(8)).isSameAs(small);
        assertThat(scratch.take(8)).isSameAs(large);
        assertThat(scratch.take(8)).hasSize(8);
    }

    @Test
    void beyondTheLimitTheOldestIsForgotten() {
        Scratch scratch = new Scratch();
        float[] old = new float[9 << 20];
        float[] young = new float[8 << 20];
        scratch.give(old);
        scratch.give(young);

        assertThat(scratch.take(1)).isSameAs(young);
        assertThat(scratch.take(1)).hasSize(1);
    }
}
