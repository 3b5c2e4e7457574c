package org.clinfer;

import ai.onnxruntime.OrtException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.clinfer.conformance.OnnxRuntime;
import org.clinfer.describe.OpCatalog;
import org.clinfer.importer.Importers;
import org.clinfer.importer.onnx.export.OnnxExporter;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** ONNX Runtime, and Clinfer on the OpenCL device, on the CPU, and on a device that says it is a GPU. */
final class NetworkPeers implements AutoCloseable {

    /** Of the largest element of a value: what a few dozen nodes make of rounding. */
    private static final double TOLERANCE = 1e-4;

    /** Values that are all smaller are compared as if their largest element were this. */
    static final double SMALLEST = 1e-2;

    /** Of an element of an input: four roundings to float32. */
    private static final double MOVEMENT = 0x1p-22;

    /** Roundings in the sums of a network are so many times those of its inputs. */
    private static final double SUMS = 8;

    /** Where networks run; drivers take nearly all the time to compile kernels. */
    private static final List<String> PLACES =
            List.of(System.getProperty("places", "device,cpu,gpu").split(","));

    /** With many compute units tiles are small and sums are split, with one tiles are large. */
    private static final List<Integer> UNITS = List.of(1, 60);

    private final OnnxRuntime runtime;
    private final CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
    private final Map<String, Engine> engines = new LinkedHashMap<>();
    private final Map<String, Engine> gpus = new LinkedHashMap<>();
    private final Path file;
    private final boolean saturates;
    private long codes;
    private long otherCodes;

    /** @param folder where models may be written */
    NetworkPeers(Path folder) throws OrtException {
        file = folder.resolve("network.onnx");
        runtime = OnnxRuntime.open();
        saturates = saturates(runtime);
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
        boolean isWhole = !network.isInPieces();
        List<Tensor> expected = isWhole ? runtime.run(model, inputs) : List.of();
        List<Map.Entry<String, Engine>> chosen = new ArrayList<>(engines.entrySet());
        chosen.add(network.one(List.copyOf(gpus.entrySet())));
        chosen.removeIf(engine -> PLACES.stream().noneMatch(engine.getKey()::startsWith));
        List<String> differences = new ArrayList<>();
        if (isWhole) {
            difference(runtime.run(converted(model), inputs), expected)
                    .ifPresent(text -> differences.add("written as ONNX again, in ONNX Runtime: " + text));
        }
        for (Map.Entry<String, Engine> engine : chosen) {
            if (!isWhole) {
                for (String difference : differencesOfPieces(engine.getValue(), network, model, inputs)) {
                    differences.add(engine.getKey() + ": " + difference);
                }
                continue;
            }
            Optional<String> difference = difference(engine.getValue(), model, inputs, expected, List.of());
            boolean isReal = difference.isPresent()
                    && difference(engine.getValue(), model, inputs, expected, movements(model, inputs, expected))
                            .isPresent();
            if (isReal) {
                String begins = beginning(engine.getValue(), network, inputs);
                differences.add(engine.getKey() + ": " + difference.orElseThrow() + "; " + begins);
            }
        }
        return differences;
    }

    /** The model as {@code clinfer convert} writes it. */
    private byte[] converted(byte[] model) throws IOException {
        Files.write(file, model);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new OnnxExporter(OpCatalog.builtIn())
                .content(Importers.builtIn().read(file))
                .writeTo(out);
        return out.toByteArray();
    }

    private static Optional<String> difference(List<Tensor> found, List<Tensor> expected) {
        for (int i = 0; i < expected.size(); i++) {
            Optional<String> difference = difference(found.get(i), expected.get(i));
            if (difference.isPresent()) {
                return Optional.of("output " + i + " " + difference.orElseThrow());
            }
        }
        return Optional.empty();
    }

    /** On x86 without VNNI two products of bytes are added in 16 bits. */
    private static boolean saturates(OnnxRuntime runtime) throws OrtException {
        int columns = 16;
        Tensor weights = Tensor.allocate(DType.INT8, 64, columns);
        for (long i = 0; i < weights.elements(); i++) {
            weights.setLong(i, 127);
        }
        RandomNetwork network = new RandomNetwork(new Random(0), 1, 64);
        String x =
                network.several("DynamicQuantizeLinear", RandomNetwork.INPUT, 3).get(0);
        network.output(network.aside("MatMulInteger", x + "," + network.constant(weights)));
        Tensor ones = Tensor.allocate(DType.FLOAT32, 1, 64);
        for (long i = 0; i < ones.elements(); i++) {
            ones.setDouble(i, 1);
        }
        Tensor sums =
                runtime.run(network.model(), Map.of(RandomNetwork.INPUT, ones)).get(0);
        return sums.getLong(0) != 64 * 255 * 127;
    }

    private List<String> differencesOfPieces(
            Engine engine, RandomNetwork network, byte[] bytes, Map<String, Tensor> inputs)
            throws OrtException, IOException {
        Files.write(file, bytes);
        try (Model model = engine.load(file);
                Session session = model.session();
                Result result = session.run(inputs)) {
            Map<String, Tensor> found = result.outputs();
            RandomPieces.Pieces pieces = network.inPieces(found);
            Map<String, Tensor> given = new HashMap<>(inputs);
            network.pieces().cuts().forEach(cut -> given.put(cut, found.get(cut)));
            List<Tensor> made = runtime.run(pieces.model().toByteArray(), given);
            Map<String, Tensor> expected = new HashMap<>();
            for (int i = 0; i < made.size(); i++) {
                expected.put(pieces.outputs().get(i), made.get(i));
            }
            PieceComparison comparison = new PieceComparison(network, found, expected, inputs);
            List<String> differences = comparison.differences().stream()
                    .map(text -> text + "; made by " + network.operatorOf(text.split(" ", 2)[0]))
                    .toList();
            codes += comparison.codes();
            otherCodes += comparison.otherCodes();
            return differences;
        } catch (RuntimeException e) {
            return List.of(e.toString());
        }
    }

    /** Whether ONNX Runtime's products of bytes saturate here. */
    boolean saturates() {
        return saturates;
    }

    /** How many codes were compared in all, and how many were others. */
    String codes() {
        return codes + " codes, " + otherCodes + " other than ONNX Runtime's";
    }

    double shareOfOtherCodes() {
        return otherCodes / (double) Math.max(1, codes);
    }

    /** Where the difference begins if all values are outputs, which leaves nothing to fuse. */
    private String beginning(Engine engine, RandomNetwork network, Map<String, Tensor> inputs)
            throws OrtException, IOException {
        byte[] model = network.modelOfAllValues();
        return difference(engine, model, inputs, runtime.run(model, inputs), List.of())
                .map(text -> "begins with " + network.operatorOf(text.split(" ", 2)[0]) + ": " + text)
                .orElse("not if all values are outputs");
    }

    /** The distance that each output moves in ONNX Runtime when the inputs move by what rounding does to them. */
    private List<Double> movements(byte[] model, Map<String, Tensor> inputs, List<Tensor> expected)
            throws OrtException {
        Random random = new Random(0);
        Map<String, Tensor> moved = new HashMap<>();
        inputs.forEach((name, tensor) -> {
            Tensor other = Tensor.allocate(tensor.type());
            for (long i = 0; i < tensor.elements(); i++) {
                other.setDouble(i, tensor.getDouble(i) * (1 + MOVEMENT * (random.nextBoolean() ? 1 : -1)));
            }
            moved.put(name, other);
        });
        List<Tensor> outputs = runtime.run(model, moved);
        List<Double> movements = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            double[] before = expected.get(i).toDoubleArray();
            double[] after = outputs.get(i).toDoubleArray();
            double largest = 0;
            for (int j = 0; j < before.length; j++) {
                double distance = Math.abs(after[j] - before[j]);
                largest = Double.isFinite(distance) ? Math.max(largest, distance) : largest;
            }
            movements.add(largest);
        }
        return movements;
    }

    /**
     * The first output that differs, its name in front. The same session runs twice.
     *
     * @param movements what each output's elements may differ by besides; none if empty
     */
    private Optional<String> difference(
            Engine engine, byte[] bytes, Map<String, Tensor> inputs, List<Tensor> expected, List<Double> movements)
            throws IOException {
        Files.write(file, bytes);
        try (Model model = engine.load(file);
                Session session = model.session()) {
            for (int run = 0; run < 2; run++) {
                try (Result result = session.run(inputs)) {
                    Optional<String> difference = difference(result.outputs(), expected, movements);
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

    private static Optional<String> difference(
            Map<String, Tensor> outputs, List<Tensor> expected, List<Double> movements) {
        int next = 0;
        for (Map.Entry<String, Tensor> output : outputs.entrySet()) {
            Tensor wanted = expected.get(next);
            double movement = movements.isEmpty() ? 0 : movements.get(next);
            next++;
            Optional<String> difference =
                    difference(output.getValue(), wanted, tolerance(wanted), SMALLEST, SUMS * movement);
            if (difference.isPresent()) {
                return Optional.of(output.getKey() + " " + difference.orElseThrow());
            }
        }
        return Optional.empty();
    }

    /** How one value differs from ONNX Runtime's; integers have to be equal. */
    static Optional<String> difference(Tensor actual, Tensor expected) {
        return difference(actual, expected, tolerance(expected), SMALLEST, 0);
    }

    private static double tolerance(Tensor expected) {
        return expected.dtype() == DType.FLOAT32 ? TOLERANCE : 0;
    }

    /**
     * As the other method, with a tolerance that is a part of the largest element, which is no less than a number, and
     * another that is none.
     */
    static Optional<String> difference(
            Tensor actual, Tensor expected, double tolerance, double least, double absolute) {
        if (!actual.type().equals(expected.type())) {
            return Optional.of("is " + actual.type() + " instead of " + expected.type());
        }
        double[] wanted = expected.toDoubleArray();
        double[] found = actual.toDoubleArray();
        double largest = least;
        for (double value : wanted) {
            largest = Double.isFinite(value) ? Math.max(largest, Math.abs(value)) : largest;
        }
        for (int i = 0; i < wanted.length; i++) {
            boolean isClose = Double.isFinite(wanted[i])
                    ? Math.abs(found[i] - wanted[i]) <= tolerance * largest + absolute
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
