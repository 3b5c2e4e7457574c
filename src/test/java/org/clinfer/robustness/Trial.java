package org.clinfer.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.Session;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** One model taken the whole way: load, check, plan, run. */
final class Trial {

    private static final long LARGE_BYTES = 1 << 22;
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final int MOST_OF_A_LINE = 2001;

    private final Engine engine;

    Trial(Engine engine) {
        this.engine = engine;
    }

    /** What came out: nothing, a refusal, or something that must not be. */
    record Outcome(Optional<String> refusal, Optional<Throwable> defect) {}

    Outcome of(Path file) {
        try {
            run(file);
            return new Outcome(Optional.empty(), Optional.empty());
        } catch (GraphException | InputException refused) {
            String message = String.valueOf(refused.getMessage());
            String own = message.replaceAll("'[^']*'", ""); // without what the file says
            boolean line = message.codePointCount(0, message.length()) <= MOST_OF_A_LINE
                    && Printable.of(message).equals(message);
            boolean clear = !message.isBlank() && !own.contains("null") && line;
            return new Outcome(Optional.of(message), clear ? Optional.empty() : Optional.of(refused));
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError defect) {
            return new Outcome(Optional.empty(), Optional.of(defect));
        }
    }

    private void run(Path file) {
        try (Model model = engine.load(file)) {
            model.check(Map.of());
            Map<String, TensorType> types = types(model.graph());
            boolean large = types.values().stream().anyMatch(Trial::isLarge);
            try (Session session = model.session()) {
                if (large) {
                    session.placement(types);
                } else {
                    run(session, tensors(types), model.graph());
                }
            }
        }
    }

    /** A loop may say itself that it never ends: it is given up then. */
    private static void run(Session session, Map<String, Tensor> inputs, Graph graph) {
        if (graph.nodes().stream().noneMatch(Node::isControl)) {
            session.run(inputs).close();
            return;
        }
        try {
            session.runAsync(inputs, LONGEST).join().close();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            assertThat(failed).hasCauseInstanceOf(TimeoutException.class);
        }
    }

    private static boolean isLarge(TensorType type) {
        try {
            return type.bytes() > LARGE_BYTES;
        } catch (ArithmeticException overflow) {
            return true;
        }
    }

    /** The model's input types with 2 for every dimension that is only named. */
    private static Map<String, TensorType> types(Graph graph) {
        Map<String, TensorType> types = new LinkedHashMap<>();
        for (Graph.Input input : graph.inputs()) {
            Shape shape = new Shape(input.type().shape().dims().stream()
                    .map(dim -> dim.isKnown() ? dim : Dim.of(2))
                    .toList());
            types.put(input.name(), new TensorType(input.type().dtype(), shape));
        }
        return types;
    }

    private static Map<String, Tensor> tensors(Map<String, TensorType> types) {
        Random random = new Random(7);
        Map<String, Tensor> tensors = new HashMap<>();
        types.forEach((name, type) -> {
            Tensor tensor = Tensor.allocate(type);
            for (int i = 0; i < tensor.elements(); i++) {
                if (!type.dtype().isFloating()) {
                    tensor.setLong(i, random.nextInt(2));
                } else {
                    tensor.setDouble(i, random.nextInt(4) - 1);
                }
            }
            tensors.put(name, tensor);
        });
        return tensors;
    }
}
