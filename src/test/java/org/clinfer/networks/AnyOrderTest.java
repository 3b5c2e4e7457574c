package org.clinfer.networks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a process ran before makes no network allocate: HotSpot takes the loops over vectors as well after a network of
 * another kind as alone. Vectors that it cannot keep in registers are objects, megabytes in each run.
 */
class AnyOrderTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final String CPU = "cpu";
    private static final String BYTES = "bytes of ";
    private static final int RUNS = 10;
    private static final int MOST_ROUNDS = 240;

    /** Of a run on a device, its launches. */
    private static final long BYTES_OF_LAUNCHES = 500_000;

    private final Path folder;

    AnyOrderTest(@TempDir Path folder) {
        this.folder = folder;
    }

    /** Arrays for parts of operators and the objects of a run, on the CPU; vectors as objects are five times as much. */
    private static long bytesOfOperators(BenchmarkNetwork network) {
        return switch (network) {
            case FCN_HEAD -> 8_000_000;
            case DEIT_TINY, DENSENET_121 -> 1_000_000;
            default -> 400_000;
        };
    }

    private record Running(Session session, Map<String, Tensor> inputs) {

        void run() {
            session.run(inputs);
        }
    }

    private Running start(Engine engine, BenchmarkNetwork network) {
        Model model = engine.load(network.write(folder.resolve(network.fileName()), network.smallForm())
                .file());
        Map<String, Tensor> inputs = new LinkedHashMap<>();
        for (Graph.Input input : model.inputs()) {
            inputs.put(input.name(), Tensor.allocate(input.type()));
        }
        return new Running(model.session(), inputs);
    }

    /** Bytes that the calling thread and those of CPU operators have allocated. */
    private static long allocated() {
        long bytes = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("clinfer-cpu-")) {
                bytes += Math.max(0, THREADS.getThreadAllocatedBytes(thread.getId()));
            }
        }
        return bytes;
    }

    /**
     * Bytes that a run of each network allocates once HotSpot is done, if it is within this many rounds, of which it needs
     * more where other processes compute. The networks run
     * in this order first, mixed then.
     */
    private Map<BenchmarkNetwork, Long> bytesPerRun(
            DeviceChoice device, List<BenchmarkNetwork> order, ToLongFunction<BenchmarkNetwork> bound) {
        Map<BenchmarkNetwork, Long> bytes = new EnumMap<>(BenchmarkNetwork.class);
        Map<BenchmarkNetwork, Running> running = new EnumMap<>(BenchmarkNetwork.class);
        List<BenchmarkNetwork> mixed = new ArrayList<>(order);
        Random random = new Random(24);
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(device))) {
            for (int round = 0; round < MOST_ROUNDS; round++) {
                for (BenchmarkNetwork network : mixed) {
                    Running one = running.computeIfAbsent(network, absent -> start(engine, absent));
                    one.run();
                    long before = allocated();
                    for (int i = 0; i < RUNS; i++) {
                        one.run();
                    }
                    bytes.put(network, (allocated() - before) / RUNS);
                }
                if (bytes.entrySet().stream().allMatch(of -> of.getValue() < bound.applyAsLong(of.getKey()))) {
                    break;
                }
                Collections.shuffle(mixed, random);
            }
        }
        return bytes;
    }

    /** A process of its own: what tests did to HotSpot before is not what networks do. */
    static final class InOneProcess {

        private InOneProcess() {}

        /** Prints the bytes of each network; a folder and a device are given. */
        public static void main(String[] args) {
            AnyOrderTest test = new AnyOrderTest(Path.of(args[0]));
            test.onDevice(args[1].equals(CPU))
                    .forEach((network, bytes) -> System.out.println(BYTES + network + " " + bytes));
        }
    }

    private Map<BenchmarkNetwork, Long> onDevice(boolean isCpu) {
        if (!isCpu) {
            List<BenchmarkNetwork> order =
                    List.of(BenchmarkNetwork.DEIT_TINY, BenchmarkNetwork.SQUEEZENET_1_1, BenchmarkNetwork.MOBILENET_V2);
            return bytesPerRun(new DeviceChoice.FirstOpenCl(), order, network -> BYTES_OF_LAUNCHES);
        }
        List<BenchmarkNetwork> order = new ArrayList<>(List.of(BenchmarkNetwork.values()));
        Collections.reverse(order);
        assertThat(order).first().isEqualTo(BenchmarkNetwork.DEIT_TINY);
        return bytesPerRun(new DeviceChoice.Cpu(), order, AnyOrderTest::bytesOfOperators);
    }

    private Map<BenchmarkNetwork, Long> inOneProcess(String device) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option ->
                        option.startsWith("--") || option.startsWith("-Xmx") || option.startsWith("-Dclinfer."))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), InOneProcess.class.getName()));
        command.addAll(List.of(folder.toString(), device));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).as("exit code after %s", lines).isZero();
        Map<BenchmarkNetwork, Long> bytes = new EnumMap<>(BenchmarkNetwork.class);
        lines.stream().filter(line -> line.startsWith(BYTES)).forEach(line -> {
            String[] words = line.substring(BYTES.length()).split(" ", -1);
            bytes.put(BenchmarkNetwork.valueOf(words[0]), Long.parseLong(words[1]));
        });
        return bytes;
    }

    @Test
    void networksOnTheCpuMakeNoObjectsOfVectors() throws IOException, InterruptedException {
        assertThat(inOneProcess(CPU))
                .hasSize(BenchmarkNetwork.values().length)
                .allSatisfy((network, bytes) -> assertThat(bytes).isLessThan(bytesOfOperators(network)));
    }

    @RequiresOpenCl
    @Test
    void networksOnADeviceAllocateTheirLaunchesAlone() throws IOException, InterruptedException {
        assertThat(inOneProcess("device"))
                .hasSize(3)
                .allSatisfy((network, bytes) -> assertThat(bytes).isLessThan(BYTES_OF_LAUNCHES));
    }
}
