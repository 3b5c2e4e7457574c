package org.clinfer.cli.verify;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.describe.OpCatalog;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.Tolerance;

/** Runs test cases on one engine and compares what comes out with what was recorded. */
public final class CaseRunner {

    private final Engine engine;
    private final Tolerance tolerance;
    private final RecordedLayout layout;
    private final UserKernels kernels;

    /** For models of Clinfer's own operators. */
    CaseRunner(Engine engine, Tolerance tolerance, RecordedLayout layout) {
        this(engine, tolerance, layout, new UserKernels(OpCatalog.builtIn()));
    }

    /** @param kernels those that have to compile */
    public CaseRunner(Engine engine, Tolerance tolerance, RecordedLayout layout, UserKernels kernels) {
        this.engine = engine;
        this.kernels = kernels;
        this.tolerance = tolerance;
        this.layout = layout;
    }

    /**
     * Runs one case.
     *
     * @throws IOException if a file of the case cannot be read
     */
    public Outcome run(TestCase test) throws IOException {
        try {
            Prepared prepared = prepared(test);
            return layout == RecordedLayout.AUTO ? eitherWay(prepared) : compared(prepared, layout);
        } catch (UnsupportedException unsupported) {
            return new Outcome.Unsupported(unsupported.feature());
        }
    }

    /** A case as read: the names of what was recorded, the graph that gives it, and the recorded inputs. */
    private record Prepared(TestCase test, TensorNames names, Graph graph, List<NamedTensor> recorded) {

        boolean hasEveryInput() {
            int given = hasSpecializations(graph) ? test.inputs().size() : recorded.size();
            return given == graph.inputs().size();
        }
    }

    private Prepared prepared(TestCase test) throws IOException {
        TensorNames given = TensorNames.read(test.names());
        Graph read = graph(test, given);
        TensorNames names = given.ofValues(read);
        Graph graph = withOutputs(read, names.outputs());
        return new Prepared(test, names, graph, recordedInputs(test, names, graph));
    }

    /** As it is; where that does not pass, with channels first if it passes so. */
    private Outcome eitherWay(Prepared prepared) throws IOException {
        try {
            Outcome outcome = compared(prepared, RecordedLayout.ASIS);
            return outcome instanceof Outcome.Pass || !passesTurned(prepared) ? outcome : new Outcome.Pass();
        } catch (GraphException | InputException e) {
            if (e instanceof UnsupportedException || !passesTurned(prepared)) {
                throw e;
            }
            return new Outcome.Pass();
        }
    }

    private boolean passesTurned(Prepared prepared) throws IOException {
        if (!prepared.hasEveryInput() || hasSpecializations(prepared.graph())) {
            return false;
        }
        Map<String, Tensor> inputs = matched(prepared.recorded(), prepared.graph());
        Map<String, Tensor> turned = turned(inputs, prepared.graph(), RecordedLayout.NCHW);
        boolean isAsRecorded =
                inputs.entrySet().stream().allMatch(entry -> turned.get(entry.getKey()) == entry.getValue());
        if (isAsRecorded && !prepared.test().models().stream().allMatch(ModelFiles::haveChannelsLast)) {
            return false;
        }
        try {
            return compared(prepared, RecordedLayout.NCHW) instanceof Outcome.Pass;
        } catch (GraphException | InputException e) {
            return false;
        }
    }

    private Outcome compared(Prepared prepared, RecordedLayout used) throws IOException {
        Graph graph = prepared.graph();
        if (!prepared.hasEveryInput()) {
            return new Outcome.Fail(
                    "the case has " + prepared.recorded().size() + " inputs, the model " + graph.inputs());
        }
        Map<String, Tensor> inputs = matched(prepared.recorded(), graph);
        try (Model model = engine.load(graph);
                Session session = model.session();
                Result result = session.run(hasSpecializations(graph) ? inputs : turned(inputs, graph, used))) {
            Optional<String> failure = kernels.failure(engine, session.placement());
            if (failure.isPresent()) {
                return new Outcome.Fail(failure.get());
            }
            return compare(prepared, result, used);
        }
    }

    private Graph graph(TestCase test, TensorNames names) throws IOException {
        Graph graph = engine.read(chosenModel(test, names));
        return test.weights().isPresent()
                ? GeneratedWeights.apply(graph, test.weights().get())
                : graph;
    }

    /**
     * The first model whose input names are the recorded ones, rather one whose inputs have the recorded shapes, too; the only
     * one is not asked.
     */
    private Path chosenModel(TestCase test, TensorNames names) throws IOException {
        if (test.models().size() == 1) {
            return test.models().get(0);
        }
        List<Path> named = new ArrayList<>();
        for (Path model : test.models()) {
            Graph graph = engine.read(model);
            if (inputNames(graph).equals(Set.copyOf(names.inputs()))) {
                named.add(model);
                if (shapes(graph).equals(shapes(recordedInputs(test, names, graph)))) {
                    return model;
                }
            }
        }
        return named.isEmpty() ? test.models().get(0) : named.get(0);
    }

    /** {@return whether the files of a case are those of the model's inputs in order, and not a tensor each} */
    private static boolean hasSpecializations(Graph graph) {
        return graph.specializations().isPresent();
    }

    private static Map<String, Shape> shapes(Graph graph) {
        Map<String, Shape> shapes = new LinkedHashMap<>();
        graph.inputs().forEach(input -> shapes.put(input.name(), input.type().shape()));
        return shapes;
    }

    private static Map<String, Shape> shapes(List<NamedTensor> tensors) {
        Map<String, Shape> shapes = new LinkedHashMap<>();
        tensors.forEach(tensor -> shapes.put(tensor.name(), tensor.tensor().shape()));
        return shapes;
    }

    private static Set<String> inputNames(Graph graph) {
        Set<String> names = new LinkedHashSet<>();
        graph.inputs().forEach(input -> names.add(input.name()));
        return names;
    }

    /** The graph with the recorded values as outputs, where it computes them all; recordings may be of inner values. */
    private static Graph withOutputs(Graph graph, List<String> recorded) {
        Set<String> computed = new LinkedHashSet<>(graph.outputs());
        graph.nodes().forEach(node -> computed.addAll(node.outputs()));
        if (recorded.isEmpty() || graph.outputs().containsAll(recorded) || !computed.containsAll(recorded)) {
            return graph;
        }
        return new Graph(graph.name(), graph.inputs(), recorded, graph.nodes(), graph.constants(), graph.source());
    }

    private static List<NamedTensor> recordedInputs(TestCase test, TensorNames names, Graph graph) throws IOException {
        List<NamedTensor> tensors = new ArrayList<>();
        if (hasSpecializations(graph)) {
            for (int i = 0; i < Math.min(test.inputs().size(), graph.inputs().size()); i++) {
                tensors.addAll(NamedTensor.readInput(test.inputs().get(i), graph, i));
            }
            return tensors;
        }
        for (Path file : test.inputs()) {
            NamedTensor tensor = NamedTensor.read(file);
            tensors.add(
                    tensors.size() < names.inputs().size()
                            ? new NamedTensor(names.inputs().get(tensors.size()), tensor.tensor())
                            : tensor);
        }
        if (test.weights().isPresent()) {
            graph.inputs()
                    .forEach(input -> tensors.add(new NamedTensor(input.name(), GeneratedWeights.input(input.type()))));
        }
        return tensors;
    }

    /** By name if the recorded names are those of the model, else by order. */
    private static Map<String, Tensor> matched(List<NamedTensor> recorded, Graph graph) {
        Set<String> names = new HashSet<>();
        recorded.forEach(tensor -> names.add(tensor.name()));
        boolean byName = hasSpecializations(graph) || names.equals(inputNames(graph));
        Map<String, Tensor> inputs = new LinkedHashMap<>();
        for (int i = 0; i < recorded.size(); i++) {
            String name =
                    byName ? recorded.get(i).name() : graph.inputs().get(i).name();
            inputs.put(name, recorded.get(i).tensor());
        }
        return inputs;
    }

    private static Map<String, Tensor> turned(Map<String, Tensor> inputs, Graph graph, RecordedLayout layout) {
        Map<String, Tensor> turned = new LinkedHashMap<>();
        for (Graph.Input input : graph.inputs()) {
            Tensor recorded = Objects.requireNonNull(inputs.get(input.name()), input.name());
            turned.put(input.name(), layout.toNetwork(recorded, input.type().shape()));
        }
        return turned;
    }

    private Outcome compare(Prepared prepared, Result result, RecordedLayout used) throws IOException {
        TensorNames names = prepared.names();
        List<String> outputs = List.copyOf(result.outputs().keySet());
        List<NamedTensor> expected = new ArrayList<>();
        for (Path file : prepared.test().expected()) {
            expected.addAll(NamedTensor.readExpected(file, prepared.graph(), result.outputs()));
        }
        List<String> recorded = names.outputs().size() == expected.size()
                ? names.outputs()
                : expected.stream().map(NamedTensor::name).toList();
        boolean byName = outputs.containsAll(recorded) && Set.copyOf(recorded).size() == recorded.size();
        boolean isOther = hasSpecializations(prepared.graph())
                ? expected.size() != outputs.size()
                : !byName && expected.size() > outputs.size();
        if (isOther) {
            return new Outcome.Fail(expected.size() + " outputs are recorded, but the model has " + outputs);
        }
        for (int i = 0; i < expected.size(); i++) {
            String name = byName ? recorded.get(i) : outputs.get(i);
            Tensor actual = result.get(name);
            Tensor wanted = used.toNetwork(expected.get(i).expectedAs(actual.type()), actual.shape());
            Optional<String> difference = TensorComparison.difference(wanted, actual, tolerance);
            if (difference.isPresent()) {
                return new Outcome.Fail("output '" + name + "': " + difference.get());
            }
        }
        return new Outcome.Pass();
    }
}
