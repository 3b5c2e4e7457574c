package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Transforms of signals, as products with constant matrices, and windows. */
final class SignalTranslators {

    private static final int FLOAT = 1;

    private SignalTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.of(
                "DFT",
                SignalTranslators::transform,
                "STFT",
                SignalTranslators::shortTransforms,
                "MelWeightMatrix",
                MelWeights::translate,
                "HannWindow",
                (node, graph) -> window(node, graph, 0.5, -0.5, 0),
                "HammingWindow",
                (node, graph) -> window(node, graph, 25.0 / 46, -21.0 / 46, 0),
                "BlackmanWindow",
                (node, graph) -> window(node, graph, 0.42, -0.5, 0.08));
    }

    /** A constant, and parts of the cosine of one turn and of two. */
    private static void window(OnnxNode node, OnnxGraphWriter graph, double constant, double once, double twice) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        DType dtype = OnnxElementTypes.require(
                Math.toIntExact(node.integer("output_datatype", FLOAT)), node.source(), "the output");
        String size = steps.cast(steps.add("Squeeze", node.input(0)), DType.INT64);
        String period = node.flag("periodic", true) ? size : steps.add("Sub", size, steps.whole(1));
        String samples = steps.cast(steps.range(size, 0), DType.FLOAT64);
        String angles = steps.add(
                "Mul",
                steps.add("Div", samples, steps.cast(period, DType.FLOAT64)),
                steps.scalar(DType.FLOAT64, 2 * Math.PI));
        String sum = steps.add(
                "Add",
                steps.add("Mul", steps.add("Cos", angles), steps.scalar(DType.FLOAT64, once)),
                steps.scalar(DType.FLOAT64, constant));
        if (twice != 0) {
            String faster = steps.add("Mul", angles, steps.scalar(DType.FLOAT64, 2));
            sum = steps.add("Add", sum, steps.add("Mul", steps.add("Cos", faster), steps.scalar(DType.FLOAT64, twice)));
        }
        steps.last("Cast", new Params().put("to", dtype.label()), sum);
    }

    private static void transform(OnnxNode node, OnnxGraphWriter graph) {
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        int rank = steps.rank(x);
        Optional<Long> given = givenAxis(node, graph);
        if (given.isEmpty() && rank > 2) {
            alongOpenAxis(node, graph, steps);
            return;
        }
        long axis = given.map(number -> number < 0 ? number + rank : number).orElse(0L);
        if (axis < 0 || axis >= rank - 1) {
            throw node.malformed("axis " + given.orElse(0L) + " is none of the signal's, which has " + rank + " axes");
        }
        long[] turned = turned(rank, axis);
        Fourier fourier = fourier(node, graph, steps.transposed(x, turned));
        steps.last("Transpose", new Params().put("perm", turned), fourier.result());
    }

    /** The axis that the file says; empty where only a run knows it. */
    private static Optional<Long> givenAxis(OnnxNode node, OnnxGraphWriter graph) {
        if (node.opset() < 20) {
            node.requireInputs(1, 2);
            return Optional.of(node.integer("axis", 1));
        }
        node.requireInputs(1, 3);
        return node.hasInput(2) ? graph.element(node.input(2)) : Optional.of(-2L);
    }

    /** The axes before the one of the samples as one axis, and those behind it as another. */
    private static void alongOpenAxis(OnnxNode node, OnnxGraphWriter graph, Steps steps) {
        String x = node.input(0);
        int rank = steps.rank(x);
        Params first = new Params().put("axis", 0L);
        Params kept = new Params().put("keep_dims", true);
        Params sizes = new Params().put("allow_zero", true);
        // The place of the parts holds an axis that there is not, which the next Gather refuses.
        long[] places = LongStream.range(0, rank).toArray();
        places[rank - 1] = rank;
        String given = steps.add("Reshape", steps.cast(node.input(2), DType.INT64), steps.vector(1));
        String axis = steps.add("Gather", first, steps.vector(places), given);
        String shape = steps.shape(x);
        String size = steps.add("Gather", first, shape, axis);
        String before = steps.slice(shape, 0, steps.vector(0), axis);
        String behind = steps.slice(shape, 0, steps.add("Add", axis, steps.vector(1)), steps.vector(rank - 1L));
        String four = steps.concat(List.of(
                steps.add("ReduceProd", kept, before),
                size,
                steps.add("ReduceProd", kept, behind),
                steps.sizes(x, -1)));
        String turned = steps.transposed(steps.add("Reshape", sizes, x, four), 0, 2, 1, 3);
        String y = fourier(node, graph, turned).result();
        String back = steps.transposed(y, 0, 2, 1, 3);
        List<String> result = List.of(before, steps.sizes(y, 2), behind, steps.sizes(y, 3));
        steps.last("Reshape", sizes, back, steps.concat(result));
        graph.types().redeclare(node.output(), graph.types().of(x).rankOnly());
    }

    /** The transform that the node says of a signal whose last axes are samples and parts. */
    private static Fourier fourier(OnnxNode node, OnnxGraphWriter graph, String signal) {
        Steps steps = new Steps(node, graph);
        boolean inverse = node.flag("inverse", false);
        boolean half = node.flag("onesided", false);
        String size = steps.sizes(signal, -2);
        String length = size;
        if (node.hasInput(1)) {
            length = steps.add("Reshape", steps.cast(node.input(1), DType.INT64), steps.vector(1));
        } else if (inverse && half) {
            length = steps.add("Mul", steps.add("Sub", size, steps.vector(1)), steps.vector(2));
        }
        Optional<Long> parts = steps.knownSize(node.input(0), steps.rank(node.input(0)) - 1);
        return new Fourier(node, graph, signal, parts, length, inverse, half);
    }

    /** The axis and the one before the last in each other's place. */
    private static long[] turned(int rank, long axis) {
        long[] perm = LongStream.range(0, rank).toArray();
        perm[(int) axis] = rank - 2L;
        perm[rank - 2] = axis;
        return perm;
    }

    /** Transforms of the parts of a signal that begin at equal distances. */
    private static void shortTransforms(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 4);
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        // A real signal without the last axis, which ONNX wants: PyTorch writes it, and ONNX Runtime takes it.
        boolean plain = steps.rank(x) == 2;
        Optional<Long> parts = plain ? Optional.of(1L) : steps.knownSize(x, steps.rank(x) - 1);
        if (plain) {
            x = steps.unsqueezed(x, 2);
        }
        String one = steps.vector(1);
        String length = node.hasInput(3)
                ? steps.add("Reshape", steps.cast(node.input(3), DType.INT64), one)
                : node.hasInput(2) ? steps.shape(node.input(2)) : steps.sizes(x, 1);
        String step = steps.add("Reshape", steps.cast(node.input(1), DType.INT64), one);
        String rest = steps.add("Sub", steps.sizes(x, 1), length);
        String count = steps.add("Squeeze", steps.add("Add", steps.add("Div", rest, step), one));
        String starts = steps.add("Mul", steps.range(count, 1), step);
        String indices = steps.add("Add", starts, steps.range(steps.add("Squeeze", length), 0));
        String frames = steps.add("Gather", new Params().put("axis", 1L), x, indices);
        if (node.hasInput(2)) {
            frames = steps.add("Mul", frames, steps.unsqueezed(node.input(2), 1));
        }
        Fourier fourier = new Fourier(node, graph, frames, parts, length, false, node.flag("onesided", true));
        steps.last("Identity", fourier.result());
    }

    /** The transform of a signal whose last axes are samples and parts: the real one, or that and the imaginary one. */
    private record Fourier(
            OnnxNode node,
            OnnxGraphWriter graph,
            String signal,
            Optional<Long> known,
            String length,
            boolean inverse,
            boolean half) {

        String result() {
            Steps steps = new Steps(node, graph);
            DType dtype = steps.dtype(node.input(0));
            long parts = known.orElse(2L);
            if (parts != 1 && parts != 2) {
                throw node.malformed("the last axis of a signal has 1 or 2 elements, not " + parts);
            }
            String both = known.isPresent() ? signal : withImaginary(steps);
            boolean fills = inverse && half;
            String complete = fills ? both : fitted(steps, both);
            return fills ? fromHalf(steps, complete, parts, dtype) : full(steps, complete, parts, dtype);
        }

        /** With zeros behind the signal, or without its end, as the length says. */
        private String fitted(Steps steps, String x) {
            String more = steps.add("Sub", length, steps.sizes(x, -2));
            String pads = steps.concat(List.of(steps.vector(0), more));
            return steps.add("Pad", x, pads, "", steps.vector(-2));
        }

        /** With zeros for an imaginary part where a run finds none; a Gather refuses more than two parts. */
        private String withImaginary(Steps steps) {
            String more =
                    steps.add("Gather", new Params().put("axis", 0L), steps.vector(2, 1, 0), steps.sizes(signal, -1));
            String pads = steps.concat(List.of(steps.vector(0), more));
            return steps.add("Pad", signal, pads, "", steps.vector(-1));
        }

        private String full(Steps steps, String x, long parts, DType dtype) {
            String samples = steps.range(steps.add("Squeeze", length), 0);
            String most = half
                    ? steps.add("Add", steps.add("Div", steps.add("Squeeze", length), steps.whole(2)), steps.whole(1))
                    : steps.add("Squeeze", length);
            String angles = angles(steps, steps.range(most, 1), samples);
            String cosines = matrix(steps, "Cos", angles, dtype, "");
            String sines = matrix(steps, "Sin", angles, dtype, "");
            String real = steps.add("MatMul", cosines, steps.slice(x, -1, 0, 1));
            String imaginary = steps.add("MatMul", sines, steps.slice(x, -1, 0, 1));
            imaginary = inverse ? imaginary : steps.add("Neg", imaginary);
            if (parts == 2) {
                String other = steps.slice(x, -1, 1, 2);
                String crossed = steps.add("MatMul", sines, other);
                real = steps.add(inverse ? "Sub" : "Add", real, crossed);
                imaginary = steps.add("Add", imaginary, steps.add("MatMul", cosines, other));
            }
            return steps.add("Concat", new Params().put("axis", -1L), real, imaginary);
        }

        /** A real signal, from the half of a transform whose other half mirrors it. */
        private String fromHalf(Steps steps, String x, long parts, DType dtype) {
            String all = steps.add("Squeeze", length);
            String most = steps.add("Add", steps.add("Div", all, steps.whole(2)), steps.whole(1));
            String more = steps.add("Sub", steps.add("Reshape", most, steps.vector(1)), steps.sizes(x, -2));
            String pads = steps.concat(List.of(steps.vector(0), more));
            String fit = steps.add("Pad", x, pads, "", steps.vector(-2));
            String frequencies = steps.range(most, 0);
            // The first one stands for itself alone, and so does that of half the length.
            String mirror = steps.add("Mod", steps.add("Sub", all, frequencies), all);
            String alone = steps.add("Equal", mirror, frequencies);
            String times = steps.add("Where", alone, steps.whole(1), steps.whole(2));
            String angles = angles(steps, steps.range(all, 1), frequencies);
            String real = steps.add("MatMul", matrix(steps, "Cos", angles, dtype, times), steps.slice(fit, -1, 0, 1));
            if (parts == 1) {
                return real;
            }
            String other = steps.slice(fit, -1, 1, 2);
            return steps.add("Sub", real, steps.add("MatMul", matrix(steps, "Sin", angles, dtype, times), other));
        }

        /** One turn for each whole length; products are taken within a turn first, where they are exact. */
        private String angles(Steps steps, String rows, String columns) {
            String all = steps.add("Squeeze", length);
            String within = steps.cast(steps.add("Mod", steps.add("Mul", rows, columns), all), DType.FLOAT64);
            String parts = steps.add("Div", within, steps.cast(all, DType.FLOAT64));
            return steps.add("Mul", parts, steps.scalar(DType.FLOAT64, 2 * Math.PI));
        }

        private String matrix(Steps steps, String function, String angles, DType dtype, String times) {
            String values = steps.add(function, angles);
            if (!times.isEmpty()) {
                values = steps.add("Mul", values, steps.cast(times, DType.FLOAT64));
            }
            if (inverse) {
                values = steps.add("Div", values, steps.cast(length, DType.FLOAT64));
            }
            return steps.cast(values, dtype);
        }
    }
}
