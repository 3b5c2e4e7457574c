package org.clinfer.importer.onnx.export;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.importer.onnx.OnnxElementTypes;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Steps between quantized values and real numbers, and the convolutions and products of quantized values. */
final class QuantizationWriters {

    /** Knows blocks and types of the result, and quantized values of 16 bits. */
    private static final int BLOCKS = 21;

    /** Knows quantized values that are floats of 8 bits. */
    private static final int SMALL_FLOATS = 19;

    /** Knows the type that quotients have. */
    private static final int PRECISION = 23;

    private QuantizationWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of(
                "QuantizeLinear", QuantizationWriters::quantize,
                "DequantizeLinear", QuantizationWriters::dequantize,
                "QuantizedAdd", QuantizationWriters::sum,
                "QuantizedConv", QuantizationWriters::convolution,
                "QuantizedMatMul", QuantizationWriters::product,
                "MatMulNBits", BlockProductWriter::write);
    }

    private static void quantize(Use use, ModelWriter model) {
        AttributeWriter attributes = axes(use, model);
        String codes = use.text("code_type", "AUTO");
        if (!codes.equals("AUTO") && !use.hasInput(2)) {
            DType dtype = DType.of(codes).orElseThrow();
            put("output_dtype", dtype, attributes);
            model.require(dtype);
            model.requireOpset(BLOCKS);
        }
        if (use.hasInput(2)) {
            requireCodes(use.dtype(2), model);
        }
        if (!use.flag("saturate", true)) {
            model.requireOpset(SMALL_FLOATS);
            attributes.put("saturate", 0L);
        }
        DType precision = DType.of(use.text("precision", "float32")).orElseThrow();
        if (precision != DType.FLOAT32) {
            put("precision", precision, attributes);
        }
        boolean isShort = use.dtype(0) == DType.FLOAT16 || use.dtype(0) == DType.BFLOAT16;
        if (isShort || precision != DType.FLOAT32) {
            model.requireOpset(PRECISION);
        }
        model.add(use, "QuantizeLinear", use.inputs(), attributes);
    }

    private static void dequantize(Use use, ModelWriter model) {
        AttributeWriter attributes = axes(use, model);
        requireCodes(use.dtype(0), model);
        DType real = DType.of(use.text("real_type", "float32")).orElseThrow();
        if (real != DType.FLOAT32) {
            put("output_dtype", real, attributes);
            model.requireOpset(PRECISION);
        }
        model.add(use, "DequantizeLinear", use.inputs(), attributes);
    }

    private static void requireCodes(DType dtype, ModelWriter model) {
        if (dtype.bits() == Short.SIZE) {
            model.requireOpset(BLOCKS);
        }
        model.require(dtype);
    }

    private static AttributeWriter axes(Use use, ModelWriter model) {
        AttributeWriter attributes = new AttributeWriter().put("axis", use.integer("axis", 1));
        long block = use.integer("block_size", 0);
        if (block != 0) {
            model.requireOpset(BLOCKS);
            attributes.put("block_size", block);
        }
        return attributes;
    }

    private static void put(String name, DType dtype, AttributeWriter attributes) {
        attributes.put(name, (long) OnnxElementTypes.number(dtype));
    }

    /** ONNX adds numbers: what the quantized values of sums are is told apart from this only where it rounds otherwise. */
    private static void sum(Use use, ModelWriter model) {
        String left = model.step(use, "DequantizeLinear", use.input(0), scalar(use, model, 4), scalar(use, model, 2));
        String right = model.step(use, "DequantizeLinear", use.input(1), scalar(use, model, 5), scalar(use, model, 3));
        String sum = model.step(use, "Add", left, right);
        List<String> inputs = List.of(sum, scalar(use, model, 6), scalar(use, model, 7));
        model.add(use, "QuantizeLinear", inputs, new AttributeWriter());
    }

    /** An input of one element without axes, along which ONNX would look for more. */
    private static String scalar(Use use, ModelWriter model, int input) {
        return use.hasInput(input) ? model.step(use, "Reshape", use.input(input), model.vector(use, "shape")) : "";
    }

    private static void convolution(Use use, ModelWriter model) {
        boolean isLast = use.text("data_format", "NCX").equals("NXC")
                || use.text("y_format", "AUTO").equals("NXC");
        if (isLast) {
            throw use.refused("channels last");
        }
        AttributeWriter attributes = new AttributeWriter().put("group", use.integer("groups", 1));
        WindowWriter.putOneDnn(use, attributes);
        if (use.hasInput(8)) {
            List<String> inputs = codes(use, model);
            model.add(use, "QLinearConv", use.hasInput(2) ? and(inputs, use.input(2)) : inputs, attributes);
            return;
        }
        requireBareSums(use);
        model.add(use, "ConvInteger", List.of(use.input(0), use.input(1), use.input(3), use.input(4)), attributes);
    }

    private static void product(Use use, ModelWriter model) {
        if (use.hasInput(8)) {
            if (use.hasInput(2)) {
                throw use.refused("a bias");
            }
            model.add(use, "QLinearMatMul", codes(use, model), new AttributeWriter());
            return;
        }
        requireBareSums(use);
        List<String> inputs = List.of(use.input(0), use.input(1), use.input(3), use.input(4));
        model.add(use, "MatMulInteger", inputs, new AttributeWriter());
    }

    /** Both factors and the result, each with scale and zero point, which ONNX does not leave out. */
    private static List<String> codes(Use use, ModelWriter model) {
        return List.of(
                use.input(0),
                use.input(5),
                zero(use, model, 3, use.dtype(0)),
                use.input(1),
                use.input(6),
                zero(use, model, 4, use.dtype(1)),
                use.input(7),
                use.input(8));
    }

    private static String zero(Use use, ModelWriter model, int input, DType dtype) {
        return use.hasInput(input) ? use.input(input) : model.add(use, "zero_point", Tensor.allocate(dtype));
    }

    private static List<String> and(List<String> inputs, String last) {
        return Stream.concat(inputs.stream(), Stream.of(last)).toList();
    }

    private static void requireBareSums(Use use) {
        if (use.hasInput(2) || use.hasInput(5) || use.hasInput(6)) {
            throw use.refused("scales or a bias, and no zero point of y");
        }
    }
}
