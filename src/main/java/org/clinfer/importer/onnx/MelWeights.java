package org.clinfer.importer.onnx;

import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * The weights that make mel bands of the frequencies of a spectrum: triangles side by side, equally wide in mels, whose
 * corners are whole frequencies. They are a constant, since their inputs are sizes.
 */
final class MelWeights {

    private static final int FLOAT = 1;
    private static final double MELS = 2595;
    private static final double HERTZ = 700;

    /** Bands and frequencies at most, and elements. */
    private static final long MOST = 1 << 20;

    private final OnnxNode node;
    private final OnnxGraphWriter graph;

    private MelWeights(OnnxNode node, OnnxGraphWriter graph) {
        this.node = node;
        this.graph = graph;
    }

    static void translate(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(5, 5);
        graph.addConstant(node.output(), new MelWeights(node, graph).weights());
    }

    private double number(int input) {
        Tensor known = graph.constant(node.input(input))
                .orElseThrow(() -> node.unsupportedUse("inputs that are not constants"));
        if (known.elements() != 1) {
            throw node.malformed("input " + input + " must be one number, but is " + known.type());
        }
        return known.getDouble(0);
    }

    private Tensor weights() {
        DType dtype = OnnxElementTypes.require(
                Math.toIntExact(node.integer("output_datatype", FLOAT)), node.source(), "the output");
        double bands = number(0);
        double length = number(1);
        if (!(bands >= 0 && length >= 0 && bands <= MOST && length <= MOST && bands * (length + 2) <= 2.0 * MOST)) {
            throw node.unsupportedUse(bands + " bands of " + length + " samples");
        }
        int columns = (int) bands;
        int rows = (int) length / 2 + 1;
        int[] corners = corners(columns, (int) length, rows);
        Tensor weights = Tensor.allocate(TensorType.of(dtype, rows, columns));
        for (int band = 0; band < columns; band++) {
            int low = corners[band];
            int centre = corners[band + 1];
            int high = corners[band + 2];
            for (int row = low; row < centre; row++) {
                put(weights, row, band, (row - low) / (double) (centre - low));
            }
            for (int row = centre + 1; row < high; row++) {
                put(weights, row, band, (high - row) / (double) (high - centre));
            }
            put(weights, centre, band, 1);
        }
        return weights;
    }

    private static void put(Tensor weights, long row, long column, double value) {
        weights.setDouble(row * weights.shape().size(1) + column, value);
    }

    /** The frequencies, by number, at which the triangles begin and end. */
    private int[] corners(int bands, int length, int rows) {
        double rate = number(2);
        double low = mels(number(3));
        double step = (mels(number(4)) - low) / (bands + 2);
        int[] corners = new int[bands + 2];
        for (int i = 0; i < corners.length; i++) {
            double hertz = HERTZ * (Math.pow(10, (i * step + low) / MELS) - 1);
            double corner = Math.floor((length + 1) * hertz / rate);
            if (!(corner >= (i == 0 ? 0 : corners[i - 1]) && corner < rows)) {
                throw node.malformed("its bands do not lie within the frequencies of " + length + " samples");
            }
            corners[i] = (int) corner;
        }
        return corners;
    }

    private static double mels(double hertz) {
        return MELS * Math.log10(1 + hertz / HERTZ);
    }
}
