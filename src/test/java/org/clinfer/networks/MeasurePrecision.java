package org.clinfer.networks;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Placement;
import org.clinfer.Precision;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.check.CheckReport;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Measures by how much the outputs of the networks differ in float16 and in TF32 from those in float32, and prints a row
 * for each: {@code mvn -q process-test-classes -Pprecision}, after {@code -Pnetworks} wrote them.
 */
final class MeasurePrecision {

    private static final EngineOptions FLOAT32 = EngineOptions.defaults()
            .withDevice(new DeviceChoice.Cpu())
            .withFusion(false)
            .withExact(true);

    private MeasurePrecision() {}

    /** Takes the folder of the networks, and their names with commas between, or {@code all}. */
    public static void main(String[] args) {
        List<BenchmarkNetwork> networks = args[1].equals("all")
                ? List.of(BenchmarkNetwork.values())
                : Arrays.stream(args[1].split(",", -1))
                        .map(BenchmarkNetwork::of)
                        .toList();
        System.out.println("| network | float16 | nodes in float16, in float32 | TF32 |\n|---|---|---|---|");
        for (BenchmarkNetwork network : networks) {
            Path file = Path.of(args[0]).resolve(network.fileName() + ".onnx");
            Map<String, Tensor> expected = outputs(file, FLOAT32);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %s | %s |%n",
                    network.fileName(),
                    shown(error(
                            expected,
                            outputs(
                                    file,
                                    FLOAT32.withFusion(true).withExact(false).withPrecision(Precision.FLOAT16)))),
                    nodes(file),
                    shown(error(expected, rounded(file))));
        }
    }

    private static String shown(double error) {
        return String.format(Locale.ROOT, "%.1e", error);
    }

    /** The largest difference of two elements, by the range of the output in float32; of all outputs. */
    static double error(Map<String, Tensor> expected, Map<String, Tensor> actual) {
        double largest = 0;
        for (Map.Entry<String, Tensor> output : expected.entrySet()) {
            double[] one = output.getValue().toDoubleArray();
            double[] other = Objects.requireNonNull(actual.get(output.getKey())).toDoubleArray();
            double range = Arrays.stream(one).max().orElseThrow()
                    - Arrays.stream(one).min().orElseThrow();
            for (int i = 0; i < one.length; i++) {
                double error = Math.abs(one[i] - other[i]) / range;
                if (!(error <= largest)) {
                    largest = error;
                }
            }
        }
        return largest;
    }

    static Map<String, Tensor> outputs(Path file, EngineOptions options) {
        try (Engine engine = Engine.open(options);
                Model model = engine.load(file)) {
            return outputs(model);
        }
    }

    private static Map<String, Tensor> outputs(Model model) {
        try (Session session = model.session();
                Result result = session.run(BenchmarkNetworkTest.inputs(model))) {
            Map<String, Tensor> outputs = new HashMap<>();
            result.outputs().forEach((name, tensor) -> outputs.put(name, tensor.copy()));
            return outputs;
        }
    }

    private static String nodes(Path file) {
        EngineOptions options = FLOAT32.withFusion(true).withExact(false).withPrecision(Precision.FLOAT16);
        try (Engine engine = Engine.open(options);
                Model model = engine.load(file);
                Session session = model.session()) {
            Placement placement = session.placement(Map.of());
            return count(placement, Precision.FLOAT16) + ", " + count(placement, Precision.FLOAT32);
        }
    }

    private static long count(Placement placement, Precision precision) {
        return placement.nodes().stream()
                .filter(node -> node.precision().filter(precision::equals).isPresent())
                .count();
    }

    /** What the network gives with factors that are rounded to TF32. */
    private static Map<String, Tensor> rounded(Path file) {
        try (Engine engine = Engine.open(FLOAT32);
                Model written = engine.load(file)) {
            Set<String> products = new HashSet<>();
            Set<String> float32 = new HashSet<>();
            for (CheckReport.NodeReport node : written.check(Map.of()).nodes()) {
                if (node.work().multiplyAdds().orElse(0) > 0) {
                    products.add(node.node());
                }
                node.outputs().stream()
                        .filter(output -> output.type()
                                .filter(type -> type.dtype() == DType.FLOAT32)
                                .isPresent())
                        .forEach(output -> float32.add(output.name()));
            }
            for (Graph.Input input : written.inputs()) {
                if (input.type().dtype() == DType.FLOAT32) {
                    float32.add(input.name());
                }
            }
            try (Model model = engine.load(Tf32Emulation.of(written.graph(), products, float32))) {
                return outputs(model);
            }
        }
    }
}
