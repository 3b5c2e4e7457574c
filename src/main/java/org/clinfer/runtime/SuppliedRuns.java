package org.clinfer.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.clinfer.run.KeptValues;
import org.clinfer.tensor.Tensor;

/** Runs of a network with defaults: where some of these are among the inputs, a network of its own takes them. */
final class SuppliedRuns implements Runs {

    private final Set<String> defaults;
    private final Runs usual;
    private final Function<Set<String>, Runs> others;
    private final RunLock lock;

    /** By the names of the defaults that are given. */
    private final Map<Set<String>, Runs> supplied = new HashMap<>();

    private Runs latest;

    /**
     * Runs with any of the defaults.
     *
     * @param usual with none of them
     * @param others makes those of the network that takes the defaults of these names as inputs
     */
    SuppliedRuns(Set<String> defaults, Runs usual, Function<Set<String>, Runs> others, RunLock lock) {
        this.defaults = defaults;
        this.usual = usual;
        this.others = others;
        this.lock = lock;
        this.latest = usual;
    }

    @Override
    public Map<String, Tensor> run(Map<String, Tensor> inputs, BooleanSupplier stopped) {
        return with(inputs, runs -> runs.run(inputs, stopped));
    }

    @Override
    public Map<String, Tensor> run(Map<String, Tensor> inputs, BooleanSupplier stopped, KeptValues kept) {
        return with(inputs, runs -> runs.run(inputs, stopped, kept));
    }

    @Override
    public List<PartTimes> profile(Map<String, Tensor> inputs) {
        return with(inputs, runs -> runs.profile(inputs));
    }

    private <T> T with(Map<String, Tensor> inputs, Function<Runs, T> use) {
        Set<String> names = defaults.stream().filter(inputs::containsKey).collect(Collectors.toUnmodifiableSet());
        lock.begin();
        try {
            lock.requireOpen();
            latest = names.isEmpty() ? usual : supplied.computeIfAbsent(names, others);
            return use.apply(latest);
        } finally {
            lock.end();
        }
    }

    @Override
    public List<RunPart> parts() {
        return latest.parts();
    }

    @Override
    public boolean hasRun() {
        return latest.hasRun();
    }

    @Override
    public List<String> recoveries() {
        List<String> steps = new ArrayList<>(usual.recoveries());
        supplied.values().forEach(runs -> steps.addAll(runs.recoveries()));
        return steps;
    }

    @Override
    public void close() {
        usual.close();
        supplied.values().forEach(Runs::close);
    }
}
