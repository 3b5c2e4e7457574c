package org.clinfer.importer.caffe;

import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * The value of a weight before training.
 *
 * @param value of all its elements; NaN if they are random or nobody says what they are
 */
record Filler(double value) {

    /** Nobody says what the weight is. */
    static final Filler UNKNOWN = new Filler(Double.NaN);

    /** Weights that enlarge by linear interpolation. */
    static final Filler BILINEAR = new Filler(Double.POSITIVE_INFINITY);

    /** The filler that a parameter names. */
    static Filler of(CaffeFields params, String field) {
        if (!params.has(field)) {
            return UNKNOWN;
        }
        CaffeFields filler = params.message(field);
        filler.ignore("min", "max", "mean", "std", "sparse", "variance_norm", "value");
        return switch (filler.text("type").orElse("constant")) {
            case "constant" -> new Filler(filler.real("value", 0));
            case "bilinear" -> BILINEAR;
            default -> UNKNOWN;
        };
    }

    boolean isKnown() {
        return !Double.isNaN(value);
    }

    /** The kernel of linear interpolation, for each pair of channels, of a shape of four axes. */
    static Tensor bilinear(Shape shape) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, shape.sizes());
        int width = (int) shape.size(shape.rank() - 1);
        int height = (int) shape.size(shape.rank() - 2);
        double half = Math.ceil(width / 2.0);
        double centre = (2 * half - 1 - half % 2) / (2 * half);
        long count = shape.elements();
        for (long i = 0; i < count; i++) {
            long column = i % width;
            long row = i / width % height;
            tensor.setDouble(i, (1 - Math.abs(column / half - centre)) * (1 - Math.abs(row / half - centre)));
        }
        return tensor;
    }
}
