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
        Optional<Long> axis = axis(steps.rank(x));
        String axes = axis.map(known -> steps.vector(known))
                .orElseGet(() -> steps.add("Reshape", steps.cast(node.input(1), DType.INT64), steps.vector(1)));
        boolean reverse = node.flag("reverse", false);
        String start = node.flag("exclusive", false) ? moved(steps, x, axes, by(1, reverse)) : x;
        Optional<Long> size = axis.flatMap(known -> steps.knownSize(x, known.intValue()));
        if (size.isPresent()) {
            String product = start;
            for (long by = 1; by < size.get(); by *= 2) {
                product = multiplied(steps, product, axes, by(by, reverse));
            }
            steps.last("Identity", product);
        } else {
            loop(start, axes, reverse);
        }
    }

    /** The axis, counted from the first; empty where only a run knows it, and for one axis alone that one. */
    private Optional<Long> axis(int rank) {
        Optional<Long> given = graph.element(node.input(1));
        if (given.isEmpty() && rank == 1) {
            return Optional.of(0L);
        }
        return given.map(number -> {
            long axis = number < 0 ? number + rank : number;
            if (axis < 0 || axis >= rank) {
                throw node.malformed("axis " + number + " is none of an input of " + rank + " axes");
            }
            return axis;
        });
    }

    /** The elements that an axis loses in front, where that is negative, and behind. */
    private String by(long distance, boolean reverse) {
        return reverse ? steps.vector(-distance, distance) : steps.vector(distance, -distance);
    }

    /** With the elements of an axis some positions further, and ones in those that they leave. */
    private static String moved(Steps steps, String value, String axes, String pads) {
        Params ones = new Params().put("constant_value", 1.0);
        return steps.add("Pad", ones, value, pads, "", axes);
    }

    private static String multiplied(Steps steps, String value, String axes, String pads) {
        return steps.add("Mul", value, moved(steps, value, axes, pads));
    }

    private void loop(String start, String axes, boolean reverse) {
        InnerGraph inner = new InnerGraph(graph, node, "body", true);
        DType dtype = steps.dtype(start);
        String size = steps.add(
                "Reshape", steps.add("Gather", new Params().put("axis", 0L), steps.shape(start), axes), steps.vector());
        inner.input("iteration", DType.INT64);
        inner.input("condition", DType.BOOL);
        KnownType pair = new KnownType(Optional.of(DType.INT64), Optional.of(KnownType.anyShape(1)));
        String pads = inner.input("pads", DType.INT64, pair);
        String product = inner.input("product", dtype, graph.types().of(start).rankOnly());
        inner.writer().take(size, node);
        inner.writer().take(axes, node);
        Steps iteration = new Steps(node, inner.writer());
        String next = iteration.add("Add", pads, pads);
        String places =
                iteration.add("Gather", new Params().put("axis", 0L), iteration.add("Abs", next), iteration.whole(0));
        inner.give(iteration.add("Less", places, size));
        inner.give(next);
        inner.give(multiplied(iteration, product, axes, pads));
        String goesOn = steps.add("Less", steps.whole(1), size);
        inner.addLoop(List.of("", goesOn, by(1, reverse), start), List.of("", node.output()));
    }
}
