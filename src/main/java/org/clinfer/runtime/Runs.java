package org.clinfer.runtime;

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.clinfer.tensor.Tensor;

/** The runs of a network, one after the other. What they keep from one to the next is freed by {@link #close}. */
public interface Runs extends AutoCloseable {

    /**
     * One run.
     *
     * @param inputs not changed
     * @param stopped whether its result is not wanted any more
     * @return the outputs by name, in the network's order; the caller's
     * @throws IllegalStateException if the session is closed
     */
    Map<String, Tensor> run(Map<String, Tensor> inputs, BooleanSupplier stopped);

    /** The times of a run, part by part. */
    List<PartTimes> profile(Map<String, Tensor> inputs);

    /**
     * The parts of the latest run.
     *
     * @throws IllegalStateException if there was none
     */
    List<RunPart> parts();

    /** True if there is a latest run to ask for. */
    boolean hasRun();

    /** The steps that were taken after failures of the device, oldest first. */
    List<String> recoveries();

    @Override
    void close();
}
