package org.clinfer.spark;

import java.io.Serializable;
import java.util.List;

/**
 * A model, and which of its values are wanted.
 *
 * @param digest of its files
 * @param values outputs, or values between nodes, each once
 */
record NetworkChoice(String digest, List<String> values) implements Serializable {

    NetworkChoice {
        values = List.copyOf(values);
    }
}
