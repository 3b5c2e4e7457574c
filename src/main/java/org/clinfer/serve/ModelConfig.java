package org.clinfer.serve;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import org.clinfer.DeviceChoice;

/**
 * The fields of a model's {@code config.pbtxt}; those it leaves out are as the server's options say.
 *
 * @param maxBatch rows of joined requests, at least 1
 * @param maxDelay the time that a request waits for others
 * @param instances runs in flight, at least 1
 * @param device where it runs
 * @param queue requests that may wait, at least 1
 * @param timeout the time that a request may take
 * @param versions which versions are loaded
 * @param fileName name of the model file in each version's folder
 * @param sizes shapes of inputs for the warm-up, by name, -1 where they stay open; without the dimension of the batch where
 *     maxBatch is more than 1
 * @param unknown sentences about fields that were not understood
 */
record ModelConfig(
        OptionalInt maxBatch,
        Optional<Duration> maxDelay,
        OptionalInt instances,
        Optional<DeviceChoice> device,
        OptionalInt queue,
        Optional<Duration> timeout,
        VersionPolicy versions,
        Optional<String> fileName,
        Map<String, List<Long>> sizes,
        List<String> unknown) {

    /** The configuration of a model without such a file: the newest version, with the server's options. */
    static final ModelConfig NONE = new ModelConfig(
            OptionalInt.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            new VersionPolicy.Latest(1),
            Optional.empty(),
            Map.of(),
            List.of());

    /** Which of the versions in a repository are loaded. */
    sealed interface VersionPolicy {

        /** The newest ones. */
        record Latest(int count) implements VersionPolicy {}

        /** All there are. */
        record All() implements VersionPolicy {}

        /** Those named, as far as they are there. */
        record Specific(List<Long> versions) implements VersionPolicy {}

        /** The versions to load, of those there are. */
        default SortedSet<Long> chosen(SortedSet<Long> present) {
            if (this instanceof Specific specific) {
                TreeSet<Long> chosen = new TreeSet<>(present);
                chosen.retainAll(specific.versions());
                return chosen;
            }
            int skipped = this instanceof Latest latest ? Math.max(0, present.size() - latest.count()) : 0;
            return new TreeSet<>(present.stream().skip(skipped).toList());
        }
    }
}
