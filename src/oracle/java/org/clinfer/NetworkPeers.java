package org.clinfer;

import ai.onnxruntime.OrtException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.conformance.OnnxRuntime;
import org.clinfer.opencl.Binding;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.tensor.Tensor;

/** ONNX Runtime, and Clinfer on the OpenCL device, on the CPU, and on a device that says it is a GPU. */
final class NetworkPeers implements AutoCloseable {

    /** Of the largest element of a value: what a few dozen nodes make of rounding. */
    private static final double TOLERANCE = 1e-4;

    /** Values that are all smaller are compared as if their largest element were this. */
    private static final double SMALLEST = 1e-2;

    /** With many compute units tiles are small and sums are split, with one tiles are large. */
    private static final List<Integer> UNITS = List.of(1, 60);

    private final OnnxRuntime runtime;
    private final CountingClApi counting = CountingClApi.over(Binding.LWJGL);
    private final Map<String, Engine> engines = new LinkedHashMap<>();
    private final Map<String, Engine> gpus = new LinkedHashMap<>();
    private final Path file;

    /** @param folder where models may be written */
    NetworkPeers(Path folder) throws OrtException {
        file = folder.resolve("network.onnx");
        runtime = OnnxRuntime.open();
        EngineOptions device = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
        engines.put("device", Engine.open(device));
        engines.put("cpu", Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu())));
        for (int units : UNITS) {
            ClApi gpu = DeviceAnswers.gpu(units, counting.api());
            gpus.put("gpu of " + units + " units", Engine.open(device, () -> OpenCl.over(gpu)));
        }
    }

    /**
     * Everything in which Clinfer and ONNX Runtime differ, with the node where it begins if that can be seen. Of the GPUs
     * the network takes one.
     */
    List<String> differences(RandomNetwork network) throws OrtException, IOException {
        Map<String, Tensor> inputs = Map.of(RandomNetwork.INPUT, network.input());
        byte[] model = network.model();
        List<Tensor> expected = runtime.run(model, inputs);
        List<Map.Entry<String, Engine>> chosen = new ArrayList<>(engines.entrySet());
        chosen.add(network.one(List.copyOf(gpus.entrySet())));
        List<String> differences = new ArrayList<>();
        for (Map.Entry<String, Engine> engine : chosen) {
            Optional<String> difference = difference(engine.getValue(), model, inputs, expected);
            if (difference.isPresent()) {
                String begins = beginning(engine.getValue(), network, inputs);
                differences.add(engine.getKey() + ": " + difference.orElseThrow() + "; " + begins);
            }
        }
        return differences;
    }

    /** Where the difference begins if all values are outputs, which leaves nothing to fuse. */
    private String beginning(Engine engine, RandomNetwork network, Map<String, Tensor> inputs)
            throws OrtException, IOException {
        byte[] model = network.modelOfAllValues();
        return difference(engine, model, inputs, runtime.run(model, inputs))
                .map(text -> "begins with " + network.operatorOf(text.split(" ", 2)[0]) + ": " + text)
                .orElse("not if all values are outputs");
    }

    /** The first output that differs, its name in front. The same session runs twice. */
    private Optional<String> difference(Engine engine, byte[] bytes, Map<String, Tensor> inputs, List<Tensor> expected)
            throws IOException {
        Files.write(file, bytes);
        try (Model model = engine.load(file);
                Session session = model.session()) {
            for (int run = 0; run < 2; run++) {
                try (Result result = session.run(inputs)) {
                    Optional<String> difference = difference(result.outputs(), expected);
                    if (difference.isPresent()) {
                        return difference;
                    }
                }
            }
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(e.toString());
        }
    }

    private static Optional<String> difference(Map<String, Tensor> outputs, List<Tensor> expected) {
        int next = 0;
        for (Map.Entry<String, Tensor> output : outputs.entrySet()) {
            Optional<String> difference = difference(output.getValue(), expected.get(next++));
            if (difference.isPresent()) {
                return Optional.of(output.getKey() + " " + difference.orElseThrow());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> difference(Tensor actual, Tensor expected) {
        if (!actual.shape().equals(expected.shape())) {
            return Optional.of("is " + actual.shape() + " instead of " + expected.shape());
        }
        double[] wanted = expected.toDoubleArray();
        double[] found = actual.toDoubleArray();
        double largest = SMALLEST;
        for (double value : wanted) {
            largest = Double.isFinite(value) ? Math.max(largest, Math.abs(value)) : largest;
        }
        for (int i = 0; i < wanted.length; i++) {
            boolean isClose = Double.isFinite(wanted[i])
                    ? Math.abs(found[i] - wanted[i]) <= TOLERANCE * largest
                    : Double.compare(found[i], wanted[i]) == 0;
            if (!isClose) {
                return Optional.of("is " + found[i] + " instead of " + wanted[i] + " at " + i + " of " + expected.type()
                        + ", whose largest element is " + largest);
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        engines.values().forEach(Engine::close);
        gpus.values().forEach(Engine::close);
        counting.assertAllReleased();
        runtime.close();
    }
}
