package org.clinfer.fix;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;

/** Runs two networks with the same inputs and outputs on the CPU, and compares what they give. */
final class Equality {

    /** Results of networks of float16 may differ by so much of the largest of them. */
    static final Tolerance HALF = new Tolerance(Optional.of(0x1p-7), Optional.of(0x1p-11));

    private static final double STEPS = 512;

    private static final List<Double> LARGEST = List.of(1.0, 8.0);

    private final Engine cpu;

    /** @param cpu without a device */
    Equality(Engine cpu) {
        this.cpu = cpu;
    }

    /** Compares results for random inputs: floats of both signs, some beyond the bounds of activations; integers 0 and 1. */
    ResultDifference of(Graph before, Graph after, Tolerance tolerance) {
        ResultDifference found = ResultDifference.NONE;
        try (Model first = cpu.load(before);
                Model second = cpu.load(after);
                Session one = first.session();
                Session other = second.session()) {
            for (int i = 0; i < LARGEST.size(); i++) {
                Map<String, Tensor> inputs = inputs(before, LARGEST.get(i), i + 1L);
                Map<String, Tensor> others = taken(inputs, after);
                try (Result expected = one.run(inputs);
                        Result actual = other.run(others)) {
                    found = found.with(compared(expected.outputs(), actual.outputs(), tolerance));
                } finally {
                    inputs.values().forEach(Tensor::close);
                    others.values().forEach(Tensor::close);
                }
            }
        }
        return found;
    }

    private static Map<String, Tensor> inputs(Graph graph, double largest, long seed) {
        Map<String, Tensor> inputs = new LinkedHashMap<>();
        Random random = new Random(seed);
        for (Graph.Input input : graph.inputs()) {
            inputs.put(input.name(), filled(input.type(), largest, random));
        }
        return inputs;
    }

    /** The same values in the types that another network takes. */
    private static Map<String, Tensor> taken(Map<String, Tensor> inputs, Graph graph) {
        Map<String, Tensor> taken = new LinkedHashMap<>();
        for (Graph.Input input : graph.inputs()) {
            Optional.ofNullable(inputs.get(input.name()))
                    .ifPresent(tensor ->
                            taken.put(input.name(), tensor.to(input.type().dtype())));
        }
        return taken;
    }

    /** Floats have few bits, so that float16 holds them, too. */
    private static Tensor filled(TensorType type, double largest, Random random) {
        Tensor tensor = Tensor.allocate(type);
        for (long i = 0; i < tensor.elements(); i++) {
            double value = Math.rint((2 * random.nextDouble() - 1) * STEPS) / STEPS;
            tensor.setDouble(i, type.dtype().isFloating() ? value * largest : random.nextInt(2));
        }
        return tensor;
    }

    private static ResultDifference compared(
            Map<String, Tensor> expected, Map<String, Tensor> actual, Tolerance tolerance) {
        Map<String, Tensor> left = new HashMap<>(actual);
        ResultDifference found = ResultDifference.NONE;
        for (Map.Entry<String, Tensor> each : expected.entrySet()) {
            Tensor other = left.get(each.getKey());
            found = found.with(
                    other == null
                            ? new ResultDifference(0, 0, Optional.of("there is no output '" + each.getKey() + "'"))
                            : compared(each.getKey(), each.getValue(), other, tolerance));
        }
        return found;
    }

    private static ResultDifference compared(String name, Tensor expected, Tensor given, Tolerance tolerance) {
        try (Tensor actual = given.to(expected.dtype())) {
            Optional<String> fault = TensorComparison.difference(expected, actual, tolerance)
                    .map(difference -> "'" + name + "': " + difference);
            double largest =
                    actual.elements() == expected.elements() ? largest(expected, actual) : Double.POSITIVE_INFINITY;
            return new ResultDifference(largest, range(expected), fault);
        }
    }

    private static double largest(Tensor expected, Tensor actual) {
        double largest = 0;
        for (long i = 0; i < expected.elements(); i++) {
            largest = Math.max(largest, TensorComparison.distance(expected.getDouble(i), actual.getDouble(i)));
        }
        return largest;
    }

    private static double range(Tensor tensor) {
        double range = 0;
        for (long i = 0; i < tensor.elements(); i++) {
            double size = Math.abs(tensor.getDouble(i));
            range = Double.isFinite(size) ? Math.max(range, size) : range;
        }
        return range;
    }
}
