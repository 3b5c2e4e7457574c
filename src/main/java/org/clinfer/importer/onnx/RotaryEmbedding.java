package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Optional;
import org.clinfer.importer.Params;

/** Pairs of the features of every head, turned by an angle that grows with the position. */
final class RotaryEmbedding {

    private static final int X = 0;

    private final OnnxNode node;
    private final Steps steps;
    /** True if the heads' features stand side by side on the last of three axes. */
    private final boolean joined;

    private RotaryEmbedding(OnnxNode node, OnnxGraphWriter graph) {
        this.node = node;
        this.steps = new Steps(node, graph);
        this.joined = steps.rank(node.input(X)) == 3;
    }

    /** ONNX's own, which needs no positions: the caches then have a row for each. */
    static void standard(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 4);
        RotaryEmbedding embedding = new RotaryEmbedding(node, graph);
        Optional<String> positions = node.hasInput(3) ? Optional.of(node.input(3)) : Optional.empty();
        embedding.translate(embedding.heads(), positions, node.input(1), node.input(2));
    }

    /** ONNX Runtime's, where a single position is that of the first row. */
    static void ofRuntime(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(4, 4);
        if (node.flag("is_packed_batching", false)) {
            throw node.unsupportedUse("is_packed_batching");
        }
        if (node.real("scale", 1) != 1) {
            throw node.unsupportedUse("scale " + node.real("scale", 1));
        }
        RotaryEmbedding embedding = new RotaryEmbedding(node, graph);
        Steps steps = embedding.steps;
        String positions = node.input(1);
        if (steps.rank(positions) < 2) {
            String rows = steps.range(steps.size(node.input(X), embedding.joined ? 1 : 2), 0);
            positions = steps.unsqueezed(steps.add("Add", rows, positions), 0);
        }
        embedding.translate(embedding.headsAsWideAsRows(), Optional.of(positions), node.input(2), node.input(3));
    }

    private void translate(String x, Optional<String> positions, String cosines, String sines) {
        long turnedFeatures = node.integer("rotary_embedding_dim", 0);
        Rotation rotation = new Rotation(
                steps, node.flag("interleaved", false), ofPositions(positions, cosines), ofPositions(positions, sines));
        String turned =
                turnedFeatures == 0 ? rotation.turned(x) : rotation.turnedFirst(x, steps.vector(turnedFeatures));
        steps.last("Reshape", turned, steps.shape(node.input(X)));
    }

    /** Four axes, the last that of a head's features. */
    private String heads() {
        long heads = node.integer("num_heads", 0);
        if (!joined) {
            return node.input(X);
        }
        if (heads < 1) {
            throw node.malformed("an input of three axes needs num_heads of at least 1, but it is " + heads);
        }
        return steps.add("Reshape", node.input(X), steps.vector(0, 0, heads, -1));
    }

    /** Four axes; where the number of heads is left out, each has two features for each angle. */
    private String headsAsWideAsRows() {
        if (!joined || node.integer("num_heads", 0) > 0) {
            return heads();
        }
        String features = steps.add("Mul", steps.sizes(node.input(2), 1), steps.vector(2));
        String sizes = steps.concat(List.of(steps.vector(0, 0, -1), features));
        return steps.add("Reshape", node.input(X), sizes);
    }

    /** Rows of a cache, the same for all heads. */
    private String ofPositions(Optional<String> positions, String cache) {
        String rows = positions
                .map(chosen -> steps.add("Gather", new Params().put("axis", 0L), cache, chosen))
                .orElse(cache);
        return steps.unsqueezed(rows, joined ? 2 : 1);
    }
}
