package org.clinfer;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.clinfer.tensor.Tensor;

/** A program that says how many threads it has: {@code cpu|opencl}. */
final class ContainerProgram {

    private ContainerProgram() {}

    public static void main(String[] arguments) {
        boolean isCpu = arguments[0].equals("cpu");
        EngineOptions options =
                EngineOptions.defaults().withDevice(isCpu ? new DeviceChoice.Cpu() : new DeviceChoice.FirstOpenCl());
        Tensor x = TestGraphs.numbers(1, 256, 1024);
        try (Engine engine = Engine.open(options);
                Model model = engine.load(TestGraphs.rectifier(1024));
                SessionPool pool = model.pool(PoolOptions.defaults())) {
            List<CompletableFuture<Result>> all =
                    Stream.generate(() -> pool.submit(Map.of("x", x))).limit(8).toList();
            all.forEach(each -> each.join().close());
            System.out.println("threads: " + options.threads());
            System.out.println("runs: " + pool.runs());
            System.out.println("started: "
                    + Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().startsWith("clinfer-cpu"))
                            .count());
            engine.device().ifPresent(device -> System.out.println("units: " + device.limit("max_compute_units", 0)));
        }
    }
}
