package org.clinfer.demo.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Accuracy and intersection over union of a result small enough to count by hand. */
class EvaluationTest {

    @Test
    void countsAgreementPerClass() {
        Evaluation evaluation = new Evaluation();
        evaluation.count(new byte[] {0, 0, 0, 1, 1, 2, 3, 4, 5}, new long[] {0, 0, 1, 1, 1, 2, 3, 4, 0});
        assertThat(evaluation.pixelAccuracy()).isCloseTo(7.0 / 9, within(1e-12));
        assertThat(evaluation.intersectionOverUnion(0)).isCloseTo(2.0 / 4, within(1e-12));
        assertThat(evaluation.intersectionOverUnion(1)).isCloseTo(2.0 / 3, within(1e-12));
        assertThat(evaluation.intersectionOverUnion(5)).isZero();
        assertThat(evaluation.meanIntersectionOverUnion())
                .isCloseTo((0.5 + 2.0 / 3 + 1 + 1 + 1 + 0) / 6, within(1e-12));
    }
}
