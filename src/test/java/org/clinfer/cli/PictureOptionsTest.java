package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.clinfer.cli.npy.NpyFile;
import org.clinfer.robustness.OnnxModel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The options by which {@code run} makes an input of a picture. */
class PictureOptionsTest {

    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    /** A row of 4 x 1 pixels, and a network that gives what it takes. */
    @BeforeEach
    void writeFiles() throws IOException {
        BufferedImage image = new BufferedImage(4, 1, BufferedImage.TYPE_BYTE_GRAY);
        for (int x = 0; x < 4; x++) {
            image.getRaster().setSample(x, 0, 0, new int[] {0, 100, 200, 40}[x]);
        }
        ImageIO.write(image, "png", folder.resolve("row.png").toFile());
    }

    private float[] run(long[] sizes, String... options) throws IOException {
        Path model = folder.resolve("net.onnx");
        Files.write(
                model,
                new OnnxModel().input("x", sizes).node("Identity", "x", "y").bytes());
        assertThat(code(model, options)).as(err.toString()).isZero();
        return NpyFile.read(folder.resolve("out/y.npy")).toFloatArray();
    }

    private int code(Path model, String... options) {
        String[] arguments = new String[options.length + 8];
        System.arraycopy(
                new String[] {
                    "run",
                    model.toString(),
                    "--device",
                    "cpu",
                    "--input",
                    folder.resolve("row.png").toString(),
                    "-o",
                    folder.resolve("out").toString()
                },
                0,
                arguments,
                0,
                8);
        System.arraycopy(options, 0, arguments, 8, options.length);
        PrintWriter errors = new PrintWriter(err);
        int code = Main.run(new PrintWriter(new StringWriter()), errors, arguments);
        errors.flush();
        return code;
    }

    @Test
    void barsHaveThePixelValueThatIsGiven() throws IOException {
        long[] square = {1, 1, 3, 4};
        assertThat(run(square, "--resize", "letterbox", "--scale", "1", "--padding", "114"))
                .containsExactly(114, 114, 114, 114, 0, 100, 200, 40, 114, 114, 114, 114);
        assertThat(run(square, "--resize", "letterbox", "--scale", "1")).startsWith(0, 0, 0, 0, 0, 100);
    }

    @Test
    void theWayOfResizingIsAntialiasedOrBilinear() throws IOException {
        long[] half = {1, 1, 1, 2};
        assertThat(run(half, "--scale", "1", "--resample", "bilinear")).containsExactly(50, 120);
        assertThat(run(half, "--scale", "7"))
                .satisfies(values -> assertThat(Math.round(values[0])).isEqualTo(500));
    }

    @Test
    void theShortestSideIsThatBeforeTheCut() throws IOException {
        long[] pixel = {1, 1, 1, 2};
        assertThat(run(pixel, "--resize", "crop", "--shortest-side", "1", "--scale", "1"))
                .containsExactly(100, 200);
        // 8 x 2 pixels, of which those from 3 and from 0 stay: rounded to even
        assertThat(run(pixel, "--resize", "crop", "--shortest-side", "2", "--scale", "1"))
                .containsExactly(125, 175);
    }

    @Test
    void optionsThatMeanNothingAreRefused() throws IOException {
        Path model = folder.resolve("net.onnx");
        Files.write(
                model,
                new OnnxModel()
                        .input("x", 1, 1, 1, 4)
                        .node("Identity", "x", "y")
                        .bytes());
        assertThat(code(model, "--shortest-side", "2")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err.toString()).contains("--shortest-side needs --resize crop");
        assertThat(code(model, "--resize", "letterbox", "--padding", "300")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err.toString()).contains("clinfer: --padding: the padding is a pixel value from 0 to 255");
        assertThat(code(model, "--resize", "crop", "--shortest-side", "0")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err.toString()).contains("clinfer: --shortest-side: the shortest side must");
        assertThat(code(model, "--std", "1,0,1")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err.toString()).contains("clinfer: --std: a std must not be 0");
    }
}
