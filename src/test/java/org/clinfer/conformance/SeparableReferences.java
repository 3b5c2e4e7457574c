package org.clinfer.conformance;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.Attribute;
import org.jspecify.annotations.Nullable;

/**
 * Separable convolutions as the convolutions they consist of: inputs x, expanding weights and bias, weights and bias of
 * each channel, projecting weights and bias, residual.
 */
final class SeparableReferences {

    private static final List<String> NO_ACTIVATIONS = List.of("NONE", "NONE", "NONE");

    private SeparableReferences() {}

    static Map<String, Reference> all() {
        return Map.of("BlockedSeparableConv", Reference.single(SeparableReferences::separable));
    }

    private static Array separable(Call call) {
        Array x = call.input(0);
        if (call.hasInput(1)) {
            x = BlockedReferences.convolution(expanding(call));
        }
        return BlockedReferences.convolution(projecting(call, BlockedReferences.convolution(filtering(call, x))));
    }

    /** The first convolution. */
    static Call expanding(Call call) {
        Map<String, Attribute> params = new HashMap<>();
        params.put("crop", ints(call, "crop", 0, 0, 0, 0));
        params.put("y_halo", ints(call, "pads", 0, 0, 0, 0));
        return stage(call, 0, params, call.input(0), input(call, 1), input(call, 2));
    }

    /** The depthwise one, of x or of what is expanded. */
    static Call filtering(Call call, Array x) {
        Map<String, Attribute> params = new HashMap<>();
        params.put("strides", ints(call, "strides", 1, 1));
        params.put("groups", Attribute.of(call.input(3).dim(0)));
        if (!call.hasInput(1)) {
            params.put("crop", ints(call, "crop", 0, 0, 0, 0));
        }
        return stage(call, 1, params, x, input(call, 3), input(call, 4));
    }

    /** The last one. */
    static Call projecting(Call call, Array x) {
        Map<String, Attribute> params = new HashMap<>();
        params.put("y_halo", ints(call, "y_halo", 0, 0, 0, 0));
        params.put("residual_crop", ints(call, "residual_crop", 0, 0, 0, 0));
        params.put("residual_add", Attribute.of(call.text("residual_add", "BEFORE")));
        return stage(call, 2, params, x, input(call, 5), input(call, 6), input(call, 7));
    }

    private static @Nullable Array input(Call call, int index) {
        return call.hasInput(index) ? call.input(index) : null;
    }

    private static Attribute ints(Call call, String name, long... otherwise) {
        return Attribute.ofInts(call.ints(name, otherwise));
    }

    private static Call stage(Call call, int number, Map<String, Attribute> params, @Nullable Array... inputs) {
        List<String> activations = call.has("activations") ? call.texts("activations") : NO_ACTIVATIONS;
        params.put("activation", Attribute.of(activations.get(number)));
        params.put("alpha", Attribute.of(call.reals("alphas", 0, 0, 0)[number]));
        params.put("beta", Attribute.of(call.reals("betas", 0, 0, 0)[number]));
        return new Call(call.type(), Arrays.asList(inputs), params, 1);
    }
}
