package org.clinfer.cli.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.util.List;
import org.clinfer.image.Picture;
import org.clinfer.image.Segmentation;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** The picture that {@code demo} paints. */
class OverlayTest {

    @Test
    void overlayShowsEachClassAndLeavesTheBackground() {
        Tensor scores = Tensor.of(new float[] {1, 0, 0, 1}, 1, 2, 1, 2);
        Segmentation found = Segmentation.of(scores);
        assertThat(found.classOf()).containsExactly(0, 1);
        assertThat(found.shares()).containsExactly(0.5, 0.5);

        Picture gray = new Picture(2, 1, 1, new float[] {50, 50});
        BufferedImage image = Overlay.paint(gray, found, List.of("nothing", "circle"));

        assertThat(image.getRGB(0, 0) & 0xffffff).isEqualTo(0x323232);
        assertThat(image.getRGB(image.getWidth() - 1, 0) & 0xffffff).isNotEqualTo(0x323232);
    }
}
