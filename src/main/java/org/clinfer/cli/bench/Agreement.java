package org.clinfer.cli.bench;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.clinfer.tensor.Tensor;

/**
 * The distance of outputs from those of another program. Times of two programs say nothing if they do not compute the same; but a
 * network that rounds values while it runs, to codes of 8 bits or to 16-bit floats, multiplies the rounding errors of any
 * two ways to compute it. So beyond 1e-3 the other program is compared with itself, without its optimisations.
 *
 * @param difference of an output element, as a share of the range of the other program's output
 * @param ofPeer the difference of the other program with and without its optimisations; empty where nobody needed to ask
 */
public record Agreement(double difference, Optional<Double> ofPeer) {

    private static final double LARGEST = 1e-3;

    /** Two programs are each as far from exact results as two ways of one program are from each other. */
    private static final double TIMES_OF_PEER = 4;

    static Agreement of(
            OnnxRuntime peer,
            Path model,
            Map<String, Tensor> inputs,
            Map<String, Tensor> expected,
            Map<String, Tensor> actual) {
        double difference = Difference.of(expected, actual);
        if (difference <= LARGEST) {
            return new Agreement(difference, Optional.empty());
        }
        try (Contender plain = peer.loadPlain(model, inputs)) {
            return new Agreement(difference, Optional.of(Difference.of(expected, plain.outputs())));
        }
    }

    /** {@return whether the two programs compute the same} */
    public boolean isGiven() {
        return difference <= allowed();
    }

    private double allowed() {
        return Math.max(LARGEST, TIMES_OF_PEER * ofPeer.filter(Double::isFinite).orElse(0.0));
    }

    /** The difference in a sentence for people. */
    public String sentence() {
        return String.format(
                        Locale.ROOT,
                        "the outputs differ from the peer's by %.2g of their range; allowed %.0e",
                        difference,
                        allowed())
                + ofPeer.map(own -> String.format(
                                Locale.ROOT, " (the peer differs by %.2g from itself without optimisations)", own))
                        .orElse("");
    }
}
