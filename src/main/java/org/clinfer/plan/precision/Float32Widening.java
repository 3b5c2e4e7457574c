package org.clinfer.plan.precision;

import java.util.HashMap;
import java.util.Map;
import org.clinfer.describe.OpCatalog;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.plan.rule.FoldedConstants;
import org.clinfer.tensor.Tensor;

/**
 * Lets a processor compute in float32 what a graph has in float16 or bfloat16, if much of that is products: processors
 * have neither arithmetic nor fast kernels for 16 bits.
 *
 * <pre>
 * y = MatMul(x, w)
 * y = Cast(MatMul(Cast(x to float32), w as float32) to float16)
 * </pre>
 *
 * <p>Values between are not rounded to 16 bits, so results are closer to exact ones than in the types of the network.
 */
public final class Float32Widening {

    /** Products from which on kernels for 16 bits take milliseconds more than those for float32. */
    private static final long MANY_PRODUCTS = 1 << 20;

    private static final String REASON = "in float32, in which a processor is faster than in 16 bits";

    private final PrecisionChange change;

    /** @param folded the constants that earlier plans of the same model made; filled further */
    public Float32Widening(OpCatalog catalog, Placer placer, FoldedConstants folded) {
        this.change = new PrecisionChange(catalog, placer, folded, FloatConversion.WIDENING);
    }

    /**
     * The graph in float32 as far as it can be; as it is where its products in 16 bits are few.
     *
     * @param ofModel the constants that depend on the model alone, not on the inputs a plan is made for
     */
    public PlacedGraph apply(PlacedGraph placed, Map<String, Tensor> ofModel) {
        long products = 0;
        for (PlacedNode node : placed.nodes()) {
            if (change.concerns(node)) {
                products += Math.min(MANY_PRODUCTS, node.node().multiplyAdds().orElse(MANY_PRODUCTS));
            }
        }
        if (products < MANY_PRODUCTS) {
            return placed;
        }
        Map<Integer, String> unchanged = new HashMap<>();
        PlacedGraph wide = change.apply(placed, ofModel, change.constants(placed, ofModel), unchanged);
        Map<String, String> reasons = new HashMap<>();
        for (int i = 0; i < placed.nodes().size(); i++) {
            PlacedNode node = placed.nodes().get(i);
            if (change.concerns(node) && !unchanged.containsKey(i)) {
                reasons.put(node.written().name(), REASON);
            }
        }
        return wide.because(reasons);
    }
}
