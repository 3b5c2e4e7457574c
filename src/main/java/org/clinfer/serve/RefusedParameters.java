package org.clinfer.serve;

import java.util.Map;
import java.util.Optional;

/** Parameters of requests, inputs and outputs with which a result would be another than the server gives. */
public final class RefusedParameters {

    private static final Map<String, String> REFUSED = Map.of(
            "sequence_id", "sequences",
            "sequence_start", "sequences",
            "sequence_end", "sequences",
            "shared_memory_region", "shared memory",
            "shared_memory_offset", "shared memory",
            "shared_memory_byte_size", "shared memory",
            "classification", "classification of outputs");

    private RefusedParameters() {}

    /** The rest of the sentence about what has the parameter, if it is refused. */
    public static Optional<String> refusal(String parameter) {
        return Optional.ofNullable(REFUSED.get(parameter))
                .map(what -> "has the parameter '" + parameter + "', but the server has no " + what);
    }
}
