package org.clinfer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The rows of requests to a model whose first dimension is open, joined along it and split again. */
final class PoolBatching {

    /** A difference from a run by itself, as a share of the range of an output, that rounding does not explain. */
    private static final double DIFFERENT = 1e-2;

    private final Set<String> inputs;

    /**
     * The equal part of requests that can be joined.
     *
     * @param types of its inputs by name, each for a single row
     * @param rows of all its inputs
     */
    record Form(Map<String, TensorType> types, long rows) {

        boolean fits(Form other) {
            return types.equals(other.types);
        }
    }

    private PoolBatching(Set<String> inputs) {
        this.inputs = inputs;
    }

    /**
     * Batches of a model's requests.
     *
     * @throws InputException if the sizes of its inputs along the first dimension are not open, or not equal
     */
    static PoolBatching of(Graph graph) {
        if (graph.inputs().isEmpty()) {
            throw new InputException("requests to model '" + graph.name() + "' cannot be joined: it has no inputs");
        }
        if (graph.specializations().isPresent()) {
            throw new InputException(
                    "requests to model '" + graph.name() + "' cannot be joined: it has sequences or optional values");
        }
        Set<Dim> sizes = graph.inputs().stream().map(PoolBatching::open).collect(Collectors.toSet());
        if (sizes.size() != 1) {
            throw new InputException("requests to model '" + graph.name()
                    + "' cannot be joined: its inputs have different first dimensions");
        }
        return new PoolBatching(graph.inputs().stream().map(Graph.Input::name).collect(Collectors.toSet()));
    }

    private static Dim open(Graph.Input input) {
        Shape shape = input.type().shape();
        if (shape.rank() == 0 || (shape.dim(0).isKnown() && !input.resizable())) {
            throw new InputException("requests cannot be joined: input '" + input.name() + "' is " + input.type()
                    + ", whose first dimension is not open");
        }
        return shape.dim(0);
    }

    /** The form of a request; empty where it cannot be joined with others. */
    Optional<Form> form(Map<String, Tensor> given) {
        if (!given.keySet().equals(inputs)) {
            return Optional.empty();
        }
        Map<String, TensorType> types = new TreeMap<>();
        long rows = -1;
        for (Map.Entry<String, Tensor> each : given.entrySet()) {
            TensorType type = each.getValue().type();
            if (type.shape().rank() == 0 || type.dtype().isPacked()) {
                return Optional.empty();
            }
            long own = type.shape().size(0);
            if (own < 1 || (rows >= 0 && own != rows)) {
                return Optional.empty();
            }
            rows = own;
            types.put(each.getKey(), withRows(type, 1));
        }
        return Optional.of(new Form(types, rows));
    }

    private static TensorType withRows(TensorType type, long rows) {
        List<Dim> dims = new ArrayList<>(type.shape().dims());
        dims.set(0, Dim.of(rows));
        return new TensorType(type.dtype(), new Shape(dims));
    }

    /**
     * The number of requests, from the first on, that go into one run: as many rows as fit, but one of few different
     * numbers, because every size needs a plan of its own: the limit, or a power of two.
     *
     * @param rows of each request that waits
     */
    static int count(List<Long> rows, int maxBatch) {
        int count = 1;
        long total = 0;
        for (int i = 0; i < rows.size() && total + rows.get(i) <= maxBatch; i++) {
            total += rows.get(i);
            if (total == maxBatch || Long.bitCount(total) == 1) {
                count = i + 1;
            }
        }
        return count;
    }

    /** Tensors with the rows of all requests, one after the other. */
    static Map<String, Tensor> joined(List<PoolRequest> requests) {
        long rows = requests.stream().mapToLong(PoolBatching::rows).sum();
        Map<String, Tensor> joined = new LinkedHashMap<>();
        requests.get(0).form().orElseThrow().types().forEach((name, row) -> {
            List<Tensor> parts =
                    requests.stream().map(request -> request.inputs().get(name)).toList();
            joined.put(name, Tensor.joined(withRows(row, rows), parts));
        });
        return joined;
    }

    private static long rows(PoolRequest request) {
        return request.form().orElseThrow().rows();
    }

    /**
     * The part of each request of the outputs of a joined run, which share its memory; empty where an output has not a row
     * for each row of the inputs.
     */
    static Optional<List<Result>> split(Result whole, List<PoolRequest> requests) {
        long rows = requests.stream().mapToLong(PoolBatching::rows).sum();
        for (Tensor output : whole.outputs().values()) {
            Shape shape = output.shape();
            if (shape.rank() == 0 || shape.size(0) != rows || output.dtype().isPacked()) {
                return Optional.empty();
            }
        }
        List<Result> parts = new ArrayList<>();
        long from = 0;
        for (PoolRequest request : requests) {
            Map<String, Tensor> part = new LinkedHashMap<>();
            for (Map.Entry<String, Tensor> output : whole.outputs().entrySet()) {
                part.put(output.getKey(), part(output.getValue(), from, rows(request)));
            }
            parts.add(new Result(part));
            from += rows(request);
        }
        return Optional.of(parts);
    }

    private static Tensor part(Tensor whole, long from, long rows) {
        TensorType type = withRows(whole.type(), rows);
        int start = Math.toIntExact(type.bytes() / rows * from);
        return Tensor.wrap(type, whole.bytes().slice(start, Math.toIntExact(type.bytes())));
    }

    /** True if the outputs of a request are, but for rounding, those that it has in a run by itself. */
    static boolean agree(Result joined, Result alone) {
        return alone.outputs().entrySet().stream()
                .allMatch(output -> agree(joined.get(output.getKey()), output.getValue()));
    }

    private static boolean agree(Tensor joined, Tensor alone) {
        if (!joined.type().equals(alone.type())) {
            return false;
        }
        double[] ours = joined.toDoubleArray();
        double[] theirs = alone.toDoubleArray();
        double largest = 0;
        double difference = 0;
        for (int i = 0; i < ours.length; i++) {
            if (Double.compare(ours[i], theirs[i]) != 0) {
                difference = Math.max(difference, Math.abs(ours[i] - theirs[i]));
            }
            if (Double.isFinite(theirs[i])) {
                largest = Math.max(largest, Math.abs(theirs[i]));
            }
        }
        return difference <= DIFFERENT * largest;
    }
}
