package org.clinfer.importer.tensorflow;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Operators that compute each element from one, or pass their input on. */
final class TfElementTranslators {

    /** Operators that give their first input as it is. */
    static final Set<String> ALIASES = Set.of(
            "Identity",
            "StopGradient",
            "PreventGradient",
            "CheckNumerics",
            "Snapshot",
            "GuaranteeConst",
            "EnsureShape",
            "Print",
            "PlaceholderWithDefault",
            "ReadVariableOp");

    /** Operators that have other names in Clinfer, or the same. */
    private static final Map<String, String> PLAIN = Map.ofEntries(
            Map.entry("Relu", "Relu"),
            Map.entry("Relu6", "Relu6"),
            Map.entry("Selu", "Selu"),
            Map.entry("Sigmoid", "Sigmoid"),
            Map.entry("Tanh", "Tanh"),
            Map.entry("Softplus", "Softplus"),
            Map.entry("Softsign", "Softsign"),
            Map.entry("Exp", "Exp"),
            Map.entry("Log", "Log"),
            Map.entry("Sqrt", "Sqrt"),
            Map.entry("Abs", "Abs"),
            Map.entry("Neg", "Neg"),
            Map.entry("Reciprocal", "Reciprocal"),
            Map.entry("Inv", "Reciprocal"),
            Map.entry("Floor", "Floor"),
            Map.entry("Ceil", "Ceil"),
            Map.entry("Round", "Round"),
            Map.entry("Rint", "Round"),
            Map.entry("Sign", "Sign"),
            Map.entry("Erf", "Erf"),
            Map.entry("Sin", "Sin"),
            Map.entry("Cos", "Cos"),
            Map.entry("Tan", "Tan"),
            Map.entry("Asin", "Asin"),
            Map.entry("Acos", "Acos"),
            Map.entry("Atan", "Atan"),
            Map.entry("Sinh", "Sinh"),
            Map.entry("Cosh", "Cosh"),
            Map.entry("Asinh", "Asinh"),
            Map.entry("Acosh", "Acosh"),
            Map.entry("Atanh", "Atanh"),
            Map.entry("Invert", "BitwiseNot"),
            Map.entry("LogicalNot", "Not"));

    /** Operators whose output has as many axes, and channels, as their first input. */
    static final Set<String> KEEPS_AXES = Stream.of(
                    PLAIN.keySet(),
                    ALIASES,
                    Set.of("LeakyRelu", "Elu", "Square", "Rsqrt", "Cast", "BiasAdd", "SpaceToBatchND", "Softmax"))
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    /** Operators of two inputs that broadcast. */
    static final Set<String> ARITHMETIC =
            Set.of("Add", "AddV2", "Sub", "Mul", "RealDiv", "Maximum", "Minimum", "SquaredDifference");

    private TfElementTranslators() {}

    static Map<String, TfTranslator> all() {
        Map<String, TfTranslator> all = new HashMap<>();
        ALIASES.forEach(op -> all.put(op, call -> call.give(0, call.input(0))));
        PLAIN.forEach((op, ours) -> all.put(op, call -> unary(call, ours, new Params())));
        all.put("IdentityN", TfElementTranslators::identities);
        all.put(
                "LeakyRelu",
                call -> unary(
                        call, "LeakyRelu", new Params().put("alpha", call.node().real("alpha", 0.2f))));
        all.put("Elu", call -> unary(call, "Elu", new Params().put("alpha", 1.0)));
        all.put("Dropout", TfElementTranslators::dropout);
        all.put("Square", TfElementTranslators::square);
        all.put("Rsqrt", call -> after(call, "Sqrt", "Reciprocal"));
        all.put("Cast", TfElementTranslators::cast);
        all.put("Bitcast", TfElementTranslators::bits);
        all.put("Erfc", TfElementTranslators::errorLeft);
        all.put("IsNan", TfElementTranslators::isNan);
        all.put("IsInf", call -> besideInfinity(call, "Equal"));
        all.put("IsFinite", call -> besideInfinity(call, "Less"));
        all.put("Log1p", TfElementTranslators::logOfOneMore);
        all.put("Expm1", TfElementTranslators::exponentialLessOne);
        return all;
    }

    private static TfValue unary(TfCall call, String op, Params params) {
        TfValue x = call.input(0);
        return call.give(op, List.of(x.stored()), params, x.second());
    }

    private static void identities(TfCall call) {
        for (int port = 0; port < call.inputs().size(); port++) {
            call.give(port, call.input(port));
        }
    }

    /** The function that training calls under this name, which has a flag: without training it drops nothing. */
    private static void dropout(TfCall call) {
        boolean training = call.inputs().size() > 1
                && call.integers(1)
                        .filter(flag -> flag.length == 1 && flag[0] == 0)
                        .isEmpty();
        if (training) {
            throw call.unsupportedUse("a flag that is not known to be false");
        }
        call.give(0, call.input(0));
    }

    private static void square(TfCall call) {
        TfValue x = call.input(0);
        call.give("Mul", List.of(x.stored(), x.stored()), new Params(), x.second());
    }

    private static void after(TfCall call, String first, String second) {
        TfValue x = call.input(0);
        String inner = call.step(first, x.stored());
        call.give(second, List.of(inner), new Params(), x.second());
    }

    private static String one(TfCall call, TfValue x) {
        return call.scalar(x.dtype().orElse(DType.FLOAT32), 1);
    }

    /** log(1 + x), right for small numbers too. */
    static String logOfOneMore(TfCall call, String x, String one) {
        String sum = call.step("Add", x, one);
        String log = call.step("Log", sum);
        // the sum is rounded, and x with it: log(sum) is right for sum - 1
        String share = call.step("Div", x, call.step("Sub", sum, one));
        String corrected = call.step("Mul", log, share);
        String large = call.step("Where", call.step("Equal", sum, x), log, corrected);
        return call.step("Where", call.step("Equal", sum, one), x, large);
    }

    private static void logOfOneMore(TfCall call) {
        TfValue x = call.input(0);
        String log = logOfOneMore(call, x.stored(), one(call, x));
        call.give("Identity", List.of(log), new Params(), x.second());
    }

    private static void errorLeft(TfCall call) {
        TfValue x = call.input(0);
        String error = call.step("Erf", x.stored());
        call.give("Sub", List.of(one(call, x), error), new Params(), x.second());
    }

    /** A NaN alone is not equal to itself. */
    private static void isNan(TfCall call) {
        TfValue x = call.input(0);
        String equal = call.step("Equal", x.stored(), x.stored());
        call.give("Not", List.of(equal), new Params(), x.second());
    }

    /** Compares the distance from 0 with infinity; a NaN is not below it. */
    private static void besideInfinity(TfCall call, String op) {
        TfValue x = call.input(0);
        String distance = call.step("Abs", x.stored());
        String infinity = call.scalar(call.dtype(x), Double.POSITIVE_INFINITY);
        call.give(op, List.of(distance, infinity), new Params(), x.second());
    }

    private static void exponentialLessOne(TfCall call) {
        TfValue x = call.input(0);
        DType type = x.dtype().orElse(DType.FLOAT32);
        String one = one(call, x);
        String far = call.step("Sub", call.step("Exp", x.stored()), one);
        // close to 0 the difference has few digits: e^x - 1 = 2t / (1 - t) with t = tanh(x / 2)
        String half = call.scalar(type, 0.5);
        String tangent = call.step("Tanh", call.step("Mul", x.stored(), half));
        String close = call.step("Div", call.step("Add", tangent, tangent), call.step("Sub", one, tangent));
        String isClose = call.step("Less", call.step("Abs", x.stored()), half);
        call.give("Where", List.of(isClose, close, far), new Params(), x.second());
    }

    private static void bits(TfCall call) {
        DType to = call.node().dtype("type").orElseThrow(() -> call.malformed("attribute 'type' is missing"));
        TfValue x = call.input(0);
        DType from = call.dtype(x);
        if (from.bits() != to.bits()) {
            throw call.unsupportedUse("elements of " + from.label() + " and of type " + to.label()
                    + ", which have another number of bits");
        }
        call.give("BitCast", List.of(x.stored()), new Params().put("to", to.label()), x.second());
    }

    private static void cast(TfCall call) {
        if (call.node().flag("Truncate", false)) {
            throw call.unsupportedUse("Truncate");
        }
        if (call.node().type("DstT").filter(TfComplex::is).isPresent()) {
            TfComplexTranslators.ofReal(call);
            return;
        }
        DType to = call.node().dtype("DstT").orElseThrow(() -> call.malformed("attribute 'DstT' is missing"));
        TfValue x = call.input(0);
        Optional<Tensor> tensor = call.constant(0);
        if (tensor.isPresent() && x.dtype().isPresent() && to.isFloating()) {
            call.give(0, call.graph().constant(call.node().name(), tensor.get().to(to)));
            return;
        }
        call.give("Cast", List.of(x.stored()), new Params().put("to", to.label()), x.second());
    }
}
