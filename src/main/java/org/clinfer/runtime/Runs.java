package org.clinfer.runtime;

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.clinfer.run.KeptValues;
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

    /**
     * The same where values stay on the device from one run to the next. Runs that do not know how to do so pass them
     * through the host, and give all outputs.
     *
     * @param kept what is on the device, and what stays there; the outputs that do are tensors of it
     */
    default Map<String, Tensor> run(Map<String, Tensor> inputs, BooleanSupplier stopped, KeptValues kept) {
        return run(inputs, stopped);
    }

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
