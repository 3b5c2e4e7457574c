package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Public networks where they stand beside the checkout: the same results as of the same network in another format. */
abstract class ModelsContract {

    private static final Path MODELS = Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"))
            .resolve("models");

    private final DeviceChoice device;

    ModelsContract(DeviceChoice device) {
        this.device = device;
    }

    static Path model(String name) {
        Path file = MODELS.resolve(name);
        Assumptions.assumeTrue(Files.exists(file), () -> file + " is not there");
        return file;
    }

    private Map<String, Tensor> run(Graph graph, Tensor x) {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(device));
                Model model = engine.load(graph);
                Session session = model.session();
                Result result = session.run(Map.of(graph.inputs().get(0).name(), x))) {
            Map<String, Tensor> outputs = new LinkedHashMap<>();
            result.outputs().forEach((name, tensor) -> outputs.put(name, tensor.copy()));
            return outputs;
        }
    }

    private static Tensor random(long... dims) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, dims);
        Random random = new Random(7);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextDouble());
        }
        return tensor;
    }

    private static Graph withOutputs(Graph graph, String... outputs) {
        return new Graph(
                graph.name(), graph.inputs(), List.of(outputs), graph.nodes(), graph.constants(), graph.source());
    }

    /** With kernels cut to the bits that float16 has. */
    private static Graph cut(Graph graph) {
        Map<String, Tensor> constants = new LinkedHashMap<>();
        graph.constants().forEach((name, tensor) -> {
            Tensor own = tensor;
            if (tensor.shape().rank() == 4) {
                own = Tensor.allocate(tensor.type());
                for (long i = 0; i < own.elements(); i++) {
                    int bits = Float.floatToRawIntBits((float) tensor.getDouble(i));
                    own.setDouble(i, Float.intBitsToFloat(bits & ~0x1fff));
                }
            }
            constants.put(name, own);
        });
        return new Graph(graph.name(), graph.inputs(), graph.outputs(), graph.nodes(), constants, graph.source());
    }

    private static void same(Tensor actual, Tensor expected, double tolerance, String what) {
        assertThat(actual.elements()).as(what).isEqualTo(expected.elements());
        double largest = 1;
        double difference = 0;
        for (long at = 0; at < expected.elements(); at++) {
            largest = Math.max(largest, Math.abs(expected.getDouble(at)));
            difference = Math.max(difference, Math.abs(expected.getDouble(at) - actual.getDouble(at)));
        }
        System.out.println(what + ": " + difference + " of " + largest);
        assertThat(difference).as(what).isLessThan(tolerance * largest);
    }

    /** SqueezeNet's last convolution has a border in one of the two files, so what comes before it is compared. */
    @ParameterizedTest
    @CsvSource({
        "squeezenet_v1.1/squeezenet_v1.1.param, squeezenet_v1.1/deploy.prototxt, pool1 fire9/concat_drop9,"
                + " pool1 fire9/concat, 227, 227",
        "waifu2x_upconv7_photo/scale2.0x_model.param, waifu2x_upconv7_photo/scale2.0x_model.prototxt, Eltwise4,"
                + " conv7, 50, 61",
        "ultraface_rfb320/RFB-320.param, ultraface_rfb320/RFB-320.prototxt, boxes scores, boxes scores, 240, 320",
        "retinaface_mnet0.25/retina.param, retinaface_mnet0.25/mnet.prototxt,"
                + " face_rpn_landmark_pred_stride8 face_rpn_cls_prob_reshape_stride16 face_rpn_bbox_pred_stride32,"
                + " face_rpn_landmark_pred_stride8 face_rpn_cls_prob_reshape_stride16 face_rpn_bbox_pred_stride32,"
                + " 160, 192",
        "fastestdet/FastestDet.param, fastestdet/FastestDet.onnx, input.376 758, input.376 758, 352, 352"
    })
    void theSameAsInAnotherFormat(String param, String other, String outputs, String names, int height, int width) {
        String[] own = outputs.split(" ", -1);
        String[] their = names.split(" ", -1);
        Graph reference = Importers.builtIn().read(model(other));
        Tensor x = random(1, 3, height, width);
        Map<String, Tensor> found = run(withOutputs(Importers.builtIn().read(model(param)), own), x);
        Map<String, Tensor> wanted = run(withOutputs(other.endsWith(".onnx") ? cut(reference) : reference, their), x);
        for (int i = 0; i < own.length; i++) {
            same(output(found, own[i]), output(wanted, their[i]), 1e-4, param + " " + own[i]);
        }
    }

    private static Tensor output(Map<String, Tensor> outputs, String name) {
        return Objects.requireNonNull(outputs.get(name), name);
    }

    /** Kernels were cut to float16 after the normalisations became part of them; darknet's heads have channels last. */
    @Test
    void theSameHeadsAsDarknet() {
        Tensor x = random(1, 3, 320, 320);
        Graph ours = withOutputs(
                Importers.builtIn().read(model("yolo_fastest_1.1/yolo-fastest-1.1.param")), "120_854", "129_922");
        Graph theirs = withOutputs(
                Importers.builtIn().read(model("yolo_fastest_1.1/yolo-fastest-1.1.cfg")), "permute_121", "permute_130");
        Map<String, Tensor> found = run(ours, x);
        Map<String, Tensor> wanted = run(theirs, x);
        same(turned(output(found, "120_854")), output(wanted, "permute_121"), 3e-2, "120_854");
        same(turned(output(found, "129_922")), output(wanted, "permute_130"), 3e-2, "129_922");
    }

    private static Tensor turned(Tensor x) {
        long channels = x.shape().size(1);
        long cells = x.elements() / channels;
        Tensor turned = Tensor.allocate(DType.FLOAT32, x.elements());
        for (long i = 0; i < x.elements(); i++) {
            turned.setDouble(i % cells * channels + i / cells, x.getDouble(i));
        }
        return turned;
    }

    @ParameterizedTest
    @CsvSource({
        "nanodet_m/nanodet_m.param, 320, 320, 795 792 817 814 839 836, 1600x32 1600x80 400x32 400x80 100x32 100x80",
        "yolo_fastest_1.1/yolo-fastest-1.1.param, 320, 320, output, ?x6",
        "squeezenet_v1.1/squeezenet_v1.1.param, 227, 227, prob, 1000"
    })
    void everyNetworkRuns(String param, int height, int width, String outputs, String shapes) {
        Map<String, Tensor> found = run(Importers.builtIn().read(model(param)), random(1, 3, height, width));
        String[] names = outputs.split(" ", -1);
        String[] sizes = shapes.split(" ", -1);
        assertThat(found).containsOnlyKeys(names);
        for (int i = 0; i < names.length; i++) {
            Tensor actual = output(found, names[i]);
            assertThat(actual.shape().toString())
                    .isEqualTo("1x"
                            + sizes[i].replace(
                                    "?", String.valueOf(actual.shape().size(1))));
            for (float value : actual.toFloatArray()) {
                assertThat(value).isFinite();
            }
        }
    }
}
