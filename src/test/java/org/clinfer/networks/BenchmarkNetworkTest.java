package org.clinfer.networks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Precision;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.check.CheckReport;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The networks that are measured are those they are called after, and compute something. */
class BenchmarkNetworkTest {

    private static final double FLOAT16_BOUND = 4e-3;

    @TempDir
    Path folder;

    private static Engine open(DeviceChoice device) {
        return Engine.open(EngineOptions.defaults().withDevice(device));
    }

    /** Multiply-adds in billions and parameters as published; 0 where no figure was. */
    @ParameterizedTest
    @CsvSource({
        "RESNET_50,      4.09, 25557032",
        "SQUEEZENET_1_0, 0.82,  1248424",
        "SQUEEZENET_1_1, 0.35,  1235496",
        "MOBILENET_V2,   0.30,  3504872",
        "VGG_19,         19.6, 143667240",
        "INCEPTION_V1,   1.58,  6998552",
        "DENSENET_121,   2.87,  7978856",
        "U_NET,             0,  7763041",
        "FCN_HEAD,          0,        0",
        "DEIT_TINY,      1.25,  5717416",
    })
    void originalsHaveThePublishedSize(BenchmarkNetwork network, double billions, long parameters) {
        BenchmarkNetwork.Written written = network.write(folder, network.form().withZeros());

        if (parameters > 0) {
            assertThat(written.parameters()).isEqualTo(parameters);
        }
        try (Engine engine = open(new DeviceChoice.Cpu());
                Model model = engine.load(written.file())) {
            CheckReport report = model.check(Map.of());
            long multiplyAdds = report.summary().multiplyAdds().orElseThrow();
            if (billions > 0) {
                assertThat(multiplyAdds / 1e9).isCloseTo(billions, Percentage.withPercentage(3));
            }
        }
    }

    @Test
    void theHeadHasTheLargeTransposedConvolutions() {
        try (Engine engine = open(new DeviceChoice.Cpu());
                Model model = engine.load(BenchmarkNetwork.FCN_HEAD
                        .write(folder, BenchmarkNetwork.FCN_HEAD.form().withZeros())
                        .file())) {
            assertThat(model.graph().nodes())
                    .filteredOn(node ->
                            node.op().equals("Conv2dTranspose") || node.op().equals("ConvTranspose"))
                    .hasSize(4);
            assertThat(model.check(Map.of()).nodes())
                    .flatExtracting(CheckReport.NodeReport::outputs)
                    .extracting(output -> output.type().orElseThrow().shape().toString())
                    .contains("1x21x512x512");
        }
    }

    static Map<String, Tensor> inputs(Model model) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        Random random = new Random(7);
        for (Graph.Input input : model.inputs()) {
            Tensor tensor = Tensor.allocate(input.type());
            for (long i = 0; i < tensor.elements(); i++) {
                tensor.setDouble(i, random.nextFloat());
            }
            tensors.put(input.name(), tensor);
        }
        return tensors;
    }

    private static Map<String, Tensor> outputs(Path file, DeviceChoice device) {
        return outputs(file, EngineOptions.defaults().withDevice(device));
    }

    /** Of the CPU, where sums are not transformed. */
    private static Map<String, Tensor> exactOutputs(Path file) {
        return outputs(
                file,
                EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()).withExact(true));
    }

    private static Map<String, Tensor> outputs(Path file, EngineOptions options) {
        try (Engine engine = Engine.open(options);
                Model model = engine.load(file);
                Session session = model.session()) {
            Result result = session.run(inputs(model));
            return new HashMap<>(result.outputs());
        }
    }

    private static void assertAlive(Map<String, Tensor> outputs) {
        outputs.forEach((name, tensor) -> {
            double squares = 0;
            for (long i = 0; i < tensor.elements(); i++) {
                squares += tensor.getDouble(i) * tensor.getDouble(i);
            }
            assertThat(Math.sqrt(squares / tensor.elements())).as(name).isBetween(0.02, 50.0);
        });
    }

    private static void assertEqual(Map<String, Tensor> expected, Map<String, Tensor> actual) {
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, tensor) -> {
            Optional<String> difference = TensorComparison.difference(tensor, actual.get(name), Tolerance.DEFAULT);
            assertThat(difference).as(name).isEmpty();
        });
    }

    @RequiresOpenCl
    @ParameterizedTest
    @EnumSource
    void smallFormsAreTheSameOnTheDevice(BenchmarkNetwork network) {
        Path file = network.write(folder, network.smallForm()).file();
        Map<String, Tensor> expected = exactOutputs(file);

        assertAlive(expected);
        assertEqual(expected, outputs(file, new DeviceChoice.FirstOpenCl()));
    }

    /** The largest error of the original sizes is 1.6e-3 (docs/precision.md), that of the small forms is as large. */
    @ParameterizedTest
    @EnumSource
    void smallFormsAreCloseInFloat16(BenchmarkNetwork network) {
        Path file = network.write(folder, network.smallForm()).file();
        EngineOptions options =
                EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()).withPrecision(Precision.FLOAT16);

        double error = MeasurePrecision.error(exactOutputs(file), outputs(file, options));

        assertThat(error).isLessThanOrEqualTo(FLOAT16_BOUND);
        assertThat(error).as("rounded at all").isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = {"RESNET_50", "VGG_19", "DENSENET_121", "U_NET"})
    void smallFormsAreTheSameWithTransformedSums(BenchmarkNetwork network) {
        Path file = network.write(folder, network.smallForm()).file();

        assertEqual(exactOutputs(file), outputs(file, new DeviceChoice.Cpu()));
    }

    @ParameterizedTest
    @EnumSource(names = {"RESNET_50", "MOBILENET_V2", "DENSENET_121", "U_NET"})
    void normalizationsInTheWeightsChangeNothing(BenchmarkNetwork network) {
        Form form = network.smallForm();
        Path kept = network.write(folder.resolve("kept"), form).file();
        Path folded = network.write(folder.resolve("folded"), form.withNormalizations(false))
                .file();

        assertThat(nodes(folded)).isLessThan(nodes(kept));
        assertEqual(outputs(kept, new DeviceChoice.Cpu()), outputs(folded, new DeviceChoice.Cpu()));
    }

    private static int nodes(Path file) {
        try (Engine engine = open(new DeviceChoice.Cpu());
                Model model = engine.load(file)) {
            return model.graph().nodes().size();
        }
    }
}
