package org.clinfer.serve;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.clinfer.Model;
import org.clinfer.Placement;
import org.clinfer.Session;
import org.clinfer.errors.BadInputException;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/**
 * Runs of a model with zeros before it is ready, so that no request waits for plans, kernels or weights: with one row, and where
 * requests are joined with the largest batch.
 */
final class WarmUp {

    /**
     * The outcome of a warm-up.
     *
     * @param onDevice nodes that run on a device
     * @param onProcessor nodes that run on the CPU
     * @param note why there was none, or not for every batch; empty where there was
     */
    record Outcome(long onDevice, long onProcessor, Optional<String> note) {}

    private WarmUp() {}

    /** Warms a model up; one whose sizes stay open, or for which zeros do not do, is left as it is, with a note. */
    static Outcome of(Model model, ModelConfig config, int maxBatch) {
        Outcome outcome = new Outcome(0, 0, Optional.empty());
        Optional<String> tooLarge = Optional.empty();
        TreeSet<Long> batches = new TreeSet<>(List.of(1L, (long) maxBatch));
        for (long rows : batches.descendingSet()) {
            List<TensorType> types = new ArrayList<>();
            for (Graph.Input input : model.inputs()) {
                Optional<TensorType> type = type(input, config, rows, maxBatch > 1);
                if (type.isEmpty()) {
                    String note = "input '" + input.name() + "' is " + input.type() + "; dims in config.pbtxt would do";
                    return new Outcome(0, 0, Optional.of(note));
                }
                types.add(type.get());
            }
            if (!types.stream().allMatch(type -> type.fits() && type.bytes() <= Tensor.MAX_BYTES)) {
                tooLarge = Optional.of("a batch of " + rows + " rows is larger than a tensor can be");
                continue;
            }
            Map<String, Tensor> zeros = zeros(model, types);
            try (Session session = model.session()) {
                session.run(zeros).close();
                outcome = placed(session.placement());
            } catch (BadInputException zerosDoNot) {
                return new Outcome(0, 0, Optional.of(String.valueOf(zerosDoNot.getMessage())));
            } finally {
                zeros.values().forEach(Tensor::close);
            }
        }
        return new Outcome(outcome.onDevice(), outcome.onProcessor(), tooLarge);
    }

    /** Sentences about inputs of the configuration that the model does not have, or not with these sizes. */
    static List<String> misfits(Model model, ModelConfig config) {
        List<String> misfits = new ArrayList<>();
        for (Map.Entry<String, List<Long>> given : config.sizes().entrySet()) {
            Optional<Graph.Input> input = model.inputs().stream()
                    .filter(each -> each.name().equals(given.getKey()))
                    .findFirst();
            if (input.isEmpty()) {
                List<String> names =
                        model.inputs().stream().map(Graph.Input::name).toList();
                misfits.add("the model has no input '" + Printable.shortened(given.getKey()) + "'; there are " + names);
            } else if (!fits(input.get().type().shape().dims(), given.getValue())) {
                misfits.add("the dims of input '" + given.getKey() + "' are " + given.getValue() + ", but it is "
                        + input.get().type());
            }
        }
        return misfits;
    }

    private static boolean fits(List<Dim> dims, List<Long> given) {
        int outer = dims.size() - given.size();
        if (given.isEmpty()) {
            return true;
        }
        if (outer < 0 || outer > 1) {
            return false;
        }
        return IntStream.range(0, given.size()).allMatch(axis -> fits(dims.get(axis + outer), given.get(axis)));
    }

    private static boolean fits(Dim dim, long given) {
        return given < 0 || !(dim instanceof Dim.Known known) || known.size() == given;
    }

    private static Map<String, Tensor> zeros(Model model, List<TensorType> types) {
        Map<String, Tensor> zeros = new HashMap<>();
        for (int i = 0; i < types.size(); i++) {
            zeros.put(model.inputs().get(i).name(), Tensor.allocate(types.get(i)));
        }
        return zeros;
    }

    private static Outcome placed(Placement placement) {
        long device = placement.nodes().stream()
                .filter(node -> node.target() == Placement.Target.DEVICE)
                .count();
        return new Outcome(device, placement.nodes().size() - device, Optional.empty());
    }

    /** The first dimension where it is open, or where requests are joined, is that of the rows; other open ones need the configuration. */
    private static Optional<TensorType> type(Graph.Input input, ModelConfig config, long rows, boolean joins) {
        List<Long> given = config.sizes().getOrDefault(input.name(), List.of());
        List<Dim> dims = input.type().shape().dims();
        int outer = dims.size() - given.size(); // 1 where the configuration leaves the batch out
        List<Long> sizes = new ArrayList<>();
        for (int axis = 0; axis < dims.size(); axis++) {
            boolean isBatch = axis == 0 && (joins || !dims.get(0).isKnown());
            long configured = outer >= 0 && outer <= 1 && axis >= outer ? given.get(axis - outer) : -1;
            if (isBatch) {
                sizes.add(configured > 0 && !joins ? configured : rows);
            } else if (dims.get(axis) instanceof Dim.Known known) {
                sizes.add(known.size());
            } else if (configured > 0) {
                sizes.add(configured);
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(new TensorType(input.type().dtype(), Shape.of(sizes)));
    }
}
