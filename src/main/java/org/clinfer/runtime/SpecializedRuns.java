package org.clinfer.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Specializations;
import org.clinfer.run.KeptValues;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Runs of a network that is another one for some inputs: each of its latest {@link Specializations specializations} has runs of its own. */
final class SpecializedRuns extends ChosenRuns {

    /** More are not kept: each has weights on the device. */
    static final int MOST_KEPT = 8;

    /**
     * A specialization and its runs.
     *
     * @param signature the types of all inputs, and the values of those that decide
     */
    private record Kept(Signature signature, Network network, Runs runs) {

        boolean fits(Map<String, Tensor> inputs) {
            boolean isOfTypes = inputs.size() == signature.types().size()
                    && inputs.entrySet().stream()
                            .allMatch(given -> given.getValue()
                                    .type()
                                    .equals(signature.types().get(given.getKey())));
            return isOfTypes
                    && signature.equals(
                            Signature.exact(inputs, signature.values().keySet()));
        }

        void close() {
            runs.close();
            network.close();
        }
    }

    private final Graph graph;
    private final Specializations specializations;
    private final Function<Graph, Network> networks;
    private final BooleanSupplier hasOthers;

    /** The latest last. */
    private final List<Kept> kept = new ArrayList<>();

    private final List<String> earlierRecoveries = new ArrayList<>();

    /**
     * Runs of a network.
     *
     * @param usual those of its graph
     * @param networks makes the network of a specialization
     * @param hasOthers whether the session has another device to go to
     */
    SpecializedRuns(
            Graph graph,
            Specializations specializations,
            Runs usual,
            Function<Graph, Network> networks,
            BooleanSupplier hasOthers,
            RunLock lock) {
        super(usual, lock);
        this.graph = graph;
        this.specializations = specializations;
        this.networks = networks;
        this.hasOthers = hasOthers;
    }

    @Override
    public Map<String, Tensor> run(Map<String, Tensor> inputs, BooleanSupplier stopped, KeptValues values) {
        if (!specializations.isUsual(inputs)) {
            throw new InputException(
                    "the model has sequences or optional values which decide by what a run is given what"
                            + " is computed and which outputs there are; a binding cannot run it so, a session can");
        }
        return super.run(inputs, stopped, values);
    }

    @Override
    Runs chosen(Map<String, Tensor> inputs) {
        return specializations.isUsual(inputs) ? usual() : kept(inputs).runs;
    }

    @Override
    Stream<Runs> others() {
        return kept.stream().map(Kept::runs);
    }

    private Kept kept(Map<String, Tensor> inputs) {
        Optional<Kept> known = kept.stream().filter(each -> each.fits(inputs)).findFirst();
        known.ifPresent(kept::remove);
        Kept latest = known.orElseGet(() -> made(inputs));
        kept.add(latest);
        return latest;
    }

    private Kept made(Map<String, Tensor> inputs) {
        requireFit(inputs);
        Specializations.Specialization made = specializations.of(inputs);
        if (kept.size() == MOST_KEPT) {
            Kept eldest = kept.remove(0);
            earlierRecoveries.addAll(eldest.runs.recoveries());
            eldest.close();
        }
        Network network = networks.apply(made.graph());
        return new Kept(Signature.exact(inputs, made.deciding()), network, network.runs(hasOthers));
    }

    /** Refuses inputs that are missing or not what the model declares; the specializations have the types of sequences. */
    private void requireFit(Map<String, Tensor> inputs) {
        Map<String, TensorType> tensors = new HashMap<>();
        for (Graph.Input input : graph.inputs()) {
            Optional<Specializations.Kind> kind =
                    Optional.ofNullable(specializations.kinds().get(input.name()));
            boolean isSequence = kind.filter(Specializations.Kind::isSequence).isPresent();
            Tensor given = inputs.get(input.name());
            boolean isListed = isSequence && inputs.containsKey(Specializations.value(input.name(), 0));
            if (given != null && !isSequence) {
                tensors.put(input.name(), given.type());
            } else if (given == null
                    && !isListed
                    && kind.filter(Specializations.Kind::isOptional).isEmpty()) {
                throw Signature.missing(input, inputs.keySet());
            }
        }
        Signature.types(graph, tensors);
    }

    @Override
    public List<String> recoveries() {
        List<String> steps = new ArrayList<>(super.recoveries());
        steps.addAll(earlierRecoveries);
        return steps;
    }

    @Override
    public void close() {
        super.close();
        kept.forEach(each -> each.network.close());
        kept.clear();
    }
}
