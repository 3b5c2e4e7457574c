package org.clinfer.importer.darknet;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Layers that take the outputs of earlier ones. */
final class RouteLayers {

    private RouteLayers() {}

    static void addTo(LayerTable<DarknetLayerCall> all) {
        all.one("route", RouteLayers::route);
        all.one("shortcut", RouteLayers::shortcut);
        all.one("scale_channels", layer -> product(layer, true));
        all.one("sam", layer -> product(layer, false));
    }

    private static Value route(DarknetLayerCall layer) {
        Section options = layer.options();
        List<Long> layers = options.integers("layers");
        if (layers.isEmpty()) {
            throw options.wrong("layers", "it is missing");
        }
        long groups = options.size("groups", 1, 1);
        long group = options.size("group_id", 0, 0);
        Value first = layer.earlier("layers", layers.get(0));
        List<Value> parts = new ArrayList<>();
        for (long written : layers) {
            Value each = layer.earlier("layers", written);
            long channels = DarknetLayerCall.channels(each);
            if (!DarknetLayerCall.isSamePlane(each, first) || channels % groups != 0 || group >= groups) {
                throw layer.malformed("its inputs do not fit: " + each.shape() + " and " + first.shape() + " in "
                        + groups + " groups");
            }
            long share = channels / groups;
            parts.add(groups == 1 ? each : layer.channels(each, share * group, share * (group + 1)));
        }
        return parts.size() == 1 ? parts.get(0) : layer.add("Concat", parts, new Params().put("axis", 1L));
    }

    /** Adds earlier layers, as far as the channels of both go: {@code alpha} times this one and {@code beta} times the other. */
    private static Value shortcut(DarknetLayerCall layer) {
        Section options = layer.options();
        Value x = layer.input();
        double alpha = options.real("alpha", 1);
        double beta = options.real("beta", 1);
        if (options.text("weights_type").filter(type -> !type.equals("none")).isPresent()) {
            throw layer.unsupportedUse("'weights_type'");
        }
        List<Long> from = options.integers("from");
        if (from.isEmpty()) {
            throw options.wrong("from", "it is missing");
        }
        if (from.size() > 1 && (alpha != 1 || beta != 1)) {
            throw layer.unsupportedUse("'" + (alpha != 1 ? "alpha" : "beta") + "' and several inputs");
        }
        Value sum = layer.times("alpha", x, alpha);
        for (long written : from) {
            Value other = layer.earlier("from", written);
            if (alpha != 1 && DarknetLayerCall.channels(other) < DarknetLayerCall.channels(x)) {
                throw layer.unsupportedUse("'alpha' of channels to which nothing is added");
            }
            Value added = layer.times("beta", fitted(layer, thinned(layer, other, x), x), beta);
            sum = layer.add("Add", sum, added);
        }
        return DarknetActivations.apply(layer, sum);
    }

    /** Every so many rows and columns of a value, so that it is as large as another one. */
    private static Value thinned(DarknetLayerCall layer, Value other, Value x) {
        if (DarknetLayerCall.isSamePlane(other, x)) {
            return other;
        }
        long step = DarknetLayerCall.width(other) / DarknetLayerCall.width(x);
        if (step < 1 || step != DarknetLayerCall.height(other) / DarknetLayerCall.height(x)) {
            throw layer.unsupportedUse("an input that is smaller than the one before");
        }
        Params params = new Params()
                .put("starts", new long[] {0, 0})
                .put("ends", new long[] {DarknetLayerCall.height(x) * step, DarknetLayerCall.width(x) * step})
                .put("axes", new long[] {2, 3})
                .put("steps", new long[] {step, step});
        return layer.add("Slice", params, other);
    }

    /** A value with as many channels as another one: without the last ones, or with zeros behind. */
    private static Value fitted(DarknetLayerCall layer, Value other, Value x) {
        long missing = DarknetLayerCall.channels(x) - DarknetLayerCall.channels(other);
        if (missing < 0) {
            return layer.channels(other, 0, DarknetLayerCall.channels(x));
        }
        long[] widths = {0, 0, 0, missing, 0, 0, 0, 0};
        return missing == 0 ? other : layer.add("Pad", new Params().put("pad_with", widths), other);
    }

    /** The product with an earlier layer; of channels, this one has one factor for each. */
    private static Value product(DarknetLayerCall layer, boolean ofChannels) {
        Section options = layer.options();
        options.ignore("batch", "height", "width", "channels");
        List<Long> from = options.integers("from");
        if (from.size() != 1) {
            throw options.wrong("from", "expected one layer, found " + from.size());
        }
        options.requireOff("scale_wh");
        Value x = layer.input();
        Value other = layer.earlier("from", from.get(0));
        boolean fits = DarknetLayerCall.channels(other) == DarknetLayerCall.channels(x)
                && (ofChannels
                        ? DarknetLayerCall.height(x) == 1 && DarknetLayerCall.width(x) == 1
                        : DarknetLayerCall.isSamePlane(other, x));
        if (!fits) {
            throw layer.malformed("its inputs do not fit: " + x.shape() + " and " + other.shape());
        }
        return DarknetActivations.apply(layer, layer.add("Mul", other, x));
    }
}
