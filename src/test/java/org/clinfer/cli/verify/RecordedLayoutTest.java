package org.clinfer.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Tensors recorded with channels first for a network with channels last. */
class RecordedLayoutTest {

    private static final Tensor RECORDED = Tensor.of(new float[] {0, 1, 2, 10, 11, 12}, 1, 2, 1, 3);

    @Test
    void channelsAreTurnedToTheEnd() {
        Tensor turned = RecordedLayout.NCHW.toNetwork(RECORDED, Shape.of(1, 1, 3, 2));

        assertThat(turned.shape()).isEqualTo(Shape.of(1, 1, 3, 2));
        assertThat(turned.toFloatArray()).containsExactly(0, 10, 1, 11, 2, 12);
    }

    @Test
    void tensorThatDoesNotFitTurnedStaysAsItIs() {
        assertThat(RecordedLayout.NCHW.toNetwork(RECORDED, Shape.of(1, 2, 1, 3)))
                .isSameAs(RECORDED);
        assertThat(RecordedLayout.ASIS.toNetwork(RECORDED, Shape.of(1, 1, 3, 2)))
                .isSameAs(RECORDED);
    }
}
