package org.clinfer.cli.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.MemoryUse;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.RunProfile;
import org.clinfer.Session;
import org.clinfer.tensor.Tensor;

/** A session of Clinfer. */
public final class SessionContender implements Contender {

    private final Session session;
    private final Map<String, Tensor> inputs;

    /** @param inputs what every run gets; they stay the caller's */
    public SessionContender(Model model, Map<String, Tensor> inputs) {
        this.session = model.session();
        this.inputs = Map.copyOf(inputs);
    }

    @Override
    public void run() {
        session.run(inputs).close();
    }

    @Override
    public Map<String, Tensor> outputs() {
        Result result = session.run(inputs);
        return new LinkedHashMap<>(result.outputs());
    }

    /** The memory that the latest run took. */
    MemoryUse memory() {
        return session.memory();
    }

    /** One run with the time of each node. */
    RunProfile profile() {
        return session.profile(inputs);
    }

    @Override
    public void close() {
        session.close();
    }
}
