package org.clinfer.demo.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.DataBufferInt;
import org.junit.jupiter.api.Test;

/** Scenes are repeatable and show every class. */
class ScenePainterTest {

    private static final int SIZE = 96;

    @Test
    void sameSeedGivesTheSameScene() {
        Scene first = ScenePainter.paint(SIZE, 42);
        Scene second = ScenePainter.paint(SIZE, 42);
        assertThat(pixels(first)).isEqualTo(pixels(second));
        assertThat(first.classes()).isEqualTo(second.classes());
    }

    @Test
    void anotherSeedGivesAnotherScene() {
        assertThat(pixels(ScenePainter.paint(SIZE, 42))).isNotEqualTo(pixels(ScenePainter.paint(SIZE, 43)));
    }

    @Test
    void everyClassOccursAndTheBackgroundMost() {
        int[] total = new int[ShapeClass.values().length];
        for (int seed = 0; seed < 30; seed++) {
            byte[] classes = ScenePainter.paint(SIZE, seed).classes();
            for (byte pixelClass : classes) {
                total[pixelClass]++;
            }
        }
        assertThat(total).doesNotContain(0);
        assertThat(total[0]).isGreaterThan(30 * SIZE * SIZE / 2);
    }

    private static int[] pixels(Scene scene) {
        return ((DataBufferInt) scene.picture().getRaster().getDataBuffer()).getData();
    }
}
