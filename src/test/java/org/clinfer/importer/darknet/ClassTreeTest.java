package org.clinfer.importer.darknet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trees of classes against darknet's loops over their groups and parents, written out here. */
class ClassTreeTest {

    /** Groups of 2, 3, 1, 5 and 2 classes; the last ones are four deep. */
    private static final int[] PARENTS = {-1, -1, 0, 0, 0, 3, 1, 1, 1, 1, 1, 5, 5};

    @TempDir
    Path folder;

    private static String lines(int... parents) {
        return IntStream.range(0, parents.length)
                .mapToObj(i -> "n" + i + " " + parents[i] + "\n")
                .collect(Collectors.joining());
    }

    private Path write(String tree, String net) throws IOException {
        Files.writeString(folder.resolve("a.tree"), tree);
        return Files.writeString(folder.resolve("net.cfg"), net);
    }

    private static float[] run(Path model, float[] x, long... dims) {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model loaded = engine.load(model);
                Session session = loaded.session();
                Result result = session.run(Map.of("data", Tensor.of(x, dims)))) {
            return List.copyOf(result.outputs().values()).get(0).toFloatArray();
        }
    }

    private static float[] random(int count) {
        Random random = new Random(count);
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = 4 * random.nextFloat() - 2;
        }
        return numbers;
    }

    /** Softmax of some numbers. */
    private static double[] shares(double[] x, double temperature) {
        double[] powers =
                Arrays.stream(x).map(each -> Math.exp(each / temperature)).toArray();
        double sum = Arrays.stream(powers).sum();
        return Arrays.stream(powers).map(each -> each / sum).toArray();
    }

    private static double[] groupShares(double[] x, double temperature) {
        double[] y = new double[x.length];
        for (int start = 0; start < x.length; ) {
            int end = start + 1;
            while (end < x.length && PARENTS[end] == PARENTS[start]) {
                end++;
            }
            double[] group = shares(Arrays.copyOfRange(x, start, end), temperature);
            System.arraycopy(group, 0, y, start, group.length);
            start = end;
        }
        return y;
    }

    private static void assertClose(float[] actual, double[] expected) {
        assertThat(actual).hasSize(expected.length);
        for (int i = 0; i < actual.length; i++) {
            assertThat((double) actual[i]).as("element %s", i).isCloseTo(expected[i], within(1e-5));
        }
    }

    @Test
    void sharesOfGroups() throws IOException {
        float[] x = random(13);
        double[] numbers = IntStream.range(0, 13).mapToDouble(i -> x[i]).toArray();
        String net = "[net]\nchannels=13\nheight=1\nwidth=1\n[softmax]\ntemperature=2\ntree=data/a.tree\n";
        assertClose(run(write(lines(PARENTS), net), x, 1, 13, 1, 1), groupShares(numbers, 2));
    }

    @Test
    void sharesOfEqualParts() throws IOException {
        float[] x = random(12);
        double[] wanted = new double[12];
        for (int part = 0; part < 3; part++) {
            int start = 4 * part;
            double[] numbers =
                    IntStream.range(0, 4).mapToDouble(i -> x[start + i]).toArray();
            System.arraycopy(shares(numbers, 1), 0, wanted, start, 4);
        }
        String net = "[net]\nchannels=6\nheight=1\nwidth=2\n[softmax]\ngroups=";
        assertClose(run(write("", net + 3), x, 1, 6, 1, 2), wanted);
        Path file = write("", net + 5);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .hasMessageEndingWith("groups: 12 elements cannot be divided into 5 groups");
    }

    /** The score of a class is that of the box times the shares of the class and of all that it is a kind of. */
    @Test
    void boxesHaveProductsOfShares() throws IOException {
        int parts = 5 + 13;
        int cells = 2;
        float[] x = random(2 * parts * cells);
        String net = """
                [net]
                channels=36
                height=1
                width=2
                [region]
                classes=13
                num=2
                anchors=1,1, 2,2
                tree=a.tree
                softmax=1
                """;
        float[] y = run(write(lines(PARENTS), net), x, 1, 36, 1, 2);
        for (int row = 0; row < 4; row++) {
            int start = row % 2 * parts * cells + row / 2;
            double[] raw = IntStream.range(0, 13)
                    .mapToDouble(i -> x[start + (5 + i) * cells])
                    .toArray();
            double[] predictions = groupShares(raw, 1);
            for (int i = 0; i < 13; i++) {
                predictions[i] *= PARENTS[i] < 0 ? 1 : predictions[PARENTS[i]];
            }
            double score = 1 / (1 + Math.exp(-x[start + 4 * cells]));
            double[] wanted =
                    Arrays.stream(predictions).map(each -> each * score).toArray();
            assertClose(Arrays.copyOfRange(y, row * parts + 5, (row + 1) * parts), wanted);
        }
    }

    private void refused(String tree, String option, String message) throws IOException {
        Path file = write(tree, "[net]\nchannels=3\nheight=1\nwidth=1\n[softmax]\ntree=" + option + "\n");
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .hasMessage("net.cfg: layer 0 [softmax]: tree: " + message);
    }

    @Test
    void treesThatAreNone() throws IOException {
        refused("", "b.tree", "there is no file 'b.tree' beside the definition");
        refused("", "b\0.tree", "there is no file 'b\\u0000.tree' beside the definition");
        refused(lines(-1, -1), "a.tree", "the file has 2 lines for 3 classes");
        refused(lines(-1, 0, 2), "a.tree", "line 3 names 2, which is no class before it");
        refused(lines(-1, 0, -2), "a.tree", "line 3 names -2, which is no class before it");
        refused("a -1\nb x\nc 0\n", "a.tree", "line 2 has no number behind its name");
    }
}
