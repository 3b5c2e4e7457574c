package org.clinfer.importer.caffe;

import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** Functions of each element. */
final class CaffeActivationLayers {

    private static final double PRELU_START = 0.25;

    private CaffeActivationLayers() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        plain(all, "AbsVal", "Abs", "abs_val_param");
        plain(all, "BNLL", "Softplus", "bnll_param");
        plain(all, "ReLU6", "Relu6", "relu6_param");
        plain(all, "Sigmoid", "Sigmoid", "sigmoid_param");
        plain(all, "TanH", "Tanh", "tanh_param");
        plain(all, "Softplus", "Softplus", "softplus_param");
        plain(all, "Softsign", "Softsign", "softsign_param");
        plain(all, "HardSwish", "HardSwish", "hard_swish_param");
        all.one("ReLU", CaffeActivationLayers::relu);
        all.one("PReLU", CaffeActivationLayers::prelu);
        all.one(
                "ELU",
                call -> call.add(
                        "Elu",
                        List.of(call.input()),
                        new Params().put("alpha", call.params("elu_param").real("alpha", 1))));
        all.one(
                "Swish",
                call -> call.add(
                        "Swish",
                        List.of(call.input()),
                        new Params().put("alpha", call.params("swish_param").real("beta", 1))));
        all.one("Clip", CaffeActivationLayers::clip);
        all.one("Mish", call -> call.add("Mish", call.input()));
        all.one("Threshold", CaffeActivationLayers::threshold);
    }

    private static void plain(LayerTable<CaffeLayerCall> all, String type, String op, String params) {
        all.one(type, call -> {
            call.params(params).ignore("engine");
            return call.add(op, call.input());
        });
    }

    private static Value relu(CaffeLayerCall call) {
        CaffeFields params = call.params("relu_param");
        params.ignore("engine");
        double slope = params.real("negative_slope", 0);
        if (params.flag("relu6", false)) {
            if (slope != 0) {
                throw call.unsupportedUse("'relu6' and 'negative_slope'");
            }
            return call.add("Relu6", call.input());
        }
        return slope == 0
                ? call.add("Relu", call.input())
                : call.add("LeakyRelu", List.of(call.input()), new Params().put("alpha", slope));
    }

    private static Value prelu(CaffeLayerCall call) {
        CaffeFields params = call.params("prelu_param");
        Value x = call.input();
        Filler filler = params.has("filler") ? Filler.of(params, "filler") : new Filler(PRELU_START);
        if (params.flag("channel_shared", false)) {
            return call.add("PRelu", x, call.weight(0, "slope", Shape.of(1), filler));
        }
        if (x.rank() < 2) {
            throw call.malformed("its bottom must have channels, but has " + x.rank() + " axes");
        }
        Params perChannel = new Params().put("per_channel", true);
        if (!call.blobs().isEmpty()) {
            Shape shape = Shape.of(Blobs.elements(call.blobs().get(0)));
            return call.add("PRelu", List.of(x, call.weight(0, "slope", shape, filler)), perChannel);
        }
        if (x.shape().dim(1) instanceof Dim.Known channels) {
            Value slope = call.weight(0, "slope", Shape.of(channels.size()), filler);
            return call.add("PRelu", List.of(x, slope), perChannel);
        }
        Shape open = new Shape(List.of(Dim.unknown()));
        Value slope = call.weight(0, "slope", List.of(call.sizes(x, 1, 2)), open, filler);
        return call.add("PRelu", List.of(x, slope), perChannel);
    }

    private static Value clip(CaffeLayerCall call) {
        CaffeFields params = call.params("clip_param");
        if (!params.has("min") || !params.has("max")) {
            throw params.wrong("min", "both bounds must be given");
        }
        return call.add(
                "Clip",
                List.of(call.input()),
                new Params().put("min", params.real("min", 0)).put("max", params.real("max", 0)));
    }

    private static Value threshold(CaffeLayerCall call) {
        double threshold = call.params("threshold_param").real("threshold", 0);
        Value above = call.add("Greater", call.input(), call.number("threshold", threshold));
        return call.add("Cast", List.of(above), new Params().put("to", DType.FLOAT32.toString()));
    }
}
