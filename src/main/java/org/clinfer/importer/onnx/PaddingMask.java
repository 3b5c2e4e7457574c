package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Optional;
import org.clinfer.tensor.DType;

/**
 * ONNX Runtime's masks of int32, which say what is padding: a truth for each key, or where a batch's keys end. What they
 * hide gets a large negative number added, not -infinity, so that queries whose keys are all hidden see all of them.
 */
final class PaddingMask {

    /** The number that is added where a node does not say. */
    static final float FILTER = -10000;

    private final OnnxNode node;
    private final Steps steps;
    private final DType dtype;
    private final double filter;

    PaddingMask(OnnxNode node, Steps steps, DType dtype, double filter) {
        this.node = node;
        this.steps = steps;
        this.dtype = dtype;
        this.filter = filter;
    }

    /**
     * The numbers to add to scores with the axes batch, head, query, key.
     *
     * @param input the number of the mask among the inputs
     * @param keys four axes, the first that of batches, the third that of keys
     */
    String numbers(int input, String keys) {
        String mask = node.input(input);
        return switch (steps.rank(mask)) {
            case 1 -> ends(mask, keys);
            case 2 -> ofTruths(mask, steps.concat(List.of(steps.vector(-1, 1, 1), steps.sizes(mask, 1))));
            case 3 -> ofTruths(mask, steps.concat(List.of(steps.vector(-1, 1), steps.sizes(mask, 1, 2))));
            default -> throw node.unsupportedUse("a mask of " + steps.rank(mask) + " axes");
        };
    }

    private String ofTruths(String mask, String sizes) {
        String shaped = steps.add("Reshape", mask, sizes);
        String shown = steps.add("Greater", shaped, steps.scalar(steps.dtype(mask), 0));
        return steps.add("Where", shown, steps.scalar(dtype, 0), steps.scalar(dtype, filter));
    }

    /** One position for each batch, behind its last key; or these, and behind them the positions of the first keys. */
    private String ends(String mask, String keys) {
        Optional<Long> entries = steps.knownSize(mask, 0);
        Optional<Long> batches = steps.knownSize(node.input(0), 0);
        boolean known = entries.isPresent() && batches.isPresent();
        boolean withStarts = known && entries.get() == 2 * batches.get();
        if (known && !withStarts && !entries.equals(batches)) {
            throw node.unsupportedUse("a mask of " + entries.get() + " places for " + batches.get() + " batches");
        }
        String one = steps.vector(1, 1, 1);
        String sizes = steps.concat(List.of(steps.sizes(keys, 0), one));
        String wide = steps.cast(mask, DType.INT64);
        String positions = steps.range(steps.size(keys, 2), 0);
        if (!withStarts) {
            String shown = steps.add("Less", positions, steps.add("Reshape", wide, sizes));
            return steps.add("Where", shown, steps.scalar(dtype, 0), steps.scalar(dtype, filter));
        }
        long count = batches.get();
        String end = steps.add("Reshape", steps.slice(wide, 0, 0, count), sizes);
        String start = steps.add("Reshape", steps.slice(wide, 0, count, 2 * count), sizes);
        String shown =
                steps.add("And", steps.add("Less", positions, end), steps.add("GreaterOrEqual", positions, start));
        return steps.add("Where", shown, steps.scalar(dtype, 0), steps.scalar(dtype, filter));
    }
}
