package org.clinfer.importer.tfjs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Placement;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A public network for brain scans: eleven 3-D convolutions with dilations up to 16. */
abstract class BrainchopContract {

    private static final Path FOLDER = Path.of(
            System.getProperty("clinfer.conformance", "../shared/conformance"), "models", "brainchop_model5_gw_ae");

    /** Of three different lengths, and longer than twice the largest dilation, so that all taps read inside somewhere. */
    private static final int[] SIZE = {40, 36, 33};

    private static final double TOLERANCE = 1e-5;

    private final DeviceChoice device;
    private final Verdict verdict;
    private final Placement.Target target;

    BrainchopContract(DeviceChoice device, Verdict verdict, Placement.Target target) {
        this.device = device;
        this.verdict = verdict;
        this.target = target;
    }

    @BeforeAll
    static void isThere() {
        assumeTrue(Files.isDirectory(FOLDER), "no public model at " + FOLDER.toAbsolutePath());
    }

    private Engine engine() {
        return Engine.open(EngineOptions.defaults().withDevice(device));
    }

    @Test
    void everyNodeOfTheWholeVolumeHasItsPlace() {
        try (Engine engine = engine();
                Model model = engine.load(FOLDER.resolve("model.json"))) {
            CheckReport report = model.check(Map.of("input", TensorType.of(DType.FLOAT32, 1, 256, 256, 256, 1)));
            assertThat(report.nodes())
                    .hasSize(19)
                    .allSatisfy(node -> assertThat(node.verdict()).isEqualTo(verdict));
        }
    }

    /** The network says a size of 256; it works with any. */
    @Test
    void aSmallVolume() throws IOException {
        TensorType type = TensorType.of(DType.FLOAT32, 1, SIZE[0], SIZE[1], SIZE[2], 1);
        double[] head = head();
        Tensor input = Tensor.allocate(type);
        for (int i = 0; i < head.length; i++) {
            input.setDouble(i, head[i]);
        }
        try (Engine engine = engine()) {
            Graph whole = engine.read(FOLDER.resolve("model.json"));
            double[] expected = expected(head, whole.constants());
            Graph small = new Graph(
                    whole.name(),
                    List.of(new Graph.Input("input", type)),
                    whole.outputs(),
                    whole.nodes(),
                    whole.constants(),
                    whole.source());
            try (Model model = engine.load(small);
                    Session session = model.session();
                    Result result = session.run(Map.of("input", input))) {
                assertThat(session.placement().nodes())
                        .allSatisfy(node -> assertThat(node.target()).isEqualTo(target));
                assertAgree(result.get("output"), expected);
            }
            whole.constants().values().forEach(Tensor::close);
        }
    }

    private static void assertAgree(Tensor found, double[] expected) {
        assertThat(found.shape().sizes()).containsExactly(1, SIZE[0], SIZE[1], SIZE[2], 3);
        double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
        double smallest = Arrays.stream(expected).map(Math::abs).min().orElseThrow();
        assertThat(largest).isGreaterThan(2 * smallest);
        for (int i = 0; i < expected.length; i++) {
            assertThat(found.getDouble(i)).as("element " + i).isCloseTo(expected[i], within(TOLERANCE * largest));
        }
    }

    /** Something like a head: a shell around two halves of waves. */
    private static double[] head() {
        double[] volume = new double[SIZE[0] * SIZE[1] * SIZE[2]];
        for (int i = 0; i < volume.length; i++) {
            double x = place(i / SIZE[2] / SIZE[1], SIZE[0]);
            double y = place(i / SIZE[2] % SIZE[1], SIZE[1]);
            double z = place(i % SIZE[2], SIZE[2]);
            double radius = Math.sqrt(x * x + y * y + z * z);
            double inside = 0.45 + 0.25 * Math.sin(9 * x + 2 * y) * Math.cos(7 * z - 3 * y) + (x > 0.03 ? 0.1 : 0);
            volume[i] = (float) (radius > 1 ? 0.02 : radius > 0.9 ? 0.95 : radius > 0.8 ? 0.1 : inside);
        }
        return volume;
    }

    /** From -1.1 to 1.1. */
    private static double place(int index, int size) {
        return 2.2 * (index + 0.5) / size - 1.1;
    }

    /** The network as the file says it, in double precision. */
    private static double[] expected(double[] head, Map<String, Tensor> weights) throws IOException {
        JsonNode layers = JsonMapper.shared()
                .readTree(Files.readString(FOLDER.resolve("model.json")))
                .at("/modelTopology/model_config/config/layers");
        double[] values = head;
        int channels = 1;
        Set<Integer> dilations = new HashSet<>();
        for (JsonNode layer : layers.values()) {
            JsonNode config = layer.get("config");
            switch (layer.get("class_name").stringValue()) {
                case "InputLayer" ->
                    assertThat(config.get("name").stringValue()).isEqualTo("input");
                case "Activation" ->
                    values =
                            Arrays.stream(values).map(each -> Math.max(each, 0)).toArray();
                default -> {
                    assertThat(layer.get("class_name").stringValue()).isEqualTo("Conv3D");
                    String name = layer.get("name").stringValue();
                    int dilation = config.get("dilation_rate").get(0).intValue();
                    dilations.add(dilation);
                    Tensor kernel = Objects.requireNonNull(weights.get(name + "/kernel"));
                    Tensor bias = Objects.requireNonNull(weights.get(name + "/bias"));
                    values = convolution(values, channels, kernel, bias, dilation);
                    channels = (int) kernel.shape().size(4);
                }
            }
        }
        assertThat(dilations).containsExactlyInAnyOrder(1, 2, 4, 8, 16);
        return values;
    }

    /** With a kernel of [depth, height, width, in, out] of odd sizes, and zeros around. */
    private static double[] convolution(double[] x, int in, Tensor kernel, Tensor bias, int dilation) {
        int taps = (int) kernel.shape().size(0);
        int out = (int) bias.elements();
        double[] weights = new double[(int) kernel.elements()];
        Arrays.setAll(weights, kernel::getDouble);
        double[] y = new double[x.length / in * out];
        for (int at = 0; at < y.length / out; at++) {
            for (int filter = 0; filter < out; filter++) {
                y[at * out + filter] = bias.getDouble(filter);
            }
            for (int tap = 0; tap < taps * taps * taps; tap++) {
                int i = at / SIZE[2] / SIZE[1] + (tap / taps / taps - taps / 2) * dilation;
                int j = at / SIZE[2] % SIZE[1] + (tap / taps % taps - taps / 2) * dilation;
                int k = at % SIZE[2] + (tap % taps - taps / 2) * dilation;
                if (i < 0 || i >= SIZE[0] || j < 0 || j >= SIZE[1] || k < 0 || k >= SIZE[2]) {
                    continue;
                }
                int from = ((i * SIZE[1] + j) * SIZE[2] + k) * in;
                for (int channel = 0; channel < in; channel++) {
                    for (int filter = 0; filter < out; filter++) {
                        y[at * out + filter] += x[from + channel] * weights[(tap * in + channel) * out + filter];
                    }
                }
            }
        }
        return y;
    }
}
