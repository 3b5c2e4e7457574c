package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Optional;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/**
 * The product of all elements up to each: the axis moved by 1, 2, 4, …, with ones behind, and multiplied each time. Where
 * only a run knows the size of the axis, a loop does so as often as it takes.
 */
final class CumulativeProduct {

    private final OnnxNode node;
    private final OnnxGraphWriter graph;
    private final Steps steps;

    CumulativeProduct(OnnxNode node, OnnxGraphWriter graph) {
        this.node = node;
        this.graph = graph;
        this.steps = new Steps(node, graph);
    }

    void translate() {
        node.requireInputs(2, 2);
        String x = node.input(0);
        int rank = steps.rank(x);
        long given = graph.element(node.input(1))
                .orElseThrow(() -> node.unsupportedUse("an axis that is not known beforehand"));
        long axis = given < 0 ? given + rank : given;
        if (axis < 0 || axis >= rank) {
            throw node.malformed("axis " + given + " is none of an input of " + rank + " axes");
        }
        boolean reverse = node.flag("reverse", false);
        String start = node.flag("exclusive", false) ? moved(steps, x, axis, by(1, reverse)) : x;
        Optional<Long> size = steps.knownSize(x, (int) axis);
        if (size.isPresent()) {
            String product = start;
            for (long by = 1; by < size.get(); by *= 2) {
                product = multiplied(steps, product, axis, by(by, reverse));
            }
            steps.last("Identity", product);
        } else {
            loop(start, axis, reverse);
        }
    }

    /** The elements that an axis loses in front, where that is negative, and behind. */
    private String by(long distance, boolean reverse) {
        return reverse ? steps.vector(-distance, distance) : steps.vector(distance, -distance);
    }

    /** With the elements of an axis some positions further, and ones in those that they leave. */
    private static String moved(Steps steps, String value, long axis, String pads) {
        Params ones = new Params().put("constant_value", 1.0);
        return steps.add("Pad", ones, value, pads, "", steps.vector(axis));
    }

    private static String multiplied(Steps steps, String value, long axis, String pads) {
        return steps.add("Mul", value, moved(steps, value, axis, pads));
    }

    private void loop(String start, long axis, boolean reverse) {
        InnerGraph inner = new InnerGraph(graph, node, "body");
        DType dtype = steps.dtype(start);
        String size = steps.size(start, axis);
        inner.input("iteration", DType.INT64);
        inner.input("condition", DType.BOOL);
        KnownType pair = new KnownType(Optional.of(DType.INT64), Optional.of(KnownType.anyShape(1)));
        String pads = inner.input("pads", DType.INT64, pair);
        String product = inner.input("product", dtype, graph.types().of(start).rankOnly());
        inner.writer().take(size, node);
        Steps iteration = new Steps(node, inner.writer());
        String next = iteration.add("Add", pads, pads);
        String places =
                iteration.add("Gather", new Params().put("axis", 0L), iteration.add("Abs", next), iteration.whole(0));
        inner.give(iteration.add("Less", places, size));
        inner.give(next);
        inner.give(multiplied(iteration, product, axis, pads));
        String goesOn = steps.add("Less", steps.whole(1), size);
        inner.addLoop(List.of("", goesOn, by(1, reverse), start), List.of("", node.output()));
    }
}
