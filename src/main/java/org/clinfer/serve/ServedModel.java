package org.clinfer.serve;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** A model of the repository by name: the versions of it that are loaded, or why there are none. Thread-safe. */
final class ServedModel {

    private static final NavigableMap<Long, LoadedVersion> NONE = new TreeMap<>();

    private final String name;
    private final ReentrantLock changes = new ReentrantLock();
    private volatile boolean required;
    private volatile State state = new State(NONE, ModelStatus.State.LOADING, "it was not loaded yet");

    /**
     * The versions at one time.
     *
     * @param versions those that requests find, by number
     * @param now of the model as a whole
     * @param reason why there is no version, or why the latest load did not take the place of what there is; may be empty
     */
    record State(NavigableMap<Long, LoadedVersion> versions, ModelStatus.State now, String reason) {}

    ServedModel(String name) {
        this.name = name;
    }

    /** Held while it is loaded or unloaded. */
    ReentrantLock changes() {
        return changes;
    }

    State state() {
        return state;
    }

    /** Says what goes on; requests find the versions as before. */
    void says(ModelStatus.State now, String reason) {
        state = new State(state.versions(), now, reason);
    }

    /** Lets requests find other versions from now on. */
    void replace(NavigableMap<Long, LoadedVersion> versions, ModelStatus.State now, String reason) {
        state = new State(versions, now, reason);
    }

    Collection<LoadedVersion> loaded() {
        return state.versions().values();
    }

    /** Says whether the server is only ready with it. */
    void require(boolean isRequired) {
        required = isRequired;
    }

    /** {@return true if the server waits for it} */
    boolean isMissing() {
        return required && state.versions().isEmpty();
    }

    /** The version, or the newest one. */
    Optional<LoadedVersion> find(Optional<String> version) {
        NavigableMap<Long, LoadedVersion> versions = state.versions();
        if (version.isEmpty()) {
            return Optional.ofNullable(versions.lastEntry()).map(Map.Entry::getValue);
        }
        return versions.values().stream()
                .filter(each -> each.version().equals(version.get()))
                .findFirst();
    }

    /** Its entries in the index: one for each version, or one without. */
    List<ModelStatus> index() {
        State current = state;
        if (current.versions().isEmpty()) {
            return List.of(new ModelStatus(name, "", current.now(), current.reason()));
        }
        return current.versions().values().stream()
                .map(version -> new ModelStatus(name, version.version(), ModelStatus.State.READY, current.reason()))
                .toList();
    }
}
