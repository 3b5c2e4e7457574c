package org.clinfer.fix;

import java.util.List;
import java.util.Optional;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * Writes a normalization of each channel by its own mean and variance as means over the picture and arithmetic.
 *
 * <pre>
 * y = InstanceNorm(x, scale, bias)
 * d = Sub(x, AvgPool(x) {is_global: true})
 * y = Add(Mul(Div(d, Sqrt(Add(AvgPool(Mul(d, d)) {is_global: true}, epsilon))), scale), bias)
 * </pre>
 */
final class NormalizationAsSteps implements Rewrite {

    private static final int PICTURES = 4;

    @Override
    public List<Replacement> of(Site site) {
        if (!site.isOp("InstanceNorm") || site.sizes(site.x()).length != PICTURES) {
            return List.of();
        }
        Optional<Tensor> scale = site.constant(1);
        Optional<Tensor> bias = site.constant(2);
        if (scale.isEmpty() || bias.isEmpty()) {
            return List.of();
        }
        double epsilon = site.node().binding().real("epsilon");
        return site.by("as means over the picture and arithmetic", draft -> {
            Edge x = draft.x();
            Edge off = draft.ops().sub(x, mean(draft, x));
            Edge variance = mean(draft, draft.ops().mul(off, off));
            Edge deviation = draft.ops().sqrt(draft.ops().add(variance, draft.number(epsilon)));
            Edge normal = draft.ops().div(off, deviation);
            return draft.ops()
                    .add(
                            draft.ops().mul(normal, perChannel(site, draft, scale.get())),
                            perChannel(site, draft, bias.get()));
        });
    }

    private static Edge mean(Draft draft, Edge x) {
        return draft.ops().avgPool(x).isGlobal(true).y();
    }

    /** An element for each channel, which is the second axis. */
    private static Edge perChannel(Site site, Draft draft, Tensor values) {
        Tensor shaped = Tensor.allocate(site.outputType().dtype(), 1, values.elements(), 1, 1);
        for (long i = 0; i < values.elements(); i++) {
            shaped.setDouble(i, values.getDouble(i));
        }
        return draft.constant(shaped);
    }
}
