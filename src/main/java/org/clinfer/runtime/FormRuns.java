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
import org.clinfer.graph.Forms;
import org.clinfer.graph.Graph;
import org.clinfer.run.KeptValues;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Runs of a network that is another one for some inputs: each of its latest {@link Forms.Form forms} has runs of its own. */
final class FormRuns extends ChosenRuns {

    /** More forms are not kept: each has weights on the device. */
    static final int MOST_KEPT = 8;

    /**
     * A form and its runs.
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
    private final Forms forms;
    private final Function<Graph, Network> networks;
    private final BooleanSupplier hasOthers;

    /** The latest last. */
    private final List<Kept> kept = new ArrayList<>();

    private final List<String> earlierRecoveries = new ArrayList<>();

    /**
     * Runs of a network.
     *
     * @param usual those of its graph
     * @param networks makes the network of a form
     * @param hasOthers whether the session has another device to go to
     */
    FormRuns(
            Graph graph,
            Forms forms,
            Runs usual,
            Function<Graph, Network> networks,
            BooleanSupplier hasOthers,
            RunLock lock) {
        super(usual, lock);
        this.graph = graph;
        this.forms = forms;
        this.networks = networks;
        this.hasOthers = hasOthers;
    }

    @Override
    public Map<String, Tensor> run(Map<String, Tensor> inputs, BooleanSupplier stopped, KeptValues values) {
        if (!forms.isUsual(inputs)) {
            throw new InputException(
                    "the model has sequences or optional values which decide by what a run is given what"
                            + " is computed and which outputs there are; a binding cannot run it so, a session can");
        }
        return super.run(inputs, stopped, values);
    }

    @Override
    Runs chosen(Map<String, Tensor> inputs) {
        return forms.isUsual(inputs) ? usual() : form(inputs).runs;
    }

    @Override
    Stream<Runs> others() {
        return kept.stream().map(Kept::runs);
    }

    private Kept form(Map<String, Tensor> inputs) {
        Optional<Kept> known = kept.stream().filter(form -> form.fits(inputs)).findFirst();
        known.ifPresent(kept::remove);
        Kept form = known.orElseGet(() -> made(inputs));
        kept.add(form);
        return form;
    }

    private Kept made(Map<String, Tensor> inputs) {
        requireFit(inputs);
        Forms.Form form = forms.of(inputs);
        if (kept.size() == MOST_KEPT) {
            Kept eldest = kept.remove(0);
            earlierRecoveries.addAll(eldest.runs.recoveries());
            eldest.close();
        }
        Network network = networks.apply(form.graph());
        return new Kept(Signature.exact(inputs, form.deciding()), network, network.runs(hasOthers));
    }

    /** Refuses inputs that are missing or not what the model declares; the forms have the types of sequences. */
    private void requireFit(Map<String, Tensor> inputs) {
        Map<String, TensorType> tensors = new HashMap<>();
        for (Graph.Input input : graph.inputs()) {
            Optional<Forms.Kind> kind = Optional.ofNullable(forms.kinds().get(input.name()));
            boolean isSequence = kind.filter(Forms.Kind::isSequence).isPresent();
            Tensor given = inputs.get(input.name());
            boolean isListed = isSequence && inputs.containsKey(Forms.value(input.name(), 0));
            if (given != null && !isSequence) {
                tensors.put(input.name(), given.type());
            } else if (given == null
                    && !isListed
                    && kind.filter(Forms.Kind::isOptional).isEmpty()) {
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
        kept.forEach(form -> form.network.close());
        kept.clear();
    }
}
