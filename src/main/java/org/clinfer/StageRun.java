package org.clinfer;

import java.util.List;
import java.util.Map;
import org.clinfer.tensor.Tensor;

/** Runs one stage of a network, by a session or by several. */
interface StageRun extends AutoCloseable {

    /** One request to a session; its outputs are the caller's. */
    @FunctionalInterface
    interface Use {
        Map<String, Tensor> of(Session session, Map<String, Tensor> inputs);
    }

    /**
     * One run.
     *
     * @param given what the stage takes; not changed
     * @return what the stage gives, which is the caller's
     */
    Map<String, Tensor> run(Map<String, Tensor> given, Use use);

    /** The placement of the stage's nodes in the latest run. */
    Placement placement();

    /** The memory of the latest run. */
    MemoryUse memory();

    /** The steps that were taken after failures of the device. */
    List<String> recoveries();

    @Override
    void close();

    /** A stage that is planned as a whole. */
    record Planned(Session session) implements StageRun {

        @Override
        public Map<String, Tensor> run(Map<String, Tensor> given, Use use) {
            return use.of(session, given);
        }

        @Override
        public Placement placement() {
            return session.placement();
        }

        @Override
        public MemoryUse memory() {
            return session.memory();
        }

        @Override
        public List<String> recoveries() {
            return session.recoveries();
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
