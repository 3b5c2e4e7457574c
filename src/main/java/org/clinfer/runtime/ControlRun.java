package org.clinfer.runtime;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.infer.Stages.Stage;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * A node of control flow: its condition is read on the host, and each of its graphs is a network with runs of its own,
 * planned for the sizes that it is given.
 */
final class ControlRun implements StageRun {

    private static final String REASON = "data decide what it runs, which the host reads";

    private final InnerNetworks whole;
    private final Node node;
    private final Stage stage;
    private final IdentityHashMap<Graph, Runs> bodies = new IdentityHashMap<>();

    /** @param stage the one that the node is */
    ControlRun(InnerNetworks whole, Node node, Stage stage) {
        this.whole = whole;
        this.node = node;
        this.stage = stage;
    }

    @Override
    public Map<String, Tensor> run(Map<String, Tensor> given, Use use) {
        Iteration iteration = new Iteration(given, use);
        List<Tensor> results =
                node.op().equals(ControlFlow.LOOP) ? new Iterations(iteration).run() : iteration.branch();
        Map<String, Tensor> outputs = new LinkedHashMap<>();
        for (int i = 0; i < results.size(); i++) {
            String name = i < node.outputs().size() ? node.outputs().get(i) : "";
            if (stage.outputs().contains(name)) {
                outputs.put(name, results.get(i));
            } else {
                results.get(i).close();
            }
        }
        for (String name : stage.outputs()) {
            outputs.computeIfAbsent(name, passed -> iteration.value(passed).copy());
        }
        return outputs;
    }

    /** One run of the node: the values that it takes, and its way to run graphs. */
    private final class Iteration {

        private final Map<String, Tensor> given;
        private final Use use;

        Iteration(Map<String, Tensor> given, Use use) {
            this.given = given;
            this.use = use;
        }

        Tensor value(String name) {
            Tensor tensor = given.getOrDefault(name, whole.graph().constants().get(name));
            if (tensor == null) {
                throw new IllegalStateException("no stage gives '" + name + "'");
            }
            return tensor;
        }

        /** The only element of an input; empty where the input is left out. */
        Optional<Long> single(int input, String meaning) {
            String name = node.inputs().get(input);
            return name.isEmpty() ? Optional.empty() : Optional.of(ControlRun.this.single(value(name), meaning));
        }

        List<Tensor> branch() {
            boolean holds = single(0, "condition").orElseThrow() != 0;
            return results(node.body(holds ? ControlFlow.THEN : ControlFlow.ELSE), List.of());
        }

        /** The outputs of a graph, in its order. */
        List<Tensor> results(Graph body, List<Tensor> first) {
            Map<String, Tensor> inputs = new LinkedHashMap<>();
            for (int i = 0; i < body.inputs().size(); i++) {
                String name = body.inputs().get(i).name();
                inputs.put(name, i < first.size() ? first.get(i) : value(name));
            }
            Map<String, Tensor> outputs = use.of(runs(body), inputs);
            Set<String> given = new HashSet<>();
            List<Tensor> results = new ArrayList<>();
            for (String name : body.outputs()) {
                Tensor result = Objects.requireNonNull(outputs.get(name));
                // each is closed by itself, also where a graph gives one value twice
                results.add(given.add(name) ? result : result.copy());
            }
            return results;
        }
    }

    /** The iterations of a Loop in one run. */
    private final class Iterations {

        private final Iteration iteration;
        private final Graph body = node.body(ControlFlow.BODY);
        private final int states = ControlFlow.states(node);
        private final List<Tensor> taken = new ArrayList<>();
        private final List<IterationList> lists = new ArrayList<>();

        Iterations(Iteration iteration) {
            this.iteration = iteration;
            for (int i = 1 + states; i < body.outputs().size(); i++) {
                lists.add(new IterationList(node.source()));
            }
        }

        List<Tensor> run() {
            for (int i = 0; i < states; i++) {
                taken.add(iteration.value(node.inputs().get(2 + i)).copy());
            }
            try {
                long most = iteration.single(0, "number of iterations").orElse(Long.MAX_VALUE);
                boolean goesOn = iteration.single(1, "condition").orElse(1L) != 0;
                for (long number = 0; number < most && goesOn; number++) {
                    goesOn = goesOn(number);
                }
                List<Tensor> results = new ArrayList<>();
                for (int i = 0; i < lists.size(); i++) {
                    int output = 1 + states + i;
                    results.add(lists.get(i).stacked(() -> whole.bodyType(body, output, types())));
                }
                results.addAll(0, taken);
                taken.clear();
                return results;
            } finally {
                taken.forEach(Tensor::close);
                lists.forEach(IterationList::close);
            }
        }

        private boolean goesOn(long number) {
            List<Tensor> first = new ArrayList<>();
            first.add(like(body.inputs().get(0).type(), number));
            first.add(like(body.inputs().get(1).type(), 1));
            first.addAll(taken);
            List<Tensor> made = iteration.results(body, first);
            taken.forEach(Tensor::close);
            taken.clear();
            taken.addAll(made.subList(1, 1 + states));
            for (int i = 0; i < lists.size(); i++) {
                lists.get(i).add(made.get(1 + states + i));
            }
            try (Tensor condition = made.get(0)) {
                return single(condition, "condition") != 0;
            }
        }

        /** The types of what a iteration would take, for lists of no iteration. */
        private Map<String, TensorType> types() {
            Map<String, TensorType> types = new LinkedHashMap<>();
            for (int i = 2; i < body.inputs().size(); i++) {
                String name = body.inputs().get(i).name();
                types.put(
                        name,
                        i < 2 + states
                                ? taken.get(i - 2).type()
                                : iteration.value(name).type());
            }
            return types;
        }
    }

    private static Tensor like(TensorType type, long value) {
        Tensor tensor = type.shape().rank() == 0 ? Tensor.allocate(type.dtype()) : Tensor.allocate(type.dtype(), 1);
        tensor.setLong(0, value);
        return tensor;
    }

    private long single(Tensor tensor, String meaning) {
        if (tensor.elements() != 1) {
            throw new GraphException(
                    node.source(), "its " + meaning + " must have one element, but is " + tensor.type());
        }
        return tensor.getLong(0);
    }

    private Runs runs(Graph body) {
        return bodies.computeIfAbsent(body, whole::bodyRuns);
    }

    @Override
    public List<RunPart> parts() {
        RunPart own = new RunPart.Control(node, REASON);
        Stream<RunPart> inner = bodies.values().stream().filter(Runs::hasRun).flatMap(runs -> runs.parts().stream());
        return Stream.concat(Stream.of(own), inner).toList();
    }

    @Override
    public List<String> recoveries() {
        return bodies.values().stream()
                .flatMap(runs -> runs.recoveries().stream())
                .toList();
    }

    @Override
    public void close() {
        bodies.values().forEach(Runs::close);
    }
}
