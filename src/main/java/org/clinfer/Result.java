package org.clinfer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.tensor.Tensor;

/**
 * The outputs of one run; they belong to the caller, who closes them (or this). Each has the shape that follows from the
 * shapes of the run's inputs, its axes in the order of the model and its last axis innermost, whatever layout the run used.
 */
public final class Result implements AutoCloseable {

    private final Map<String, Tensor> outputs;

    Result(Map<String, Tensor> outputs) {
        this.outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
    }

    /** {@return all outputs by name, in the model's order} */
    public Map<String, Tensor> outputs() {
        return outputs;
    }

    /**
     * {@return the output of this name}
     *
     * @param name of an output
     * @throws IllegalArgumentException if the model has no such output
     */
    public Tensor get(String name) {
        Tensor tensor = outputs.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException("no output '" + name + "'; there are " + outputs.keySet());
        }
        return tensor;
    }

    /**
     * {@return the output at this place}
     *
     * @param place from 0, in the model's order
     * @throws IllegalArgumentException if the model has not so many outputs
     */
    public Tensor get(int place) {
        if (place < 0 || place >= outputs.size()) {
            throw new IllegalArgumentException("no output at place " + place + "; there are " + outputs.size());
        }
        return List.copyOf(outputs.values()).get(place);
    }

    /** Closes all outputs; more calls do nothing. */
    @Override
    public void close() {
        outputs.values().forEach(Tensor::close);
    }
}
