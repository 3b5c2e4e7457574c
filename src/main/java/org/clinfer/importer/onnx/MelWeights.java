package org.clinfer.importer.onnx;

import java.util.List;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/**
 * The weights that make mel bands of the frequencies of a spectrum: triangles side by side, equally wide in mels, whose
 * corners are whole frequencies.
 */
final class MelWeights {

    private static final int FLOAT = 1;
    private static final double MELS = 2595;
    private static final double HERTZ = 700;

    private final OnnxNode node;
    private final Steps steps;

    private MelWeights(OnnxNode node, OnnxGraphWriter graph) {
        this.node = node;
        this.steps = new Steps(node, graph);
    }

    static void translate(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(5, 5);
        new MelWeights(node, graph).translate();
    }

    private void translate() {
        DType dtype = OnnxElementTypes.require(
                Math.toIntExact(node.integer("output_datatype", FLOAT)), node.source(), "the output");
        String rows = steps.add("Add", steps.add("Div", number(1, DType.INT64), steps.whole(2)), steps.whole(1));
        String corners = real(corners(rows));
        String row = real(steps.range(rows, 1));
        String low = steps.slice(corners, 0, 0, -2);
        String centre = steps.slice(corners, 0, 1, -1);
        String high = steps.slice(corners, 0, 2, Long.MAX_VALUE);
        String rising = steps.add("Div", steps.add("Sub", row, low), steps.add("Sub", centre, low));
        String falling = steps.add("Div", steps.add("Sub", high, row), steps.add("Sub", high, centre));
        String sides = steps.add("Max", real(0), steps.add("Min", rising, falling));
        String weights = steps.add("Where", steps.add("Equal", row, centre), real(1), sides);
        steps.last("Cast", new Params().put("to", dtype.label()), weights);
    }

    /** The frequencies, by number, at which the triangles begin and end; a Gather refuses those that there are not. */
    private String corners(String rows) {
        String count = steps.add("Add", number(0, DType.INT64), steps.whole(2));
        String low = mels(number(3, DType.FLOAT64));
        String high = mels(number(4, DType.FLOAT64));
        String step = steps.add("Div", steps.add("Sub", high, low), real(count));
        String mels = steps.add("Add", steps.add("Mul", real(steps.range(count, 0)), step), low);
        String power = steps.add("Pow", real(10), steps.add("Div", mels, real(MELS)));
        String hertz = steps.add("Mul", real(HERTZ), steps.add("Sub", power, real(1)));
        String samples = steps.add("Add", number(1, DType.FLOAT64), real(1));
        String corners = steps.cast(
                steps.add("Floor", steps.add("Div", steps.add("Mul", samples, hertz), number(2, DType.FLOAT64))),
                DType.INT64);
        String before = steps.concat(List.of(steps.vector(0), steps.slice(corners, 0, 0, -1)));
        String sound = steps.add("Where", steps.add("Less", corners, before), rows, corners);
        return steps.add("Gather", new Params().put("axis", 0L), steps.range(rows, 0), sound);
    }

    private String number(int input, DType dtype) {
        return steps.cast(steps.add("Reshape", node.input(input), steps.vector()), dtype);
    }

    private String real(String value) {
        return steps.cast(value, DType.FLOAT64);
    }

    private String real(double value) {
        return steps.scalar(DType.FLOAT64, value);
    }

    private String mels(String hertz) {
        String part = steps.add("Add", steps.add("Div", hertz, real(HERTZ)), real(1));
        return steps.add("Mul", real(MELS), steps.add("Div", steps.add("Log", part), real(Math.log(10))));
    }
}
