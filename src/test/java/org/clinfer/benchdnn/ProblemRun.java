package org.clinfer.benchdnn;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.clinfer.ConformanceEngine;
import org.clinfer.Placement;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** One problem in one type and form, with and without constant weights, on any engine. */
final class ProblemRun {

    private final Problem problem;
    private final Form form;
    private final DType dtype;
    private final Graph graph;
    private final Map<String, Tensor> inputs;
    private final Operands operands;

    /**
     * @param operands of that type
     * @param constant whether weights and bias are constants of the graph
     */
    ProblemRun(Problem problem, Form form, DType dtype, Operands operands, boolean constant) {
        this.problem = problem;
        this.form = form;
        this.dtype = dtype;
        this.operands = operands;
        boolean bias = operands.bias().length > 0;
        ProblemGraph of = new ProblemGraph(problem, form, dtype);
        Map<String, Tensor> tensors = tensors(of.types(bias));
        Map<String, Tensor> constants = new HashMap<>(constant ? tensors : Map.of());
        constants.remove("x");
        this.graph = of.graph(bias, constants);
        this.inputs = new HashMap<>(tensors);
        inputs.keySet().removeAll(constants.keySet());
    }

    private Map<String, Tensor> tensors(Map<String, TensorType> types) {
        Map<String, double[]> values = new HashMap<>();
        values.put("x", form.data(operands.input(), problem.batch(), problem.inChannels()));
        boolean transposed = problem.transposed();
        long first = transposed ? problem.inChannels() : problem.outChannels();
        values.put("w", form.weights(operands.weights(), first, first == 0 ? 0 : second()));
        values.put("b", operands.bias());
        Map<String, Tensor> tensors = new HashMap<>();
        types.forEach(
                (name, type) -> tensors.put(name, Operands.tensor(Objects.requireNonNull(values.get(name)), type)));
        return tensors;
    }

    private long second() {
        return (problem.transposed() ? problem.outChannels() : problem.inChannels()) / problem.groups();
    }

    /** What a run gives. */
    static final class Output {
        private double[] values = new double[0];
        private Optional<Placement.Entry> node = Optional.empty();

        /** The elements, channels first. */
        double[] values() {
            return values;
        }

        /** Where the operator ran. */
        Placement.Entry node() {
            return node.orElseThrow();
        }
    }

    Output on(ConformanceEngine engine) {
        Output output = new Output();
        engine.run(graph, inputs, (outputs, placement) -> {
            Tensor tensor = Objects.requireNonNull(outputs.get("y"));
            TensorType expected = new ProblemGraph(problem, form, dtype).outputType();
            if (!tensor.type().equals(expected)) {
                throw new AssertionError("is " + tensor.type() + ", expected " + expected);
            }
            output.values = form.channelsFirst(Operands.elements(tensor), problem.batch(), problem.outChannels());
            output.node = Optional.of(only(placement));
        });
        return output;
    }

    private static Placement.Entry only(List<Placement.Entry> placement) {
        if (placement.size() != 1) {
            throw new AssertionError("more or less than one step: " + placement);
        }
        return placement.get(0);
    }
}
