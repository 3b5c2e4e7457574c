package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.Params;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Operators that make values or change their type: constants, Shape, Range, Cast. */
final class OnnxConstantTranslators {

    /** Beyond this an int64 is not exact as the double that a parameter holds. */
    private static final List<String> ROUNDINGS = List.of("up", "down", "nearest");

    private static final long EXACT_INTEGER = 1L << 53;

    private final OnnxTensorReader tensors;

    /** @param tensors reads the tensors that stand in attributes */
    OnnxConstantTranslators(OnnxTensorReader tensors) {
        this.tensors = tensors;
    }

    Map<String, OnnxTranslator> all() {
        return Map.of(
                "Constant", this::constant,
                "ConstantOfShape", this::constantOfShape,
                "Range", OnnxConstantTranslators::range,
                "BitCast", OnnxConstantTranslators::bitCast,
                "Cast", OnnxConstantTranslators::cast,
                "CastLike", OnnxConstantTranslators::castLike);
    }

    private void constant(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(0, 0);
        graph.addConstant(node.output(), value(node));
    }

    private Tensor value(OnnxNode node) {
        for (String refused : List.of("value_string", "value_strings")) {
            if (node.has(refused)) {
                throw node.unsupportedUse(refused);
            }
        }
        Optional<Tensor> tensor = tensor(node).or(() -> sparse(node));
        if (tensor.isPresent()) {
            return tensor.get();
        } else if (node.has("value_int")) {
            return Tensor.scalar(node.integer("value_int"));
        } else if (node.has("value_float")) {
            return Tensor.scalar((float) node.real("value_float"));
        } else if (node.has("value_ints")) {
            long[] values = node.requiredIntegers("value_ints");
            return Tensor.of(values, values.length);
        } else if (node.has("value_floats")) {
            double[] values = node.reals("value_floats").orElseThrow();
            Tensor floats = Tensor.allocate(DType.FLOAT32, values.length);
            for (int i = 0; i < values.length; i++) {
                floats.setDouble(i, values[i]);
            }
            return floats;
        }
        throw node.malformed("it has no value");
    }

    private static SourceRef source(OnnxNode node, String attribute) {
        return new SourceRef(node.source().file(), node.source().element() + " attribute '" + attribute + "'");
    }

    private Optional<Tensor> sparse(OnnxNode node) {
        SourceRef source = source(node, "sparse_value");
        return node.find("sparse_value", AttributeType.SPARSE_TENSOR)
                .map(AttributeProto::getSparseTensor)
                .map(proto -> tensors.read(proto, source));
    }

    private Optional<Tensor> tensor(OnnxNode node) {
        SourceRef source = source(node, "value");
        return node.find("value", AttributeType.TENSOR)
                .map(AttributeProto::getT)
                .map(proto -> tensors.read(proto, source));
    }

    private void constantOfShape(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Tensor value = tensor(node).orElse(Tensor.scalar(0f));
        if (value.elements() != 1) {
            throw node.malformed("attribute 'value' must have one element, but is " + value.type());
        }
        if (value.dtype().isInteger() && Math.abs(value.getDouble(0)) > EXACT_INTEGER) {
            // parameters are real numbers, which have not all digits of it
            String scalar = graph.addSharedConstant(node.name() + "/value", value.reshaped(Shape.SCALAR));
            graph.add(node, "Expand", List.of(scalar, node.input(0)), new Params());
            return;
        }
        Params params = new Params()
                .put("value", value.getDouble(0))
                .put("dtype", value.dtype().label());
        graph.add(node, "ConstantOfShape", node.inputs(), params);
        if (value.dtype().isInteger()) {
            graph.addFilled(node.output(), (long) value.getDouble(0));
        }
    }

    private static void range(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 3);
        graph.add(node, "Range", node.inputs(), new Params());
    }

    private static void cast(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        long number = node.opset() < 6 ? OnnxElementTypes.numberOfText(node.text("to")) : node.integer("to");
        if (number != (int) number) {
            throw node.malformed("attribute 'to' is " + number + ", which is no data type");
        }
        addCast(node, graph, OnnxElementTypes.require((int) number, node.source(), "attribute 'to'"));
    }

    private static void bitCast(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        int number = (int) Math.min(Integer.MAX_VALUE, Math.max(-1, node.integer("to")));
        DType to = OnnxElementTypes.require(number, node.source(), "attribute 'to'");
        Steps steps = new Steps(node, graph);
        boolean fromTruth = graph.types().of(node.input(0)).dtype().equals(Optional.of(DType.BOOL));
        String x = fromTruth ? steps.cast(node.input(0), DType.UINT8) : node.input(0);
        if (to == DType.BOOL) {
            String bits = steps.add("BitCast", new Params().put("to", DType.UINT8.label()), x);
            steps.last("Cast", new Params().put("to", to.label()), bits);
        } else {
            steps.last("BitCast", new Params().put("to", to.label()), x);
        }
    }

    private static void castLike(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 2);
        DType to = graph.types()
                .of(node.input(1))
                .dtype()
                .orElseThrow(() -> node.unsupportedUse("a target whose data type is not known"));
        addCast(node, graph, to);
    }

    private static void addCast(OnnxNode node, OnnxGraphWriter graph, DType to) {
        boolean saturate = node.integer("saturate", 1) != 0;
        String rounding = node.text("round_mode", "up");
        if (!ROUNDINGS.contains(rounding)) {
            throw node.malformed("attribute 'round_mode' is '" + rounding + "', not one of " + ROUNDINGS);
        }
        Params params = new Params().put("to", to.label());
        if (!saturate) {
            params.put("saturate", false);
        }
        if (to == DType.FLOAT8E8M0) {
            params.put("round_mode", rounding.toUpperCase(Locale.ROOT));
        }
        graph.add(node, "Cast", List.of(node.input(0)), params);
    }
}
