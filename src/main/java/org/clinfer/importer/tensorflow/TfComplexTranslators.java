package org.clinfer.importer.tensorflow;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.clinfer.importer.Angle;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Params;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.tensor.DType;

/** Operators that take or give complex numbers, but for the Fourier transforms. */
final class TfComplexTranslators {

    /** Operators of real numbers that do with each part what they do with a number. */
    private static final Set<String> PARTWISE = Set.of(
            "Add",
            "AddN",
            "AddV2",
            "BroadcastTo",
            "Concat",
            "ConcatV2",
            "ExpandDims",
            "Gather",
            "GatherV2",
            "Mean",
            "Neg",
            "Pack",
            "Pad",
            "PadV2",
            "Reshape",
            "ReverseV2",
            "Roll",
            "Select",
            "SelectV2",
            "Slice",
            "Split",
            "SplitV",
            "Squeeze",
            "StridedSlice",
            "Sub",
            "Sum",
            "Tile",
            "Transpose",
            "Unpack",
            "ZerosLike");

    /** Operators that give real numbers for complex ones. */
    private static final Set<String> GIVE_REAL =
            Set.of("Angle", "Cast", "ComplexAbs", "Imag", "IRFFT", "IRFFT2D", "Real", "Shape");

    private TfComplexTranslators() {}

    /** Those that make complex numbers of real ones. */
    static Map<String, TfTranslator> ofReal() {
        return Map.of("Complex", call -> TfComplex.give(call, complex(call)));
    }

    /** Those of complex numbers. */
    static Map<String, TfTranslator> ofComplex() {
        Map<String, TfTranslator> all = new HashMap<>(TfFourierTranslators.ofComplex());
        all.put("Real", call -> part(call, 0));
        all.put("Imag", call -> part(call, 1));
        all.put("ComplexAbs", TfComplexTranslators::distance);
        all.put("Angle", TfComplexTranslators::angle);
        all.put("Conj", TfComplexTranslators::mirrored);
        all.put("Mul", TfComplexTranslators::product);
        all.put("Div", TfComplexTranslators::quotient);
        all.put("RealDiv", TfComplexTranslators::quotient);
        all.put("Exp", TfComplexTranslators::exponential);
        all.put("Shape", TfComplexTranslators::shape);
        all.put("Cast", TfComplexTranslators::cast);
        return all;
    }

    /** The translator of a node with complex inputs, of those of real numbers. */
    static Optional<TfTranslator> find(
            TfNode node, Map<String, TfTranslator> ofComplex, Optional<TfTranslator> ofReal) {
        return PARTWISE.contains(node.op())
                ? ofReal.map(real -> call -> eachPart(call, real))
                : Optional.ofNullable(ofComplex.get(node.op()));
    }

    /** {@return whether a node gives complex numbers} */
    static boolean gives(TfNode node, boolean takesComplex) {
        return takesComplex
                ? !GIVE_REAL.contains(node.op())
                : node.op().equals("Complex")
                        || node.op().startsWith("RFFT")
                        || isOf(node, "DstT")
                        || (node.op().equals("Const") && isOf(node, "dtype"));
    }

    private static boolean isOf(TfNode node, String attribute) {
        return node.type(attribute).filter(TfComplex::is).isPresent();
    }

    private static void eachPart(TfCall call, TfTranslator translator) {
        Map<Integer, TfValue> real = TfComplex.ofPart(call, translator, 0);
        Map<Integer, TfValue> imaginary = TfComplex.ofPart(call, translator, 1);
        real.forEach((port, value) -> TfComplex.give(
                call,
                port,
                TfComplex.joined(call, call.plain(value), call.plain(Objects.requireNonNull(imaginary.get(port))))));
    }

    private static String complex(TfCall call) {
        // the part that broadcasts is repeated
        String everywhere = call.scalar(DType.BOOL, 1);
        return TfComplex.joined(
                call,
                call.step("Where", everywhere, call.plain(0), call.plain(1)),
                call.step("Where", everywhere, call.plain(1), call.plain(0)));
    }

    /** Real numbers as complex ones without an imaginary part. */
    static void ofReal(TfCall call) {
        if (call.node().type("DstT").filter(DataType.DT_COMPLEX64::equals).isEmpty()) {
            throw call.unsupportedUse("complex numbers of two doubles");
        }
        String real = call.cast(call.plain(0), DType.FLOAT32);
        TfComplex.give(call, TfComplex.joined(call, real, call.step("Mul", real, call.scalar(DType.FLOAT32, 0))));
    }

    private static void part(TfCall call, int which) {
        call.give("Identity", TfComplex.part(call, TfComplex.stored(call, 0), which));
    }

    private static void cast(TfCall call) {
        if (isOf(call.node(), "DstT")) {
            throw call.unsupportedUse("complex numbers of two doubles");
        }
        DType to = call.node().dtype("DstT").orElseThrow(() -> call.malformed("attribute 'DstT' is missing"));
        call.give(
                "Cast",
                List.of(TfComplex.part(call, TfComplex.stored(call, 0), 0)),
                new Params().put("to", to.label()));
    }

    private static void shape(TfCall call) {
        long[] axes = ChannelAxes.range(0, TfComplex.rank(call));
        String sizes = call.step("Shape", TfComplex.stored(call, 0));
        call.give(
                "Cast",
                List.of(call.step("Gather", List.of(sizes, call.constant(axes)), new Params().put("axis", 0L))),
                new Params()
                        .put(
                                "to",
                                call.node()
                                        .dtype("out_type")
                                        .orElse(DType.INT32)
                                        .label()));
    }

    private static void distance(TfCall call) {
        Params last = new Params().put("axis", new long[] {-1}).put("keep_dims", false);
        call.give("ReduceL2", List.of(TfComplex.stored(call, 0)), last);
    }

    private static void angle(TfCall call) {
        String x = TfComplex.stored(call, 0);
        DType type = call.dtype(call.input(0));
        Angle<String> angle =
                new Angle<>((op, names) -> call.step(op, names, new Params()), number -> call.scalar(type, number));
        call.give("Where", angle.where(TfComplex.part(call, x, 1), TfComplex.part(call, x, 0)), new Params());
    }

    private static String conjugate(TfCall call, String x) {
        return TfComplex.joined(call, TfComplex.part(call, x, 0), call.step("Neg", TfComplex.part(call, x, 1)));
    }

    private static void mirrored(TfCall call) {
        TfComplex.give(call, conjugate(call, TfComplex.stored(call, 0)));
    }

    private static String product(TfCall call, String x, String y) {
        String[] a = {TfComplex.part(call, x, 0), TfComplex.part(call, x, 1)};
        String[] b = {TfComplex.part(call, y, 0), TfComplex.part(call, y, 1)};
        return TfComplex.joined(
                call,
                call.step("Sub", call.step("Mul", a[0], b[0]), call.step("Mul", a[1], b[1])),
                call.step("Add", call.step("Mul", a[0], b[1]), call.step("Mul", a[1], b[0])));
    }

    private static void product(TfCall call) {
        TfComplex.give(call, product(call, TfComplex.stored(call, 0), TfComplex.stored(call, 1)));
    }

    /** The product with the conjugate of the divisor, divided by the square of its distance from 0. */
    private static void quotient(TfCall call) {
        String divisor = TfComplex.stored(call, 1);
        Params last = new Params().put("axis", new long[] {-1}).put("keep_dims", true);
        String square = call.step("ReduceSumSquare", List.of(divisor), last);
        String product = product(call, TfComplex.stored(call, 0), conjugate(call, divisor));
        TfComplex.give(call, call.step("Div", product, square));
    }

    private static void exponential(TfCall call) {
        String x = TfComplex.stored(call, 0);
        String size = call.step("Exp", TfComplex.part(call, x, 0));
        String angle = TfComplex.part(call, x, 1);
        TfComplex.give(
                call,
                TfComplex.joined(
                        call,
                        call.step("Mul", size, call.step("Cos", angle)),
                        call.step("Mul", size, call.step("Sin", angle))));
    }
}
