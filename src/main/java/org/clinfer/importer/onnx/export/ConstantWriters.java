package org.clinfer.importer.onnx.export;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.onnx.OnnxElementTypes;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Operators that make values or change their type: ConstantOfShape, Range, Random, Cast, BitCast. */
final class ConstantWriters {

    private ConstantWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of(
                "ConstantOfShape", ConstantWriters::constantOfShape,
                "Range", ConstantWriters::range,
                "Random", ConstantWriters::random,
                "BitCast", ConstantWriters::bitCast,
                "Cast", ConstantWriters::cast);
    }

    private static DType dtype(Use use, String label) {
        return DType.of(label).filter(dtype -> dtype != DType.U1).orElseThrow(() -> use.refused("data type " + label));
    }

    private static void constantOfShape(Use use, ModelWriter model) {
        DType dtype = dtype(use, use.text("dtype", "float32"));
        Tensor value = Tensor.allocate(dtype, 1);
        value.setDouble(0, use.real("value", 0));
        AttributeWriter attributes = new AttributeWriter().put("value", Tensors.proto("value", value));
        model.add(use, "ConstantOfShape", List.of(model.integers(use, 0, "shape")), attributes);
    }

    private static void range(Use use, ModelWriter model) {
        DType dtype = use.hasInput(0) ? use.dtype(0) : DType.FLOAT32;
        List<String> inputs = List.of(
                number(use, model, 0, "start", dtype),
                number(use, model, 1, "limit", dtype),
                number(use, model, 2, "delta", dtype));
        model.add(use, "Range", inputs, new AttributeWriter());
    }

    private static String number(Use use, ModelWriter model, int input, String param, DType dtype) {
        if (!use.hasInput(input)) {
            double value = use.real(param);
            if (dtype.isInteger() && value != Math.rint(value)) {
                throw use.refused(param + " " + value + " among integers");
            }
            return model.scalar(use, value, dtype);
        }
        use.ignore(param);
        if (use.dtype(input) != dtype) {
            throw use.refused("numbers of several data types");
        }
        Optional<Tensor> constant = model.constant(use.input(input));
        return constant.isPresent() && constant.get().shape().rank() > 0
                ? model.add(use, param, constant.get().reshaped(Shape.SCALAR))
                : use.input(input);
    }

    /** ONNX takes the seed as a float. */
    private static void random(Use use, ModelWriter model) {
        long seed = use.integer("seed", 0);
        if ((long) (float) seed != seed) {
            throw use.refused("seed " + seed + ", which no float32 is");
        }
        String op = use.text("distribution", "uniform").equals("normal") ? "RandomNormalLike" : "RandomUniformLike";
        AttributeWriter attributes = new AttributeWriter()
                .put("seed", (double) seed)
                .put("dtype", (long) OnnxElementTypes.number(DType.FLOAT64));
        String like = model.step(use, "ConstantOfShape", model.integers(use, 0, "shape"));
        model.add(use, op, List.of(like), attributes);
    }

    private static void bitCast(Use use, ModelWriter model) {
        model.requireOpset(26);
        DType to = dtype(use, use.text("to", ""));
        model.add(use, "BitCast", use.inputs(), new AttributeWriter().put("to", (long) OnnxElementTypes.number(to)));
    }

    private static void cast(Use use, ModelWriter model) {
        DType to = dtype(use, use.text("to", ""));
        model.require(to);
        AttributeWriter attributes = new AttributeWriter().put("to", (long) OnnxElementTypes.number(to));
        if (!use.flag("saturate", true)) {
            model.requireOpset(19);
            attributes.put("saturate", 0L);
        }
        String rounding = use.text("round_mode", "UP");
        if (!rounding.equals("UP")) {
            model.requireOpset(24);
            attributes.put("round_mode", rounding.toLowerCase(Locale.ROOT));
        }
        model.add(use, "Cast", use.inputs(), attributes);
    }
}
