import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.PoolOptions;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.SessionPool;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Tensor;

/**
 * Answers some requests over one model and prints the meters.
 *
 * <p>Arguments: the model, the device as for {@code --device}, and the number of requests.
 */
public final class Service {

    private Service() {}

    public static void main(String[] arguments) {
        if (arguments.length != 3) {
            System.err.println("usage: Service MODEL DEVICE REQUESTS");
            System.exit(2);
        }
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ClinferMetrics metrics = new ClinferMetrics(registry);
        EngineOptions options = EngineOptions.defaults()
                .withDevice(DeviceChoice.parse(arguments[1]))
                .withTrace(metrics);
        try (Engine engine = Engine.open(options);
                Model model = engine.load(Path.of(arguments[0]));
                SessionPool pool = model.pool(PoolOptions.defaults())) {
            metrics.add("requests", pool);
            Map<String, Tensor> inputs = new LinkedHashMap<>();
            for (Graph.Input input : model.inputs()) {
                inputs.put(input.name(), Tensor.allocate(input.type()));
            }
            List<CompletableFuture<Result>> answers = new ArrayList<>();
            for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
                answers.add(pool.submit(inputs));
            }
            answers.forEach(answer -> answer.join().close());
            try (Session session = model.session()) {
                metrics.add(arguments[0], session.memory(Map.of()));
            }
            System.out.println(registry.getMetersAsString());
            inputs.values().forEach(Tensor::close);
        }
    }
}
