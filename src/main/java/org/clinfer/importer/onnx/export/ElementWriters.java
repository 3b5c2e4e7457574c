package org.clinfer.importer.onnx.export;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Element-wise operators with one input that ONNX says otherwise. */
final class ElementWriters {

    private ElementWriters() {}

    static Map<String, NodeWriter> all() {
        Map<String, NodeWriter> all = new HashMap<>();
        all.put("Dropout", ElementWriters::dropout);
        all.put("Gelu", ElementWriters::gelu);
        all.put("Swish", ElementWriters::swish);
        all.put("Clip", ElementWriters::clip);
        all.put("Relu6", ElementWriters::relu6);
        all.put("PRelu", ElementWriters::prelu);
        return all;
    }

    private static void dropout(Use use, ModelWriter model) {
        use.ignore("ratio"); // nothing is dropped
        model.add(use, "Identity", List.of(use.input(0)), new AttributeWriter());
    }

    /** The formula, because the operator came with operator set 20. */
    private static void gelu(Use use, ModelWriter model) {
        DType dtype = use.dtype(0);
        String x = use.input(0);
        String inner;
        if (use.text("approximate", "NONE").equals("TANH")) {
            String square = model.step(use, "Mul", x, x);
            String weighted = model.step(use, "Mul", square, model.scalar(use, 0.044715, dtype));
            String factor = model.step(use, "Add", weighted, model.scalar(use, 1, dtype));
            String sum = model.step(use, "Mul", x, factor);
            String scaled = model.step(use, "Mul", sum, model.scalar(use, Math.sqrt(2 / Math.PI), dtype));
            inner = model.step(use, "Tanh", scaled);
        } else {
            String scaled = model.step(use, "Mul", x, model.scalar(use, Math.sqrt(0.5), dtype));
            inner = model.step(use, "Erf", scaled);
        }
        String more = model.step(use, "Add", inner, model.scalar(use, 1, dtype));
        String half = model.step(use, "Mul", x, model.scalar(use, 0.5, dtype));
        model.add(use, "Mul", List.of(half, more), new AttributeWriter());
    }

    /** The formula, because the operator came with operator set 24. */
    private static void swish(Use use, ModelWriter model) {
        double alpha = use.real("alpha", 1);
        String x = use.input(0);
        String inner = alpha == 1 ? x : model.step(use, "Mul", x, model.scalar(use, alpha, use.dtype(0)));
        String gate = model.step(use, "Sigmoid", inner);
        model.add(use, "Mul", List.of(x, gate), new AttributeWriter());
    }

    private static void clip(Use use, ModelWriter model) {
        String least = bound(use, model, 1, "min");
        String most = bound(use, model, 2, "max");
        model.add(use, "Clip", List.of(use.input(0), least, most), new AttributeWriter());
    }

    /** A scalar of the type of the input; {@code ""} if there is no such bound. */
    private static String bound(Use use, ModelWriter model, int input, String param) {
        if (use.hasInput(input)) {
            use.ignore(param);
            Optional<Tensor> constant = model.constant(use.input(input));
            return constant.isPresent() && constant.get().elements() == 1
                    ? model.scalar(use, constant.get().getDouble(0), use.dtype(0))
                    : model.asType(use, input, use.dtype(0));
        }
        return use.has(param) ? model.scalar(use, use.real(param), use.dtype(0)) : "";
    }

    private static void relu6(Use use, ModelWriter model) {
        DType dtype = use.dtype(0);
        List<String> inputs = List.of(use.input(0), model.scalar(use, 0, dtype), model.scalar(use, 6, dtype));
        model.add(use, "Clip", inputs, new AttributeWriter());
    }

    /** A slope for each channel has an axis of 1 for each one behind it. */
    private static void prelu(Use use, ModelWriter model) {
        String slope = use.input(1);
        if (isPerChannel(use)) {
            long[] sizes = IntStream.range(0, use.rank(0) - 1)
                    .mapToLong(axis -> axis == 0 ? -1 : 1)
                    .toArray();
            slope = model.reshaped(use, slope, sizes);
        }
        model.add(use, "PRelu", List.of(use.input(0), slope), new AttributeWriter());
    }

    /** {@return whether a vector of slopes is along the channels, where they are not the last axis} */
    private static boolean isPerChannel(Use use) {
        if (use.has("per_channel")) {
            return use.flag("per_channel", false);
        }
        Shape slope = use.shape(1).orElseThrow(() -> use.refused("slopes whose sizes are not known"));
        return slope.rank() == 1 && use.size(1, 0) != 1 && use.rank(0) > 2 && use.size(1, 0) == use.size(0, 1);
    }
}
