package org.clinfer.runtime;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.tensor.Tensor;

/** Runs of a network with defaults: where some of these are among the inputs, a network of its own takes them. */
final class SuppliedRuns extends ChosenRuns {

    private final Set<String> defaults;
    private final Function<Set<String>, Runs> others;

    /** By the names of the defaults that are given. */
    private final Map<Set<String>, Runs> supplied = new HashMap<>();

    /**
     * Runs with any of the defaults.
     *
     * @param usual with none of them
     * @param others makes those of the network that takes the defaults of these names as inputs
     */
    SuppliedRuns(Set<String> defaults, Runs usual, Function<Set<String>, Runs> others, RunLock lock) {
        super(usual, lock);
        this.defaults = defaults;
        this.others = others;
    }

    @Override
    Runs chosen(Map<String, Tensor> inputs) {
        Set<String> names = defaults.stream().filter(inputs::containsKey).collect(Collectors.toUnmodifiableSet());
        return names.isEmpty() ? usual() : supplied.computeIfAbsent(names, others);
    }

    @Override
    Stream<Runs> others() {
        return supplied.values().stream();
    }
}
