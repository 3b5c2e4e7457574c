package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Params;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Operators that make values: constants, sizes, ranges, filled tensors, indices as rows. */
final class TfConstantTranslators {

    private TfConstantTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.ofEntries(
                Map.entry("Const", TfConstantTranslators::constant),
                Map.entry("Placeholder", TfConstantTranslators::flag),
                Map.entry("Dequantize", TfConstantTranslators::dequantize),
                Map.entry("Shape", TfConstantTranslators::shape),
                Map.entry("ShapeN", TfConstantTranslators::shapes),
                Map.entry("Size", TfConstantTranslators::size),
                Map.entry("Rank", TfConstantTranslators::rank),
                Map.entry("Range", TfConstantTranslators::range),
                Map.entry("LinSpace", TfConstantTranslators::evenlySpaced),
                Map.entry("Fill", TfConstantTranslators::fill),
                Map.entry("ZerosLike", call -> like(call, 0)),
                Map.entry("OnesLike", call -> like(call, 1)),
                Map.entry("OneHot", TfConstantTranslators::oneHot));
    }

    private static void constant(TfCall call) {
        TensorProto proto = call.node().tensor("value");
        if (call.node().type("dtype").orElse(proto.getDtype()) != proto.getDtype()) {
            throw call.malformed("attribute 'dtype' is another type than that of the value");
        }
        if (TfTensorReader.isCode(proto.getDtype())) {
            // read by Dequantize as it stands in the file
            Shape shape = TfTensorReader.shape(proto, call.node().source());
            call.give(0, call.graph().codes(call.node().name(), proto, shape));
            return;
        }
        if (TfComplex.is(proto.getDtype())) {
            Tensor parts = TfTensorReader.read(
                    TfComplex.asReal(call, proto), call.node().source());
            TfComplex.give(call, call.constant("parts", parts));
            return;
        }
        Optional<Tensor> repeated = TfTensorReader.repeated(proto, call.node().source());
        if (repeated.isPresent()) {
            long[] sizes = TfTensorReader.shape(proto, call.node().source()).sizes();
            call.give("Expand", call.constant("number", repeated.get()), call.constant(sizes));
            return;
        }
        Tensor tensor = TfTensorReader.read(proto, call.node().source());
        call.give(0, call.graph().constant(call.node().name(), tensor));
    }

    /** A flag that tells training from inference is false. */
    private static void flag(TfCall call) {
        Tensor no = Tensor.allocate(DType.BOOL);
        call.give(0, call.graph().constant(call.node().name(), no));
    }

    /** Constants alone, as converters store weights in 8 bits. */
    private static void dequantize(TfCall call) {
        TensorProto codes =
                call.graph().codes(call.input(0)).orElseThrow(() -> call.unsupportedUse("codes that are computed"));
        double min = number(call, 1);
        double max = number(call, 2);
        String mode = call.node().text("mode", "MIN_COMBINED");
        if (call.node().flag("narrow_range", false)) {
            throw call.unsupportedUse("narrow_range");
        }
        if (call.node().integer("axis", -1) != -1) {
            throw call.unsupportedUse("axis " + call.node().integer("axis", -1));
        }
        if (call.node().dtype("dtype").orElse(DType.FLOAT32) != DType.FLOAT32) {
            throw call.unsupportedUse("a dtype other than float32");
        }
        boolean signed = codes.getDtype() == DataType.DT_QINT8;
        byte[] bytes = TfTensorReader.codes(codes, call.node().source());
        Tensor tensor = Tensor.allocate(new TensorType(
                DType.FLOAT32, TfTensorReader.shape(codes, call.node().source())));
        for (int i = 0; i < bytes.length; i++) {
            int above = signed ? bytes[i] + 128 : bytes[i] & 0xff;
            tensor.setDouble(i, decoded(call, mode, above, min, max));
        }
        call.give(0, call.graph().constant(call.node().name(), tensor));
    }

    /** The number that a quantized value stands for, which is so far above the lowest one. */
    private static double decoded(TfCall call, String mode, int above, double min, double max) {
        float step = (float) ((max - min) / 255);
        return switch (mode) {
            case "MIN_FIRST" -> min == max ? min : Math.round(min / step) * (double) step + above * (double) step;
            case "MIN_COMBINED" -> min + above * (double) step;
            default -> throw call.unsupportedUse("mode " + mode);
        };
    }

    private static double number(TfCall call, int input) {
        Tensor tensor = call.constant(input).orElseThrow(() -> call.unsupportedUse("a computed range"));
        if (tensor.elements() != 1) {
            throw call.malformed("input " + input + " must be one number, but is " + tensor.type());
        }
        return tensor.getDouble(0);
    }

    private static DType outType(TfCall call) {
        return call.node().dtype("out_type").orElse(DType.INT32);
    }

    private static void shape(TfCall call) {
        shape(call, 0);
    }

    private static void shapes(TfCall call) {
        for (int port = 0; port < call.inputs().size(); port++) {
            shape(call, port);
        }
    }

    private static void shape(TfCall call, int port) {
        TfValue x = call.input(port);
        String sizes = call.step("Shape", x.stored());
        if (x.second()) {
            String order = call.constant(ChannelAxes.toLast(call.rank(x)));
            sizes = call.step("Gather", List.of(sizes, order), new Params().put("axis", 0));
        }
        call.give(
                port,
                "Cast",
                List.of(sizes),
                new Params().put("to", outType(call).label()),
                false);
    }

    private static void size(TfCall call) {
        String count = call.step("Size", call.input(0).stored());
        call.give("Cast", List.of(count), new Params().put("to", outType(call).label()));
    }

    private static void rank(TfCall call) {
        String sizes = call.step("Shape", call.input(0).stored());
        String count = call.step("Size", sizes);
        call.give("Cast", List.of(count), new Params().put("to", DType.INT32.label()));
    }

    private static void range(TfCall call) {
        List<String> operands = List.of(call.plain(0), call.plain(1), call.plain(2));
        call.give("Range", operands, new Params());
    }

    /** Equal steps between two numbers; the last one is the second of them itself. */
    private static void evenlySpaced(TfCall call) {
        DType type = call.dtype(call.input(0));
        String count = call.cast(call.plain(2), DType.INT64);
        String one = call.scalar(DType.INT64, 1);
        String steps = call.step("Max", call.step("Sub", count, one), one);
        String numbers = call.step("Range", call.scalar(DType.INT64, 0), count, one);
        String step = call.step("Div", call.step("Sub", call.plain(1), call.plain(0)), call.cast(steps, type));
        String inner = call.step("Add", call.plain(0), call.step("Mul", call.cast(numbers, type), step));
        call.give("Where", call.step("Equal", numbers, steps), call.plain(1), inner);
    }

    private static void fill(TfCall call) {
        call.give("Expand", call.plain(1), call.plain(0));
    }

    private static void like(TfCall call, double number) {
        TfValue x = call.input(0);
        String sizes = call.step("Shape", x.stored());
        call.give("Expand", List.of(call.scalar(call.dtype(x), number), sizes), new Params(), x.second());
    }

    /** An index outside of the axis is nowhere: negative ones do not count from the end. */
    private static void oneHot(TfCall call) {
        TfValue indices = call.input(0);
        long depth = call.requiredInteger(1, "depth");
        if (depth < 0 || depth > 1 << 24) {
            throw call.malformed("its depth is " + depth);
        }
        int axis = call.axis(call.node().integer("axis", -1), call.rank(indices) + 1);
        Params first = new Params().put("axis", new long[] {0});
        String off = call.step("Unsqueeze", List.of(call.plain(3)), first);
        String on = call.step("Unsqueeze", List.of(call.plain(2)), first);
        String values = call.step("Concat", List.of(off, on), new Params().put("axis", 0L));
        Params params = new Params().put("axis", (long) axis).put("wrap", false);
        call.give("OneHot", List.of(call.plain(indices), call.constant(depth), values), params);
    }
}
