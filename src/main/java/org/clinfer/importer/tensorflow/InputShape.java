package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.tensorflow.proto.TensorShapeProto;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** The shape of an input, as the file declares it or its use implies it. */
final class InputShape {

    private InputShape() {}

    /** The shape; empty if not even the number of axes is known. No sizes mean none are known, as old files have it. */
    static Optional<Shape> of(TfNode node, TfNetwork network) {
        Optional<TensorShapeProto> declared =
                node.shape("shape").filter(shape -> !shape.getUnknownRank() && shape.getDimCount() > 0);
        if (declared.isEmpty()) {
            return network.shapeByUse(node);
        }
        return declared(declared.get());
    }

    /** The shape as the file has it; empty if the number of axes is not known. */
    static Optional<Shape> declared(TensorShapeProto proto) {
        if (proto.getUnknownRank()) {
            return Optional.empty();
        }
        List<Dim> dims = new ArrayList<>();
        for (TensorShapeProto.Dim dim : proto.getDimList()) {
            dims.add(dim.getSize() < 0 ? Dim.unknown() : Dim.of(dim.getSize()));
        }
        return Optional.of(new Shape(dims));
    }
}
