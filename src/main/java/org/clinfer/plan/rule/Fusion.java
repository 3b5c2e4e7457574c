package org.clinfer.plan.rule;

import java.util.List;
import java.util.Map;
import org.clinfer.describe.OpCatalog;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.Placer;
import org.clinfer.tensor.Tensor;

/** All rewrites of placed graphs, in the order in which they are tried. */
public final class Fusion {

    private static final List<FusionRule> RULES = List.of(
            new RemoveCopy(),
            new RemoveDuplicate(),
            new DropDenormalWeights(),
            new SimplifyWeightZeroPoints(),
            new FuseQdqConv(),
            new FuseQdqMatMul(),
            new FuseQdqAdd(),
            new FuseScaleIntoIntegers(),
            new MoveQuantizedValues(),
            new JoinReshapes(),
            new JoinTransposes(),
            new CancelTransposes(),
            new FuseNormalization(),
            new BoundToClip(),
            new FuseGelu(),
            new FuseSwish(),
            new FuseHardSwish(),
            new MeanToGlobalAveragePool(),
            new MatMulToConv(),
            new FuseBiasIntoMatMul(),
            new TransposedConvToConv(),
            new FusePadIntoConv(),
            new FusePadIntoPool(),
            new FoldScaleIntoConv(),
            new BatchNormToConv(),
            new FuseActivationIntoConv(),
            new FuseResidualIntoConv(),
            new JoinConvolutions(),
            new StridesIntoMatMul());

    private final OpCatalog catalog;
    private final Placer placer;
    private final FoldedConstants folded;

    /** @param folded the constants that earlier rewrites of the same model made; filled further */
    public Fusion(OpCatalog catalog, Placer placer, FoldedConstants folded) {
        this.catalog = catalog;
        this.placer = placer;
        this.folded = folded;
    }

    /**
     * The graph with as few nodes as the rules make of it.
     *
     * @param ofModel the constants that depend on the model alone, not on the inputs a plan is made for
     */
    public PlacedGraph apply(PlacedGraph placed, Map<String, Tensor> ofModel) {
        return apply(placed, ofModel, RULES);
    }

    PlacedGraph apply(PlacedGraph placed, Map<String, Tensor> ofModel, List<FusionRule> rules) {
        PlacedGraph result = placed;
        Map<String, Tensor> constants = ofModel;
        Rewriting graph = new Rewriting(result, catalog, placer, folded, constants);
        int without = 0; // rules that have followed one another and changed nothing
        for (int next = 0; without < rules.size(); next = (next + 1) % rules.size()) {
            without++;
            FusionRule rule = rules.get(next);
            if (graph.hasAny(rule.needs()) && applied(rule, graph)) {
                result = graph.finished();
                constants = result.ofModel();
                graph = new Rewriting(result, catalog, placer, folded, constants);
                without = 0;
            }
        }
        return result;
    }

    private static boolean applied(FusionRule rule, Rewriting graph) {
        boolean changed = false;
        for (int position = 0; position < graph.size(); position++) {
            if (graph.node(position).isPresent()) {
                changed |= rule.apply(position, graph);
            }
        }
        return changed;
    }
}
