package org.clinfer.cli.bench;

import java.util.Map;
import org.clinfer.tensor.Tensor;

/** Something that runs one network on the same inputs again and again. */
public interface Contender extends AutoCloseable {

    /** One run; its outputs are computed, reach the host and are given back. */
    void run();

    /** One run whose outputs, by name, are the caller's. */
    Map<String, Tensor> outputs();

    @Override
    void close();
}
