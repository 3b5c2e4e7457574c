package org.clinfer.generate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.tensor.DType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A network, what the vendor's tool is published to have made of it, and what a check says of it: an entry of {@code
 * test-data/outcomes/FAMILY.json}.
 *
 * @param network the name of a {@code PublishedNetwork} or {@code BenchmarkNetwork}
 * @param profile the device
 * @param float32As the type that the network is quantized or converted to; empty: none
 * @param statement the published outcome in words
 * @param hostNodes nodes of the network that run on the host, as published
 * @param source the document
 * @param ours what a check says
 * @param difference the reason why both differ; empty where they do not
 */
record PublishedOutcome(
        String network,
        String profile,
        Optional<DType> float32As,
        String statement,
        int hostNodes,
        String source,
        Counts ours,
        Optional<String> difference) {

    static final Path FOLDER = Path.of("test-data/outcomes");

    /** The name of the file that says where outcomes of families without any were looked for. */
    static final String NONE = "none";

    /**
     * The numbers of a check.
     *
     * @param nodes what is left of the network after the family's converter
     * @param onDevice those of them that run on the device
     * @param unknown those of which it is not known
     * @param partitions starts of the device
     */
    record Counts(long nodes, long onDevice, long unknown, int partitions) {

        long onHost() {
            return nodes - onDevice - unknown;
        }
    }

    /** Whether the published outcome and a check agree. */
    boolean agrees() {
        return ours.unknown == 0 && ours.onHost() == hostNodes;
    }

    /** The outcomes of a family; none where nothing is published, as far as is known. */
    static List<PublishedOutcome> of(String family) {
        Path file = FOLDER.resolve(family + ".json");
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            JsonNode entries = new JsonMapper().readTree(Files.readString(file));
            List<PublishedOutcome> outcomes = new ArrayList<>();
            entries.forEach(entry -> outcomes.add(read(entry)));
            return outcomes;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Where an outcome of a family was looked for that nobody has published; empty where there is one. */
    static Optional<String> searched(String family) {
        try {
            return text(new JsonMapper().readTree(Files.readString(FOLDER.resolve(NONE + ".json"))), family);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static PublishedOutcome read(JsonNode entry) {
        JsonNode ours = entry.required("ours");
        return new PublishedOutcome(
                entry.required("network").asString(),
                entry.required("profile").asString(),
                text(entry, "float32_as").map(label -> DType.of(label).orElseThrow()),
                entry.required("statement").asString(),
                entry.required("host_nodes").asInt(),
                entry.required("source").asString(),
                new Counts(
                        ours.required("nodes").asLong(),
                        ours.required("on_device").asLong(),
                        ours.required("unknown").asLong(),
                        ours.required("partitions").asInt()),
                text(entry, "difference"));
    }

    private static Optional<String> text(JsonNode entry, String key) {
        return entry.has(key) ? Optional.of(entry.get(key).asString()) : Optional.empty();
    }
}
