package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Optional;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** The lists of numbers of a node, which may stand as lists or as tensors. */
final class MlAttributes {

    private final OnnxNode node;
    private final OnnxTensorReader tensors;

    MlAttributes(OnnxNode node, OnnxTensorReader tensors) {
        this.node = node;
        this.tensors = tensors;
    }

    Optional<Tensor> tensor(String name) {
        SourceRef source = new SourceRef(node.source().file(), node.source().element() + " attribute '" + name + "'");
        return node.find(name, AttributeType.TENSOR)
                .map(AttributeProto::getT)
                .map(proto -> tensors.read(proto, source));
    }

    /** The numbers of a tensor, or of a list that has {@code _as_tensor} behind its name where it is one. */
    double[] reals(String name) {
        return optionalReals(name).orElseThrow(() -> node.malformed("attribute '" + name + "' is missing"));
    }

    Optional<double[]> optionalReals(String name) {
        boolean isTensor = node.has(name)
                && node.kind(name).filter(AttributeType.TENSOR::equals).isPresent();
        return tensor(isTensor ? name : name + "_as_tensor")
                .map(Tensor::toDoubleArray)
                .or(() -> isTensor ? Optional.empty() : node.reals(name));
    }

    /** The type in which lists are compared with inputs of a type: float64 with float64, else float32. */
    static DType real(DType input) {
        return input == DType.FLOAT64 ? input : DType.FLOAT32;
    }

    static Tensor tensor(DType dtype, double[] values, long... sizes) {
        Tensor tensor = Tensor.allocate(dtype, sizes);
        for (int i = 0; i < values.length; i++) {
            tensor.setDouble(i, values[i]);
        }
        return tensor;
    }

    /** Refuses attributes that hold texts. */
    static void refuseTexts(OnnxNode node, String... names) {
        for (String name : List.of(names)) {
            if (node.texts(name).filter(list -> !list.isEmpty()).isPresent()) {
                throw node.unsupportedUse(name);
            }
        }
    }
}
