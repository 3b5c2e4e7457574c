package org.clinfer.serve;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.tensor.Tensor;

/**
 * A request for inference, in either protocol.
 *
 * @param model the model's name
 * @param version its version; empty: the newest that is loaded
 * @param id the client's own name of the request, which the response repeats
 * @param inputs tensors by the names of inputs; the service closes them
 * @param outputs names of the outputs that the client asks for; empty: all
 * @param timeout the time after which the answer is of no use to the client
 */
public record InferenceRequest(
        String model,
        Optional<String> version,
        Optional<String> id,
        Map<String, Tensor> inputs,
        Set<String> outputs,
        Optional<Duration> timeout) {}
