package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.importer.tensorflow.proto.AttrValue;

/** Convolutions and products with what follows them in the same node, which are translated one after the other. */
final class TfFusedTranslators {

    /** Operators that may follow, with the number of inputs that each takes beside the result of before. */
    private static final Map<String, Integer> FOLLOWERS = Map.of(
            "BiasAdd", 1,
            "Add", 1,
            "Prelu", 1,
            "FusedBatchNorm", 4,
            "Relu", 0,
            "Relu6", 0,
            "Elu", 0,
            "LeakyRelu", 0,
            "Sigmoid", 0,
            "Tanh", 0);

    private final Map<String, TfTranslator> translators;

    /** @param translators those of the operators that nodes are fused of */
    TfFusedTranslators(Map<String, TfTranslator> translators) {
        this.translators = Collections.unmodifiableMap(translators);
    }

    Map<String, TfTranslator> all() {
        return Map.of(
                "_FusedConv2D", call -> fused(call, "Conv2D"),
                "_FusedDepthwiseConv2dNative", call -> fused(call, "DepthwiseConv2dNative"),
                "FusedDepthwiseConv2dNative", call -> fused(call, "DepthwiseConv2dNative"),
                "_FusedMatMul", call -> fused(call, "MatMul"));
    }

    private void fused(TfCall call, String first) {
        call.input(1);
        requirePlain(call);
        Iterator<TfValue> inputs = call.inputs().iterator();
        TfValue value = translated(call, first, List.of(inputs.next(), inputs.next()));
        for (String follower : call.node().texts("fused_ops")) {
            Integer count = FOLLOWERS.get(follower);
            if (count == null) {
                throw call.unsupportedUse("fused_ops " + follower);
            }
            List<TfValue> taken = new ArrayList<>(List.of(value));
            for (int i = 0; i < count; i++) {
                if (!inputs.hasNext()) {
                    throw call.malformed("it has no input for its " + follower);
                }
                taken.add(inputs.next());
            }
            value = translated(call, follower, taken);
        }
        if (inputs.hasNext()) {
            throw call.malformed("it has more inputs than its fused_ops take");
        }
        call.give(0, value);
    }

    private static void requirePlain(TfCall call) {
        String format = call.node().text("filter_format", "HWIO");
        if (!format.equals("HWIO")) {
            throw call.unsupportedUse("filter_format " + format);
        }
        if (call.node().integer("num_host_args", 0) != 0) {
            throw call.unsupportedUse("num_host_args " + call.node().integer("num_host_args", 0));
        }
        int arguments = call.inputs().size() - 2;
        if (call.node().integer("num_args", arguments) != arguments) {
            throw call.malformed("attribute 'num_args' is " + call.node().integer("num_args", 0) + ", but it has "
                    + arguments + " inputs behind the weights");
        }
    }

    private TfValue translated(TfCall call, String op, List<TfValue> inputs) {
        float slope = (float) call.node().real("leakyrelu_alpha", 0.2f);
        Map<String, AttrValue> others = Map.of(
                "alpha", AttrValue.newBuilder().setF(slope).build(),
                "is_training", AttrValue.newBuilder().setB(false).build());
        String name = call.graph().freshName(call.node().name() + "/" + op);
        TfCall part = call.as(call.node().part(op, name, others), inputs);
        Objects.requireNonNull(translators.get(op)).translate(part);
        return Objects.requireNonNull(part.outputs().get(0));
    }
}
