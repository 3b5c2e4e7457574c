package org.clinfer.runtime;

import java.util.List;
import java.util.Map;
import org.clinfer.tensor.Tensor;

/** Runs one stage of a network, planned as a whole or by the graphs of a node. */
interface StageRun extends AutoCloseable {

    /** One request to run a network; its outputs are the caller's. */
    @FunctionalInterface
    interface Use {
        Map<String, Tensor> of(Runs runs, Map<String, Tensor> inputs);
    }

    /**
     * One run.
     *
     * @param given what the stage takes; not changed
     * @return what the stage gives, which is the caller's
     */
    Map<String, Tensor> run(Map<String, Tensor> given, Use use);

    /** The parts of the stage in the latest run. */
    List<RunPart> parts();

    /** The steps that were taken after failures of the device. */
    List<String> recoveries();

    @Override
    void close();

    /** A stage that is planned as a whole. */
    record Planned(Runs runs) implements StageRun {

        @Override
        public Map<String, Tensor> run(Map<String, Tensor> given, Use use) {
            return use.of(runs, given);
        }

        @Override
        public List<RunPart> parts() {
            return runs.parts();
        }

        @Override
        public List<String> recoveries() {
            return runs.recoveries();
        }

        @Override
        public void close() {
            runs.close();
        }
    }
}
