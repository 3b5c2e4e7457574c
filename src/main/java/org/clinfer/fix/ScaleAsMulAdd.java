package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * Writes a factor and a summand for each channel as a product and a sum, of which one that changes nothing is left out.
 *
 * <pre>
 * y = BatchNorm(x, scale, bias, mean, variance)
 * y = Add(Mul(x, factors), summands)
 * </pre>
 *
 * <p>The constants have an element for each channel, or as many as the result where a device takes equal shapes alone.
 */
final class ScaleAsMulAdd implements Rewrite {

    private static final long MOST_ELEMENTS = 1L << 24;

    @Override
    public List<Replacement> of(Site site) {
        Optional<ScaleAndShift> scaling = ScaleAndShift.of(site, site.node());
        List<Replacement> all = new ArrayList<>();
        scaling.ifPresent(of -> {
            if (!site.isOp("Mul") && !site.isOp("Add")) {
                all.addAll(written(site, of, false));
            }
            if (site.outputType().shape().elements() <= MOST_ELEMENTS) {
                all.addAll(written(site, of, true));
            }
        });
        return all;
    }

    private static List<Replacement> written(Site site, ScaleAndShift of, boolean isWhole) {
        return site.by(isWhole ? "constant of the whole shape" : "as a product and a sum", draft -> {
            Edge y = draft.edge(of.x());
            if (Arrays.stream(of.scale()).anyMatch(factor -> factor != 1)) {
                y = draft.ops().mul(y, constant(site, draft, of.scale(), isWhole));
            }
            return Arrays.stream(of.shift()).anyMatch(summand -> summand != 0)
                    ? draft.ops().add(y, constant(site, draft, of.shift(), isWhole))
                    : y;
        });
    }

    private static Edge constant(Site site, Draft draft, double[] values, boolean isWhole) {
        long[] sizes = site.outputSizes().clone();
        int inner = Math.toIntExact(Arrays.stream(sizes).skip(2).reduce(1, Math::multiplyExact));
        if (!isWhole) {
            Arrays.fill(sizes, 1);
            sizes[1] = values.length;
            inner = 1;
        }
        Tensor tensor = Tensor.allocate(site.outputType().dtype(), sizes);
        for (int i = 0; i < tensor.elements(); i++) {
            int channel = values.length == 1 ? 0 : i / inner % values.length;
            tensor.setDouble(i, values[channel]);
        }
        return draft.constant(tensor);
    }
}
