package org.clinfer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** The memory of a closed output serves the next run, unless somebody still sees it. */
class OutputMemoryTest {

    private static final TensorType TYPE = TensorType.of(DType.FLOAT32, 5);

    private final OutputMemory memory = new OutputMemory();

    @Test
    void servesTheNextOutputOfTheName() {
        ByteBuffer first = memory.take("y", TYPE);
        Tensor output = memory.tensor("y", TYPE, first);
        assertThat(output.toFloatArray()).hasSize(5);
        output.close();

        assertThat(memory.take("z", TYPE)).isNotSameAs(first);
        assertThat(memory.take("y", TYPE)).isSameAs(first);
        assertThat(memory.take("y", TYPE)).isNotSameAs(first);
    }

    /** An output that grows takes memory once for each magnitude, with room for the largest. */
    @Test
    void growsBySteps() {
        Set<ByteBuffer> taken = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int floats = 20; floats < 32; floats++) {
            TensorType type = TensorType.of(DType.FLOAT32, floats);
            ByteBuffer bytes = memory.take("y", type);
            assertThat(bytes.remaining()).isEqualTo(4 * floats);
            taken.add(bytes);
            try (Tensor output = memory.tensor("y", type, bytes)) {
                assertThat(output.toFloatArray()).hasSize(floats);
            }
        }
        assertThat(taken).hasSize(2);
        assertThat(isOneOf(taken, 32)).as("larger").isFalse();
        assertThat(isOneOf(taken, 15)).as("much smaller").isFalse();
        assertThat(isOneOf(taken, 16)).isTrue();
    }

    @Test
    void isForgotten() {
        ByteBuffer first = memory.take("y", TYPE);
        memory.giveBack("y", first);
        memory.clear();
        assertThat(memory.take("y", TYPE)).isNotSameAs(first);
    }

    /** Takes memory for an output of so many elements; true if it is one of these, which are told apart as objects. */
    private boolean isOneOf(Set<ByteBuffer> pieces, int floats) {
        ByteBuffer bytes = memory.take("y", TensorType.of(DType.FLOAT32, floats));
        return pieces.contains(bytes);
    }

    @Test
    void isNotTakenFromAnOutputThatIsOpenOrSeen() {
        ByteBuffer first = memory.take("y", TYPE);
        Tensor output = memory.tensor("y", TYPE, first);
        assertThat(memory.take("y", TYPE)).isNotSameAs(first);

        assertThat(output.floats().capacity()).isEqualTo(5);
        output.close();
        assertThat(memory.take("y", TYPE)).isNotSameAs(first);
    }
}
