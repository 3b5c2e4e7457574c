package org.clinfer.cli.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.SessionPool;
import org.clinfer.tensor.Tensor;

/** A pool of Clinfer, asked from any thread. */
final class PoolContender implements Contender {

    private final SessionPool pool;
    private final Map<String, Tensor> inputs;

    /** @param inputs what every request has; they stay the caller's, as the pool does */
    PoolContender(SessionPool pool, Map<String, Tensor> inputs) {
        this.pool = pool;
        this.inputs = Map.copyOf(inputs);
    }

    @Override
    public void run() {
        pool.run(inputs).close();
    }

    @Override
    public Map<String, Tensor> outputs() {
        return new LinkedHashMap<>(pool.run(inputs).outputs());
    }

    @Override
    public void close() {}
}
