package org.clinfer.importer.tensorflow;

import java.util.Optional;
import java.util.Set;

/**
 * The nodes that training leaves in a graph: dropout that is written out as {@code x / keep * floor(keep + random)}, as
 * {@code x * scale * cast(random >= rate)} or as {@code select(random >= rate, x * scale, 0)}. At inference it is x.
 */
final class Leftovers {

    private static final Set<String> COMPARISONS = Set.of("Greater", "GreaterEqual", "Less", "LessEqual");
    private static final Set<String> ARITHMETIC = Set.of("Add", "AddV2", "Sub", "Mul", "RealDiv");
    private static final int MOST_STEPS = 8;

    private final TfNetwork network;

    Leftovers(TfNetwork network) {
        this.network = network;
    }

    /** The value that a node drops elements of, if that is what it does. */
    Optional<Ref> dropped(TfNode node) {
        if (node.op().equals("Mul") && node.inputs().size() == 2) {
            Ref left = node.inputs().get(0);
            Ref right = node.inputs().get(1);
            if (isMask(right)) {
                return Optional.of(unscaled(left));
            }
            return isMask(left) ? Optional.of(unscaled(right)) : Optional.empty();
        }
        boolean select = node.op().equals("Select") || node.op().equals("SelectV2");
        if (select
                && node.inputs().size() == 3
                && isComparison(network.origin(node.inputs().get(0)))) {
            return Optional.of(unscaled(node.inputs().get(1)));
        }
        return Optional.empty();
    }

    private boolean isMask(Ref ref) {
        TfNode node = network.origin(ref);
        if (node.op().equals("Floor") && node.inputs().size() == 1) {
            return isRandom(node.inputs().get(0), MOST_STEPS);
        }
        return node.op().equals("Cast")
                && node.inputs().size() == 1
                && isComparison(network.origin(node.inputs().get(0)));
    }

    private boolean isComparison(TfNode node) {
        return COMPARISONS.contains(node.op()) && node.inputs().stream().anyMatch(input -> isRandom(input, MOST_STEPS));
    }

    private boolean isRandom(Ref ref, int steps) {
        TfNode node = network.origin(ref);
        if (node.op().equals("RandomUniform") || node.op().equals("StatelessRandomUniformV2")) {
            return true;
        }
        return steps > 0
                && ARITHMETIC.contains(node.op())
                && node.inputs().stream().anyMatch(input -> isRandom(input, steps - 1));
    }

    /** The value that is scaled so that the mean stays the same. */
    private Ref unscaled(Ref ref) {
        TfNode node = network.origin(ref);
        if (node.inputs().size() == 2 && node.op().equals("RealDiv")) {
            return node.inputs().get(0);
        }
        if (node.inputs().size() == 2 && node.op().equals("Mul")) {
            boolean leftIsScale = isNumber(network.origin(node.inputs().get(0)));
            boolean rightIsScale = isNumber(network.origin(node.inputs().get(1)));
            if (leftIsScale != rightIsScale) {
                return node.inputs().get(leftIsScale ? 1 : 0);
            }
        }
        return ref;
    }

    /** A scalar that is known, or that is 1 divided by one. */
    private boolean isNumber(TfNode node) {
        if (node.op().equals("RealDiv")) {
            return node.inputs().stream()
                    .allMatch(input -> network.origin(input).inputs().isEmpty());
        }
        return node.op().equals("Const")
                && node.tensor("value").getTensorShape().getDimCount() == 0;
    }
}
