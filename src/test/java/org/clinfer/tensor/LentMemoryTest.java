package org.clinfer.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Memory that is lent to a tensor comes back only if nobody can see it any more. */
class LentMemoryTest {

    private final AtomicInteger givenBack = new AtomicInteger();

    private Tensor lent(DType dtype) {
        TensorType type = TensorType.of(dtype, 3);
        return Tensor.lend(type, ByteBuffer.allocateDirect(Math.toIntExact(type.bytes())), givenBack::incrementAndGet);
    }

    @Test
    void comesBackOnceWhenOnlyCopiesWereTaken() {
        Tensor tensor = lent(DType.FLOAT32);
        assertThat(tensor.toFloatArray()).containsOnly(0);
        assertThat(tensor.toLongArray()).containsOnly(0);
        assertThat(tensor.getDouble(1)).isZero();
        assertThat(tensor.getLong(2)).isZero();
        assertThat(tensor.copy().bytes().capacity()).isEqualTo(12);
        assertThat(tensor.to(DType.INT8).toLongArray()).containsOnly(0);
        assertThat(tensor.toString()).isEqualTo("3:float32 [0.0, 0.0, 0.0]");
        assertThat(givenBack).hasValue(0);

        tensor.close();
        tensor.close();

        assertThat(givenBack).hasValue(1);
    }

    @Test
    void doesNotComeBackOnceThereIsAView() {
        List<Consumer<Tensor>> views =
                List.of(Tensor::bytes, t -> t.reshaped(Shape.of(1, 3)), t -> t.setLong(0, 1), t -> t.setDouble(0, 1));
        for (Consumer<Tensor> view : views) {
            Tensor tensor = lent(DType.INT32);
            view.accept(tensor);
            tensor.close();
        }
        Tensor floats = lent(DType.FLOAT32);
        assertThat(floats.floats().capacity()).isEqualTo(3);
        floats.close();
        Tensor longs = lent(DType.INT64);
        assertThat(longs.longs().capacity()).isEqualTo(3);
        longs.close();

        assertThat(givenBack).hasValue(0);
    }

    @Test
    void givesNoViewOnceItCameBack() {
        AtomicInteger refused = new AtomicInteger();
        TensorType type = TensorType.of(DType.FLOAT32, 3);
        Tensor[] tensor = new Tensor[1];
        tensor[0] = Tensor.lend(type, ByteBuffer.allocateDirect(12), () -> {
            assertThatThrownBy(() -> tensor[0].bytes()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> tensor[0].toFloatArray()).isInstanceOf(IllegalStateException.class);
            refused.incrementAndGet();
        });

        tensor[0].close();

        assertThat(refused).hasValue(1);
    }

    @Test
    void eitherAViewOrTheMemory() {
        Loan kept = new Loan(givenBack::incrementAndGet);
        assertThat(kept.keep()).isTrue();
        assertThat(kept.keep()).isTrue();
        kept.end();
        assertThat(givenBack).hasValue(0);

        Loan ended = new Loan(givenBack::incrementAndGet);
        ended.end();
        assertThat(ended.keep()).isFalse();
        assertThat(givenBack).hasValue(1);
    }
}
