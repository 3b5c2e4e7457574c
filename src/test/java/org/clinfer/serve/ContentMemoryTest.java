package org.clinfer.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Memory that requests leave to others. */
class ContentMemoryTest {

    @Test
    void memoryIsUsedAgain() {
        ContentMemory memory = new ContentMemory(10_000);
        ByteBuffer first = memory.take(ContentMemory.capacity(5000));
        assertThat(first.capacity()).isEqualTo(8192);
        assertThat(first.alignmentOffset(0, Tensor.ALIGNMENT)).isZero();
        first.put((byte) 1);
        memory.give(first);
        assertThat(memory.kept()).isEqualTo(8192);
        assertThat(memory.take(4096)).isNotSameAs(first);
        assertThat(memory.take(8192)).isSameAs(first).satisfies(again -> {
            assertThat(again.position()).isZero();
            assertThat(again.remaining()).isEqualTo(8192);
        });
        assertThat(memory.kept()).isZero();
    }

    @Test
    void noMoreIsKeptThanIsAllowed() {
        ContentMemory memory = new ContentMemory(10_000);
        memory.give(memory.take(8192));
        memory.give(Tensor.alignedMemory(4096));
        assertThat(memory.kept()).isEqualTo(8192);
    }

    @Test
    void capacitiesArePowersOfTwo() {
        assertThat(ContentMemory.capacity(1)).isEqualTo(256);
        assertThat(ContentMemory.capacity(4096)).isEqualTo(4096);
        assertThat(ContentMemory.capacity(4097)).isEqualTo(8192);
        assertThat(ContentMemory.capacity(1 << 30)).isEqualTo(1 << 30);
        assertThat(ContentMemory.capacity((1 << 30) + 1)).isEqualTo((1 << 30) + 1);
    }
}
