package org.clinfer.benchdnn;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.ConformanceEngine;
import org.clinfer.Placement;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** One problem in one type and form, ready to run on any engine. */
final class ProblemRun {

    private final Problem problem;
    private final Form form;
    private final TensorType outputType;
    private final Graph graph;
    private final Map<String, Tensor> inputs;

    /**
     * What a run gives.
     *
     * @param values the elements, channels first
     * @param node where the operator ran
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Output(double[] values, Placement.Entry node) {}

    /**
     * @param operands of that type
     * @param constant whether weights and bias are constants of the graph
     */
    ProblemRun(Problem problem, Form form, DType dtype, Operands operands, boolean constant) {
        this.problem = problem;
        this.form = form;
        boolean bias = operands.bias().length > 0;
        ProblemGraph of = new ProblemGraph(problem, form, dtype);
        this.outputType = of.outputType();
        Map<String, Tensor> tensors = tensors(of.types(bias), operands);
        Map<String, Tensor> constants = new HashMap<>(constant ? tensors : Map.of());
        constants.remove("x");
        this.graph = of.graph(bias, constants);
        this.inputs = new HashMap<>(tensors);
        inputs.keySet().removeAll(constants.keySet());
    }

    private Map<String, Tensor> tensors(Map<String, TensorType> types, Operands operands) {
        boolean transposed = problem.transposed();
        long first = transposed ? problem.inChannels() : problem.outChannels();
        long second = (transposed ? problem.outChannels() : problem.inChannels()) / problem.groups();
        Map<String, double[]> values = Map.of(
                "x", form.data(operands.input(), problem.batch(), problem.inChannels()),
                "w", form.weights(operands.weights(), first, second),
                "b", operands.bias());
        Map<String, Tensor> tensors = new HashMap<>();
        types.forEach(
                (name, type) -> tensors.put(name, Operands.tensor(Objects.requireNonNull(values.get(name)), type)));
        return tensors;
    }

    /**
     * Runs on an engine.
     *
     * @throws AssertionError if the result has another type, or is not computed in one step
     */
    Output on(ConformanceEngine engine) {
        List<Output> results = new ArrayList<>();
        engine.run(graph, inputs, (outputs, placement) -> {
            Tensor y = Objects.requireNonNull(outputs.get("y"));
            if (!y.type().equals(outputType) || placement.size() != 1) {
                throw new AssertionError("is " + y.type() + ", expected " + outputType + ", by " + placement);
            }
            double[] values = form.channelsFirst(Operands.elements(y), problem.batch(), problem.outChannels());
            results.add(new Output(values, placement.get(0)));
        });
        return results.get(0);
    }
}
