package org.clinfer.conformance;

import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Binary convolution, bit by bit, as OpenVINO's reference has it, and with the padding of its plug-ins. */
final class BinaryReferences {

    private BinaryReferences() {}

    static Map<String, Reference> all() {
        return Map.of("BinaryConvolution", Reference.single(BinaryReferences::convolution));
    }

    private static Array convolution(Call call) {
        Array x = call.input(0);
        Array weights = call.input(1);
        Window window = Window.ofOneDnn(call, Indices.from(x.dims(), 2), Indices.from(weights.dims(), 2));
        boolean plugIn = call.text("pad_semantics", "REFERENCE").equals("EXCLUDE_PAD");
        double given = call.real("pad_value", Double.NaN);
        double padding = plugIn ? (given + 1) / 2 : stored(given, x.type().orElseThrow());
        boolean excluded = plugIn && given == 0;
        return Array.of(window.outputDims(x.dim(0), weights.dim(0)), out -> {
            double sum = 0;
            long[][] cells = window.cells(out);
            for (int tap = 0; tap < cells.length; tap++) {
                boolean inside = window.isInside(cells[tap]);
                for (long c = 0; c < x.dim(1) && (inside || !excluded); c++) {
                    double element = inside ? x.at(Indices.join(out[0], c, cells[tap])) : padding;
                    double bit = weights.flat((out[1] * x.dim(1) + c) * cells.length + tap);
                    sum += element == bit ? 1 : -1;
                }
            }
            return sum;
        });
    }

    /** A value as an element of a type: integers truncate. */
    private static double stored(double value, DType type) {
        if (type.isInteger()) {
            return value < 0 ? Math.ceil(value) : Math.floor(value);
        }
        try (Tensor element = Tensor.allocate(type, 1)) {
            element.setDouble(0, value);
            return element.getDouble(0);
        }
    }
}
