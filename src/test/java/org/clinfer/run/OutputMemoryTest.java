package org.clinfer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
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
