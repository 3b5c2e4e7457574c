package org.clinfer.importer.darknet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Networks as files, what a few layers compute, and files that are none. */
class DarknetImporterTest {

    private static final String NET = "[net]\nchannels=1\nheight=1\nwidth=2\n";

    @TempDir
    Path folder;

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("net.cfg"), text);
    }

    private void weights(int minor, float... values) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(20 + 4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(0).putInt(minor).putInt(0);
        if (minor >= 2) {
            bytes.putLong(9);
        } else {
            bytes.putInt(9);
        }
        for (float value : values) {
            bytes.putFloat(value);
        }
        byte[] written = new byte[bytes.position()];
        bytes.flip().get(written);
        Files.write(folder.resolve("net.weights"), written);
    }

    private static float[] run(Path model, float[] x, long... dims) {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model loaded = engine.load(model);
                Session session = loaded.session();
                Result result = session.run(Map.of("data", Tensor.of(x, dims)))) {
            return List.copyOf(result.outputs().values()).get(0).toFloatArray();
        }
    }

    private void refused(String text, String message) throws IOException {
        Path file = write(text);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .hasMessage("net.cfg: " + message);
    }

    @Test
    void weightsFollowOneAnother() throws IOException {
        Path file = write(NET + "[convolutional]\nbatch_normalize=1\nfilters=1\nsize=1\nactivation=leaky\n"
                + "[convolutional] # the second\nsize=1\nfilters=1 # one\nactivation=linear\n"
                        .replace(" # the second", ""));
        // bias, scale, mean, variance, kernel; bias, kernel
        float[] values = {1, 3, 2, 4, 5, -1, 10};
        for (int minor : new int[] {1, 2}) {
            weights(minor, values);
            float[] y = run(file, new float[] {2, -2}, 1, 1, 1, 2);
            // (5 x - 2) / 2 * 3 + 1, leaky, times 10, less 1
            assertThat((double) y[0]).isCloseTo(10 * 13.0 - 1, within(1e-3));
            assertThat((double) y[1]).isCloseTo(10 * -17 * 0.1 - 1, within(1e-3));
        }
    }

    @Test
    void weightsOfAnotherNetworkAreRefused() throws IOException {
        Path file = write(NET + "[convolutional]\nfilters=1\nsize=1\nactivation=linear\n");
        weights(2, 1, 2, 3);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .hasMessage("net.cfg: 'net.weights' has 32 bytes, but the network takes 28");
        weights(2, 1);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .hasMessageContaining("it needs 4 bytes from offset 24");
    }

    @Test
    void withoutWeightsEverythingIsUnknown() throws IOException {
        Path file = write(NET + "[convolutional]\nfilters=1\nsize=1\nactivation=linear\n");
        assertThat(run(file, new float[] {2, -2}, 1, 1, 1, 2)).containsOnly(Float.NaN);
    }

    @Test
    void poolsPadBehindFirst() throws IOException {
        Path file = write("[net]\nchannels=1\nheight=1\nwidth=3\n[maxpool]\nsize=2\nstride=1\n");
        assertThat(run(file, new float[] {1, 3, 2}, 1, 1, 1, 3)).containsExactly(3, 3, 2);
    }

    @Test
    void meansAreOfWhatIsWithinThePicture() throws IOException {
        Path file = write("[net]\nchannels=1\nheight=1\nwidth=3\n[local_avgpool]\nsize=2\nstride=1\n");
        assertThat(run(file, new float[] {1, 3, 2}, 1, 1, 1, 3)).containsExactly(2, 2.5f, 2);
    }

    /** Of two options with one name darknet reads the first, and those of the training are for it alone. */
    @Test
    void optionsThatMeanNothing() throws IOException {
        Path file = write("""
                [net]
                channels=1
                height=1
                width=4
                [max]
                size=1
                stride=2
                stride=1
                learning_rate=2
                stopbackward=1
                [avg]
                """);
        assertThat(run(file, new float[] {1, 9, 3, 9}, 1, 1, 1, 4)).containsExactly(2);
    }

    @Test
    void tooManyCellsAreRefused() throws IOException {
        refused(
                "[net]\nchannels=6\nheight=65536\nwidth=65536\n[yolo]\nanchors=1,1\nmask=0\nclasses=1\n",
                "layer 0 [yolo]: layer yolo with more than 4194304 cells is not supported");
    }

    @Test
    void boxesAreDecoded() throws IOException {
        Path file = write("[net]\nchannels=7\nheight=1\nwidth=2\n[yolo]\nmask=1\nanchors=1,1, 4,2\nclasses=2\nnum=2\n");
        float[] x = new float[14];
        x[4] = 2; // width of the first cell
        x[8] = 100; // the first cell has a box
        x[10] = 100; // of the first class
        float[] y = run(file, x, 1, 7, 1, 2);
        double[] wanted = {0.25, 0.5, Math.exp(2) * 4 / 2, 2, 1, 1, 0.5, 0.75, 0.5, 2, 2, 0.5, 0.25, 0.25};
        assertThat(y).hasSize(14);
        for (int i = 0; i < 14; i++) {
            assertThat((double) y[i]).as("element %s", i).isCloseTo(wanted[i], within(1e-4));
        }
    }

    @ParameterizedTest
    @CsvSource({"center,0,0.2", "left_top,0.5,0", "right_bottom,-0.5,0.5"})
    void uncertainBoxesHaveLowerScores(String point, double share, double thresh) throws IOException {
        int anchors = 2;
        int parts = 8 + 1 + 3;
        int cells = 6;
        Path file = write("[net]\nchannels=24\nheight=2\nwidth=3\n[Gaussian_yolo]\nmask=1,2\nanchors=1,1, 4,2, 2,3\n"
                + "classes=3\nnum=3\nscale_x_y=1.1\nyolo_point=" + point + "\nthresh=" + thresh + "\n");
        float[] x = new float[anchors * parts * cells];
        Random random = new Random(7);
        for (int i = 0; i < x.length; i++) {
            x[i] = 4 * random.nextFloat() - 1;
        }
        float[] y = run(file, x, 1, 24, 2, 3);
        double[] sizes = {4, 2, 2, 3};
        double[] wanted = new double[anchors * cells * 8];
        for (int i = 0; i < anchors * cells; i++) {
            int anchor = i % anchors;
            int cell = i / anchors;
            double[] of = new double[parts];
            for (int part = 0; part < parts; part++) {
                double raw = x[(anchor * parts + part) * cells + cell];
                of[part] = part == 4 || part == 6 ? Math.exp(raw) : 1 / (1 + Math.exp(-raw));
            }
            double width = of[4] * sizes[2 * anchor] / 3;
            double height = of[6] * sizes[2 * anchor + 1] / 2;
            double certain = 1 - (of[1] + of[3] + of[5] + of[7]) / 4;
            int row = cell / 3;
            wanted[i * 8] = (cell % 3 + of[0] * 1.1 - 0.05) / 3 + share * width;
            wanted[i * 8 + 1] = (row + of[2] * 1.1 - 0.05) / 2 + share * height;
            wanted[i * 8 + 2] = width;
            wanted[i * 8 + 3] = height;
            wanted[i * 8 + 4] = of[8];
            for (int kind = 0; kind < 3; kind++) {
                double score = of[8] * of[9 + kind] * certain;
                wanted[i * 8 + 5 + kind] = score > thresh ? score : 0;
            }
        }
        assertThat(y).hasSize(wanted.length);
        for (int i = 0; i < y.length; i++) {
            assertThat((double) y[i]).as("element %s", i).isCloseTo(wanted[i], within(1e-5));
        }
    }

    /** Weights of a place: for each filter, those of each channel, row and column. */
    @Test
    void localLayersHaveWeightsForEveryPlace() throws IOException {
        Path file = write("""
                [net]
                channels=2
                height=4
                width=3
                [local]
                filters=3
                size=3
                stride=1
                pad=1
                activation=linear
                """);
        Random random = new Random(3);
        int places = 12;
        int terms = 18;
        float[] numbers = new float[3 * places + places * 3 * terms];
        float[] x = new float[24];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = random.nextInt(9) - 4;
        }
        for (int i = 0; i < x.length; i++) {
            x[i] = random.nextInt(5) - 2;
        }
        weights(2, numbers);
        float[] y = run(file, x, 1, 2, 4, 3);
        assertThat(y).hasSize(3 * places);
        for (int i = 0; i < y.length; i++) {
            int filter = i / places;
            int place = i % places;
            float sum = numbers[i];
            for (int term = 0; term < terms; term++) {
                int row = place / 3 + term / 3 % 3 - 1;
                int column = place % 3 + term % 3 - 1;
                if (row >= 0 && row < 4 && column >= 0 && column < 3) {
                    sum += x[term / 9 * 12 + row * 3 + column] * numbers[36 + (place * 3 + filter) * terms + term];
                }
            }
            assertThat(y[i]).as("element %s", i).isEqualTo(sum);
        }
    }

    @Test
    void theFirstHeadGivesWhatItTakes() throws IOException {
        String net = "[net]\nchannels=28\nheight=1\nwidth=1\n[detection]\nclasses=2\nside=2\nnum=1\ncoords=4\n";
        float[] x = new float[28];
        for (int i = 0; i < x.length; i++) {
            x[i] = i % 2 == 0 ? 0 : (float) Math.log(3);
        }
        assertThat(run(write(net), x, 1, 28, 1, 1)).containsExactly(x);
        float[] shares = run(write(net + "softmax=1\n"), x, 1, 28, 1, 1);
        for (int i = 0; i < 8; i++) {
            assertThat((double) shares[i]).isCloseTo(i % 2 == 0 ? 0.25 : 0.75, within(1e-5));
        }
        assertThat(shares[8]).isZero();
        assertThat(shares[27]).isEqualTo(x[27]);
        refused(
                net.replace("num=1", "num=2"),
                "layer 0 [detection]: it takes 2 classes and 2 boxes of 4 cells, but is given 28 numbers");
    }

    @Test
    void reorgPutsExtraElementsBehind() throws IOException {
        Path file = write(NET + "[reorg]\nstride=1\nextra=2\n");
        assertThat(run(file, new float[] {3, 4}, 1, 1, 1, 2)).containsExactly(3, 4, 0, 0);
    }

    @Test
    void hardMishIsAParabolaBelowZero() throws IOException {
        Path file = write("[net]\nchannels=1\nheight=1\nwidth=5\n[activation]\nactivation=hard_mish\n");
        assertThat(run(file, new float[] {-3, -2, -1, 0, 1.5f}, 1, 1, 1, 5)).containsExactly(0, 0, -0.5f, 0, 1.5f);
    }

    @Test
    void allUnknownLayersAreNamedAtOnce() throws IOException {
        Path file = write(NET + "[contrastive]\n[maxpool]\nsize=1\n[history]\n");
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isExactlyInstanceOf(UnsupportedException.class)
                .hasMessage("net.cfg: 2 layers cannot be used: layer 0 [contrastive]: Clinfer has no layer contrastive;"
                        + " layer 2 [history]: Clinfer has no layer history");
        refused(NET + "[maxpool]\nsize=1\nfancy=1\n", "layer 0 [maxpool]: layer maxpool with 'fancy' is not supported");
    }

    @Test
    void mistakesAreNamedWithTheirPlace() throws IOException {
        refused("[net]\nchannels\n", "line 2: expected NAME=VALUE in a section, found 'channels'");
        refused("[net]\n[maxpool\n", "line 2: expected [NAME], found '[maxpool'");
        refused("[net]\n[maxpool]\n", "[net]: it has neither height and width of a picture nor inputs");
        refused(NET + "[route]\nlayers=-2\n", "layer 0 [route]: layers: there is no layer -2 before it");
        refused(NET + "[maxpool]\nsize=many\n", "layer 0 [maxpool]: size: expected a whole number, found 'many'");
        refused(
                NET + "[maxpool]\nsize=9\npadding=0\n",
                "layer 0 [maxpool]: its window of 9 is larger than the padded input");
    }

    @Test
    void otherFilesOfThisEndingAreNoNetworks() throws IOException {
        Path file = Files.writeString(folder.resolve("setup.cfg"), "[metadata]\nname=x\n");
        assertThat(Importers.builtIn().find(file)).isEmpty();
    }

    /** Damaged files end with a message, never with another exception. */
    @Test
    void damageIsRefused() throws IOException {
        String good = NET + "[convolutional]\nfilters=2\nsize=1\nactivation=leaky\n[maxpool]\nsize=2\nstride=1\n"
                + "[route]\nlayers=-1,0\n[upsample]\nstride=2\n[softmax]\n";
        Path file = write(good);
        weights(2, 1, 2, 3, 4);
        Random random = new Random(5);
        int refused = 0;
        for (int i = 0; i < 1000; i++) {
            byte[] damaged = good.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            for (int change = 0; change <= random.nextInt(3); change++) {
                damaged[NET.length() + random.nextInt(damaged.length - NET.length())] =
                        (byte) (32 + random.nextInt(96));
            }
            Files.write(file, damaged);
            try {
                Importers.builtIn().read(file);
            } catch (GraphException expected) {
                refused++;
                assertThat(String.valueOf(expected.getMessage()).lines()).hasSize(1);
            }
        }
        assertThat(refused).isGreaterThan(500);
    }
}
