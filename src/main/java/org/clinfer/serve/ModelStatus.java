package org.clinfer.serve;

/**
 * A version of a model in the repository.
 *
 * @param name the model's name
 * @param version the version
 * @param state its state
 * @param reason why it is not ready, in one sentence; empty where it is
 */
public record ModelStatus(String name, String version, State state, String reason) {

    /** States of a version, as the repository extension names them. */
    public enum State {
        UNKNOWN,
        READY,
        UNAVAILABLE,
        LOADING,
        UNLOADING
    }
}
