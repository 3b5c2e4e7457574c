package org.clinfer.plan.precision;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.plan.rule.FoldedConstants;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Lets a graph compute in float16 what it has in float32: inputs are converted before their first use, constants on the
 * host, and what the graph gives at the end.
 *
 * <pre>
 * y = Softmax(MatMul(x, w))
 * y = Cast(Softmax(MatMul(Cast(x to float16), w as float16)) to float32)
 * </pre>
 *
 * <p>Nodes without a form in float16, and those to which its digits are too few ({@link FullPrecision}), stay in float32
 * with conversions around them. Nodes that only move elements go with what is around them. A graph that computes in 16-bit
 * floats itself says where it needs more, and is left as it is.
 */
public final class Float16Lowering {

    private static final String OWN = "the network says itself what it computes in 16 bits";

    private final OpCatalog catalog;
    private final Placer placer;
    private final FoldedConstants folded;

    /** @param folded the constants that earlier plans of the same model made; filled further */
    public Float16Lowering(OpCatalog catalog, Placer placer, FoldedConstants folded) {
        this.catalog = catalog;
        this.placer = placer;
        this.folded = folded;
    }

    /**
     * A graph in another precision.
     *
     * @param reasons why nodes with float32 are not in float16, by their names in the network
     */
    public record Lowered(PlacedGraph graph, Map<String, String> reasons) {
        public Lowered {
            reasons = Map.copyOf(reasons);
        }
    }

    /**
     * The graph in float16 as far as it can be.
     *
     * @param ofModel the constants that depend on the model alone, not on the inputs a plan is made for
     */
    public Lowered apply(PlacedGraph placed, Map<String, Tensor> ofModel) {
        PrecisionChange change = new PrecisionChange(catalog, placer, folded, FloatConversion.NARROWING);
        ConvertedConstants constants = change.constants(placed, ofModel);
        Map<Integer, String> full = new HashMap<>();
        if (hasOwnHalves(placed)) {
            for (int i = 0; i < placed.nodes().size(); i++) {
                full.put(i, OWN);
            }
        } else {
            full.putAll(FullPrecision.of(placed, constants));
        }
        PlacedGraph lowered = change.apply(placed, ofModel, constants, full);
        Map<String, String> reasons = new HashMap<>();
        full.forEach((position, reason) -> {
            PlacedNode node = placed.nodes().get(position);
            if (change.concerns(node)) {
                reasons.put(node.written().name(), "in float32: " + reason);
            }
        });
        return new Lowered(lowered, reasons);
    }

    /** {@return whether a node beside conversions has a 16-bit float} */
    private static boolean hasOwnHalves(PlacedGraph graph) {
        return graph.nodes().stream()
                .filter(node -> !FullPrecision.isCast(node))
                .flatMap(node -> Stream.concat(node.inputTypes().stream(), node.outputTypes().stream()))
                .anyMatch(type -> type != null && (type.dtype() == DType.FLOAT16 || type.dtype() == DType.BFLOAT16));
    }
}
