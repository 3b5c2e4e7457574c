package org.clinfer.importer.ncnn;

import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;

/** Functions of each element, as layers and as the end of a convolution. */
final class NcnnActivationLayers {

    private static final double LOWEST = -Float.MAX_VALUE;

    /** Files have six digits behind the point. */
    private static final double DIGITS = 1e-6;

    private static final int FUSED = 9;
    private static final int FUSED_PARAMS = 10;

    private NcnnActivationLayers() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        plain(all, "AbsVal", "Abs");
        plain(all, "BNLL", "Softplus");
        plain(all, "DeepCopy", "Identity");
        plain(all, "Erf", "Erf");
        plain(all, "Mish", "Mish");
        plain(all, "Sigmoid", "Sigmoid");
        plain(all, "Softplus", "Softplus");
        plain(all, "Swish", "Swish");
        plain(all, "TanH", "Tanh");
        all.one("ReLU", call -> relu(call, call.input(), call.params().real(0, 0)));
        all.one("PReLU", NcnnActivationLayers::prelu);
        all.one(
                "ELU",
                call -> call.add(
                        "Elu",
                        List.of(call.input()),
                        new Params().put("alpha", call.params().real(0, 0.1f))));
        all.one("SELU", NcnnActivationLayers::selu);
        all.one("HardSigmoid", call -> hardSigmoid(call, call.input(), slope(call), shift(call)));
        all.one("HardSwish", call -> hardSwish(call, call.input(), slope(call), shift(call)));
        all.one(
                "GELU",
                call -> call.add(
                        "Gelu",
                        List.of(call.input()),
                        new Params().put("approximate", call.params().flag(0, false) ? "TANH" : "NONE")));
        all.one(
                "Clip",
                call -> clip(
                        call,
                        call.input(),
                        call.params().real(0, LOWEST),
                        call.params().real(1, Float.MAX_VALUE)));
        all.one("Threshold", NcnnActivationLayers::threshold);
        all.one(
                "CELU",
                call -> call.add(
                        "Celu",
                        List.of(call.input()),
                        new Params().put("alpha", call.params().real(0, 1))));
        all.one(
                "Shrink",
                call -> call.add(
                        "Shrink",
                        List.of(call.input()),
                        new Params()
                                .put("bias", call.params().real(0, 0))
                                .put("lambd", call.params().real(1, 0.5f))));
        all.one("GLU", NcnnActivationLayers::gated);
    }

    /** The first half of an axis, times the sigmoid of the second. */
    private static Value gated(NcnnLayerCall call) {
        Value x = call.input();
        Params halves = new Params()
                .put("axis", (long) call.axis(0, call.params().integer(0, 0), x))
                .put("num_outputs", 2L);
        List<Value> parts = call.addAll("Split", List.of(x), halves, 2);
        return call.add("Mul", parts.get(0), call.add("Sigmoid", parts.get(1)));
    }

    private static void plain(LayerTable<NcnnLayerCall> all, String type, String op) {
        all.one(type, call -> call.add(op, call.input()));
    }

    private static double slope(NcnnLayerCall call) {
        return call.params().real(0, 0.2f);
    }

    private static double shift(NcnnLayerCall call) {
        return call.params().real(1, 0.5f);
    }

    /** The activation that a convolution or an inner product applies to each element at the end. */
    static Value fused(NcnnLayerCall call, Value x) {
        LayerParams params = call.params();
        int type = params.integer(FUSED, 0);
        List<Double> given = params.reals(FUSED_PARAMS);
        int needed = switch (type) {
            case 2 -> 1;
            case 3, 6 -> 2;
            default -> 0;
        };
        if (given.size() < needed) {
            throw params.wrong(
                    FUSED_PARAMS,
                    "activation " + type + " needs " + needed + " numbers, but there are " + given.size());
        }
        if (type != 0) {
            call.main(x);
        }
        return switch (type) {
            case 0 -> x;
            case 1 -> call.add("Relu", x);
            case 2 -> relu(call, x, given.get(0));
            case 3 -> clip(call, x, given.get(0), given.get(1));
            case 4 -> call.add("Sigmoid", x);
            case 5 -> call.add("Mish", x);
            case 6 -> hardSwish(call, x, given.get(0), given.get(1));
            default -> throw call.unsupportedUse("activation " + type);
        };
    }

    private static Value relu(NcnnLayerCall call, Value x, double slope) {
        return slope == 0 ? call.add("Relu", x) : call.add("LeakyRelu", List.of(x), new Params().put("alpha", slope));
    }

    private static Value hardSigmoid(NcnnLayerCall call, Value x, double alpha, double beta) {
        return call.add(
                "HardSigmoid", List.of(x), new Params().put("alpha", alpha).put("beta", beta));
    }

    private static Value hardSwish(NcnnLayerCall call, Value x, double alpha, double beta) {
        return Math.abs(alpha - 1.0 / 6) < DIGITS && beta == 0.5
                ? call.add("HardSwish", x)
                : call.add("Mul", x, hardSigmoid(call, x, alpha, beta));
    }

    private static Value clip(NcnnLayerCall call, Value x, double least, double most) {
        if (least > most) {
            throw call.malformed("it keeps numbers between " + least + " and " + most);
        }
        return least == 0 && most == 6
                ? call.add("Relu6", x)
                : call.add("Clip", List.of(x), new Params().put("min", least).put("max", most));
    }

    private static Value selu(NcnnLayerCall call) {
        double alpha = call.params().real(0, 1.6732632f);
        double lambda = call.params().real(1, 1.050701f);
        return call.add(
                "Selu", List.of(call.input()), new Params().put("alpha", alpha).put("gamma", lambda));
    }

    private static Value prelu(NcnnLayerCall call) {
        Value x = call.input();
        int count = call.params().size(0, 0, 1);
        Value slope = call.weight("slope", NcnnWeights.Kind.RAW, call.shape(count));
        if (count == 1) {
            return call.add("PRelu", x, slope);
        }
        return call.add("PRelu", List.of(x, slope), new Params().put("per_channel", true));
    }

    private static Value threshold(NcnnLayerCall call) {
        Value above = call.add(
                "Greater", call.input(), call.number("threshold", call.params().real(0, 0)));
        return call.add("Cast", List.of(above), new Params().put("to", DType.FLOAT32.toString()));
    }
}
