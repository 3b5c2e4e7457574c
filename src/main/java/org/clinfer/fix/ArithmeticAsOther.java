package org.clinfer.fix;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.Tensor;

/**
 * Writes arithmetic by other operators that are the same.
 *
 * <pre>
 * y = Sub(a, b)          y = Add(a, Mul(b, -1))
 * y = Div(a, b)          y = Mul(a, Reciprocal(b))
 * y = Pow(a, 2)          y = Mul(a, a)
 * y = Abs(x)             y = Max(x, Mul(x, -1))
 * </pre>
 */
final class ArithmeticAsOther implements Rewrite {

    private static final double HALF = 0.5;

    @Override
    public List<Replacement> of(Site site) {
        if (site.node().node().outputs().size() != 1
                || !site.outputType().dtype().isFloating()) {
            return List.of();
        }
        return switch (site.op()) {
            case "Sub" -> difference(site);
            case "Div" -> quotient(site);
            case "Sum" -> sum(site);
            case "Neg" -> site.by("as a product", draft -> draft.ops().mul(draft.x(), draft.number(-1)));
            case "Abs" -> absolute(site);
            case "Pow" -> power(site);
            case "Sqrt" -> site.by("as a power", draft -> draft.ops().pow(draft.x(), draft.number(HALF)));
            case "Reciprocal" -> site.by("as a quotient", draft -> draft.ops().div(draft.number(1), draft.x()));
            default -> List.of();
        };
    }

    private static Edge second(Site site, Draft draft) {
        return draft.edge(site.node().node().inputs().get(1));
    }

    /** The second input, if known, with a function of each element. */
    private static Optional<Tensor> changed(Site site, DoubleUnaryOperator of) {
        return site.constant(1).map(tensor -> {
            Tensor changed = Tensor.allocate(tensor.type());
            for (long i = 0; i < tensor.elements(); i++) {
                changed.setDouble(i, of.applyAsDouble(tensor.getDouble(i)));
            }
            return changed;
        });
    }

    private static List<Replacement> difference(Site site) {
        if (site.constant(1).isPresent()) {
            return site.by(
                    "as a sum with the negated constant",
                    draft -> draft.ops()
                            .add(
                                    draft.x(),
                                    draft.constant(
                                            changed(site, value -> -value).orElseThrow())));
        }
        return site.by("as a sum", draft -> {
            Edge negated = draft.ops()
                    .mul(second(site, draft), draft.number(-1, site.outputType().dtype(), 1));
            return draft.ops().add(draft.x(), negated);
        });
    }

    private static List<Replacement> quotient(Site site) {
        if (site.constant(1).isPresent()) {
            return site.by(
                    "as a product with the inverse constant",
                    draft -> draft.ops()
                            .mul(
                                    draft.x(),
                                    draft.constant(
                                            changed(site, value -> 1 / value).orElseThrow())));
        }
        return site.by(
                "as a product with the reciprocal",
                draft -> draft.ops().mul(draft.x(), draft.ops().reciprocal(second(site, draft))));
    }

    private static List<Replacement> sum(Site site) {
        if (site.node().node().inputs().size() < 2) {
            return List.of();
        }
        return site.by(
                "as sums of two",
                draft -> draft.sum(
                        site.node().node().inputs().stream().map(draft::edge).toList()));
    }

    private static List<Replacement> absolute(Site site) {
        List<Replacement> all = new ArrayList<>();
        all.addAll(site.by(
                "as a maximum", draft -> draft.ops().max(draft.x(), draft.ops().mul(draft.x(), draft.number(-1)))));
        all.addAll(site.by("as a sum of rectifiers", draft -> {
            Ops ops = draft.ops();
            return ops.add(ops.relu(draft.x()), ops.relu(ops.mul(draft.x(), draft.number(-1))));
        }));
        return all;
    }

    private static List<Replacement> power(Site site) {
        Optional<Tensor> exponent = site.constant(1).filter(tensor -> tensor.elements() == 1);
        if (exponent.isEmpty() || !site.type(site.x()).equals(site.outputType())) {
            return List.of();
        }
        double value = exponent.get().getDouble(0);
        if (value == 2) {
            return site.by("as a product", draft -> draft.ops().mul(draft.x(), draft.x()));
        }
        if (value == 3) {
            return site.by(
                    "as products",
                    draft -> draft.ops().mul(draft.x(), draft.ops().mul(draft.x(), draft.x())));
        }
        if (value == HALF) {
            return site.by("as a square root", draft -> draft.ops().sqrt(draft.x()));
        }
        return value == -1 ? site.by("as a reciprocal", draft -> draft.ops().reciprocal(draft.x())) : List.of();
    }
}
