package org.clinfer.fix;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.describe.Binding;
import org.clinfer.ops.ClipOp;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.Tensor;

/**
 * Writes an activation by others that are the same.
 *
 * <pre>
 * y = HardSwish(x)            y = Mul(x, HardSigmoid(x))
 * y = LeakyRelu(x)            y = Max(x, Mul(x, alpha))
 * y = PRelu(x, slope)         y = Add(Relu(x), Mul(Min(x, 0), slope))
 * y = Clip(x) {min: 0}        y = Relu(x)
 * </pre>
 */
final class ActivationAsOther implements Rewrite {

    @Override
    public List<Replacement> of(Site site) {
        if (site.node().node().outputs().size() != 1
                || !site.outputType().dtype().isFloating()) {
            return List.of();
        }
        return switch (site.op()) {
            case "Relu" -> clipped(site, 0, Double.POSITIVE_INFINITY);
            case "Relu6" -> clipped(site, 0, 6);
            case "Clip" ->
                clipped(
                        site,
                        site.node().binding().real("low"),
                        site.node().binding().real("high"));
            case "LeakyRelu" -> leaky(site, site.node().binding().real("alpha"));
            case "PRelu" -> leaky(site);
            case "HardSwish" -> hardSwish(site);
            case "HardSigmoid" -> hardSigmoid(site);
            case "Swish" -> swish(site);
            case "Sigmoid" -> sigmoid(site);
            case "Tanh" -> tanh(site);
            default -> List.of();
        };
    }

    private static List<Replacement> clipped(Site site, double low, double high) {
        List<Replacement> all = new ArrayList<>();
        if (low == 0 && high == 6 && !site.isOp("Relu6")) {
            all.addAll(site.by("as Relu6", draft -> draft.ops().relu6(draft.x())));
        }
        if (low == 0 && high == Double.POSITIVE_INFINITY && !site.isOp("Relu")) {
            all.addAll(site.by("as Relu", draft -> draft.ops().relu(draft.x())));
        }
        if (low == 0 && high == Double.POSITIVE_INFINITY) {
            all.addAll(site.by(
                    "as LeakyRelu without a slope",
                    draft -> draft.ops().leakyRelu(draft.x()).alpha(0).y()));
        }
        if (!site.isOp("Clip")) {
            all.addAll(site.by("as Clip", draft -> clip(draft, low, high)));
        }
        all.addAll(site.by("as a maximum and a minimum", draft -> {
            Edge y = low == Double.NEGATIVE_INFINITY ? draft.x() : draft.ops().max(draft.x(), draft.number(low));
            return high == Double.POSITIVE_INFINITY ? y : draft.ops().min(y, draft.number(high));
        }));
        if (low == 0 && high < Double.POSITIVE_INFINITY && high > 0) {
            all.addAll(site.by(
                    "as a difference of rectifiers",
                    draft -> draft.ops()
                            .sub(
                                    draft.ops().relu(draft.x()),
                                    draft.ops().relu(draft.ops().sub(draft.x(), draft.number(high))))));
        }
        return all;
    }

    private static Edge clip(Draft draft, double low, double high) {
        ClipOp clip = draft.ops().clip(draft.x()).min(low);
        return high == Double.POSITIVE_INFINITY ? clip.y() : clip.max(high).y();
    }

    private static List<Replacement> leaky(Site site, double alpha) {
        List<Replacement> all = new ArrayList<>();
        if (alpha == 0) {
            all.addAll(site.by("as Relu", draft -> draft.ops().relu(draft.x())));
        }
        if (alpha >= 0 && alpha <= 1) {
            all.addAll(site.by(
                    "as a maximum",
                    draft -> draft.ops().max(draft.x(), draft.ops().mul(draft.x(), draft.number(alpha)))));
        }
        if (site.outputType().shape().rank() >= 2) {
            all.addAll(site.by("as PRelu", draft -> {
                int rank = site.outputType().shape().rank();
                return draft.ops()
                        .pRelu(draft.x(), draft.number(alpha, site.outputType().dtype(), rank - 1))
                        .y();
            }));
        }
        all.addAll(site.by("as a sum of rectifiers", draft -> rectifiers(draft, draft.number(alpha))));
        return all;
    }

    private static List<Replacement> leaky(Site site) {
        Optional<Tensor> slope = site.constant(1);
        List<Replacement> all = new ArrayList<>();
        if (slope.isPresent()
                && IntStream.range(0, (int) slope.get().elements())
                        .allMatch(i -> slope.get().getDouble(i) == slope.get().getDouble(0))) {
            all.addAll(site.by(
                    "as LeakyRelu",
                    draft -> draft.ops()
                            .leakyRelu(draft.x())
                            .alpha(slope.get().getDouble(0))
                            .y()));
        }
        String name = site.node().node().inputs().get(1);
        all.addAll(site.by("as a rectifier and a minimum", draft -> {
            Edge below = draft.ops().min(draft.x(), draft.number(0));
            return draft.ops().add(draft.ops().relu(draft.x()), draft.ops().mul(below, draft.edge(name)));
        }));
        all.addAll(site.by("as a sum of rectifiers", draft -> rectifiers(draft, draft.edge(name))));
        return all;
    }

    /** relu(x) - slope * relu(-x). */
    private static Edge rectifiers(Draft draft, Edge slope) {
        Ops ops = draft.ops();
        Edge below = ops.relu(ops.mul(draft.x(), draft.number(-1)));
        return ops.sub(ops.relu(draft.x()), ops.mul(below, slope));
    }

    private static List<Replacement> hardSwish(Site site) {
        List<Replacement> all = new ArrayList<>();
        all.addAll(site.by("as a product with HardSigmoid", draft -> {
            Edge gate =
                    draft.ops().hardSigmoid(draft.x()).alpha(1.0 / 6).beta(0.5).y();
            return draft.ops().mul(draft.x(), gate);
        }));
        all.addAll(site.by("as a product with Relu6", draft -> {
            Edge gate = draft.ops().relu6(draft.ops().add(draft.x(), draft.number(3)));
            return draft.ops().mul(draft.x(), draft.ops().mul(gate, draft.number(1.0 / 6)));
        }));
        return all;
    }

    private static List<Replacement> hardSigmoid(Site site) {
        Binding binding = site.node().binding();
        double alpha = binding.real("alpha");
        double beta = binding.real("beta");
        List<Replacement> all = new ArrayList<>();
        all.addAll(site.by("as a clipped line", draft -> {
            Edge line = draft.ops().add(draft.ops().mul(draft.x(), draft.number(alpha)), draft.number(beta));
            return draft.ops().clip(line).min(0).max(1).y();
        }));
        all.addAll(site.by("as Relu6 of a line", draft -> {
            Edge line = draft.ops().add(draft.ops().mul(draft.x(), draft.number(6 * alpha)), draft.number(6 * beta));
            return draft.ops().mul(draft.ops().relu6(line), draft.number(1.0 / 6));
        }));
        return all;
    }

    private static List<Replacement> swish(Site site) {
        double alpha = site.node().binding().real("alpha");
        return site.by("as a product with Sigmoid", draft -> {
            Edge scaled = alpha == 1 ? draft.x() : draft.ops().mul(draft.x(), draft.number(alpha));
            return draft.ops().mul(draft.x(), draft.ops().sigmoid(scaled));
        });
    }

    private static List<Replacement> sigmoid(Site site) {
        return site.by("as Tanh of half", draft -> {
            Ops ops = draft.ops();
            Edge half = ops.tanh(ops.mul(draft.x(), draft.number(0.5)));
            return ops.add(ops.mul(half, draft.number(0.5)), draft.number(0.5));
        });
    }

    private static List<Replacement> tanh(Site site) {
        return site.by("as Sigmoid of the double", draft -> {
            Ops ops = draft.ops();
            Edge twice = ops.sigmoid(ops.mul(draft.x(), draft.number(2)));
            return ops.add(ops.mul(twice, draft.number(2)), draft.number(-1));
        });
    }
}
