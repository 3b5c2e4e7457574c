package org.clinfer.importer.onnx;

import org.clinfer.importer.Params;

/** Pairs of the features of every head, turned by an angle that grows with the position: ONNX's RotaryEmbedding. */
final class RotaryEmbedding {

    private static final int X = 0;
    private static final int COSINES = 1;
    private static final int SINES = 2;
    private static final int POSITIONS = 3;

    private final OnnxNode node;
    private final Steps steps;
    /** Whether the heads' features stand side by side on the last of three axes. */
    private final boolean joined;

    RotaryEmbedding(OnnxNode node, GraphWriter graph) {
        node.requireInputs(3, 4);
        this.node = node;
        this.steps = new Steps(node, graph);
        this.joined = steps.rank(node.input(X)) == 3;
    }

    void translate() {
        long turnedFeatures = node.integer("rotary_embedding_dim", 0);
        String x = heads();
        if (turnedFeatures == 0) {
            steps.last("Reshape", turned(x), steps.shape(node.input(X)));
            return;
        }
        String turned = turned(steps.slice(x, 3, 0, turnedFeatures));
        String rest = steps.slice(x, 3, turnedFeatures, Long.MAX_VALUE);
        String all = steps.add("Concat", new Params().put("axis", 3L), turned, rest);
        steps.last("Reshape", all, steps.shape(node.input(X)));
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

    /** A pair stands side by side, or half of all features apart. */
    private String turned(String x) {
        boolean interleaved = node.flag("interleaved", false);
        long axis = interleaved ? 4 : 3;
        String pairs =
                steps.add("Reshape", x, interleaved ? steps.vector(0, 0, 0, -1, 2) : steps.vector(0, 0, 0, 2, -1));
        Params along = new Params().put("axis", axis);
        String first = steps.add("Gather", along, pairs, steps.whole(0));
        String second = steps.add("Gather", along, pairs, steps.whole(1));
        String cosine = ofPositions(COSINES);
        String sine = ofPositions(SINES);
        String real = steps.add("Sub", steps.add("Mul", cosine, first), steps.add("Mul", sine, second));
        String imaginary = steps.add("Add", steps.add("Mul", sine, first), steps.add("Mul", cosine, second));
        String both = steps.add("Concat", along, steps.unsqueezed(real, axis), steps.unsqueezed(imaginary, axis));
        return steps.add("Reshape", both, steps.shape(x));
    }

    /** Rows of a cache, the same for all heads. */
    private String ofPositions(int cache) {
        String rows = node.hasInput(POSITIONS)
                ? steps.add("Gather", new Params().put("axis", 0L), node.input(cache), node.input(POSITIONS))
                : node.input(cache);
        return steps.unsqueezed(rows, joined ? 2 : 1);
    }
}
