package org.clinfer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.tensor.Tensor;

/** The outputs of one run, in the model's order; they belong to the caller, who closes them (or this). */
public final class Result implements AutoCloseable {

    private final Map<String, Tensor> outputs;

    Result(Map<String, Tensor> outputs) {
        this.outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
    }

    public Map<String, Tensor> outputs() {
        return outputs;
    }

    /**
     * The output of this name.
     *
     * @throws IllegalArgumentException if the model has no such output
     */
    public Tensor get(String name) {
        Tensor tensor = outputs.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException("no output '" + name + "'; there are " + outputs.keySet());
        }
        return tensor;
    }

    @Override
    public void close() {
        outputs.values().forEach(Tensor::close);
    }
}
