package org.clinfer.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.clinfer.run.KeptValues;
import org.clinfer.tensor.Tensor;

/** Runs of a network that is another one for some inputs, with runs of its own. */
abstract class ChosenRuns implements Runs {

    private final Runs usual;
    private final RunLock lock;
    private Runs latest;

    /** @param usual those of the network itself */
    ChosenRuns(Runs usual, RunLock lock) {
        this.usual = usual;
        this.lock = lock;
        this.latest = usual;
    }

    /** The runs for some inputs. */
    abstract Runs chosen(Map<String, Tensor> inputs);

    /** All that {@link #chosen} has given and that are open, but the usual ones. */
    abstract Stream<Runs> others();

    final Runs usual() {
        return usual;
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
        lock.begin();
        try {
            lock.requireOpen();
            latest = chosen(inputs);
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
        others().forEach(runs -> steps.addAll(runs.recoveries()));
        return steps;
    }

    @Override
    public void close() {
        usual.close();
        others().forEach(Runs::close);
    }
}
