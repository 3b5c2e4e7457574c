package org.clinfer.importer.darknet;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Layers that take the outputs of earlier ones. */
final class RouteLayers {

    private RouteLayers() {}

    static void addTo(LayerTable<LayerCall> all) {
        all.one("route", RouteLayers::route);
        all.one("shortcut", RouteLayers::shortcut);
        all.one("scale_channels", layer -> product(layer, true));
        all.one("sam", layer -> product(layer, false));
    }

    private static Value route(LayerCall layer) {
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
            long channels = LayerCall.channels(each);
            if (!LayerCall.isSamePlane(each, first) || channels % groups != 0 || group >= groups) {
                throw layer.malformed("its inputs do not fit: " + each.shape() + " and " + first.shape() + " in "
                        + groups + " groups");
            }
            long share = channels / groups;
            parts.add(groups == 1 ? each : layer.channels(each, share * group, share * (group + 1)));
        }
        return parts.size() == 1 ? parts.get(0) : layer.add("Concat", parts, new Params().put("axis", 1L));
    }

    /** Adds earlier layers, as far as the channels of both go: {@code alpha} times this one and {@code beta} times the other. */
    private static Value shortcut(LayerCall layer) {
        Section options = layer.options();
        Value x = layer.input();
        double alpha = options.real("alpha", 1);
        double beta = options.real("beta", 1);
        if (options.text("weights_type").isPresent()) {
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
            if (alpha != 1 && LayerCall.channels(other) < LayerCall.channels(x)) {
                throw layer.unsupportedUse("'alpha' of channels to which nothing is added");
            }
            Value added = layer.times("beta", fitted(layer, thinned(layer, other, x), x), beta);
            sum = layer.add("Add", sum, added);
        }
        return Activations.apply(layer, sum);
    }

    /** Every so many rows and columns of a value, so that it is as large as another one. */
    private static Value thinned(LayerCall layer, Value other, Value x) {
        if (LayerCall.isSamePlane(other, x)) {
            return other;
        }
        long step = LayerCall.width(other) / LayerCall.width(x);
        if (step < 1 || step != LayerCall.height(other) / LayerCall.height(x)) {
            throw layer.unsupportedUse("an input that is smaller than the one before");
        }
        Params params = new Params()
                .put("starts", new long[] {0, 0})
                .put("ends", new long[] {LayerCall.height(x) * step, LayerCall.width(x) * step})
                .put("axes", new long[] {2, 3})
                .put("steps", new long[] {step, step});
        return layer.add("Slice", params, other);
    }

    /** A value with as many channels as another one: without the last ones, or with zeros behind. */
    private static Value fitted(LayerCall layer, Value other, Value x) {
        long missing = LayerCall.channels(x) - LayerCall.channels(other);
        if (missing < 0) {
            return layer.channels(other, 0, LayerCall.channels(x));
        }
        long[] widths = {0, 0, 0, missing, 0, 0, 0, 0};
        return missing == 0 ? other : layer.add("Pad", new Params().put("pad_with", widths), other);
    }

    /** The product with an earlier layer; of channels, this one has one factor for each. */
    private static Value product(LayerCall layer, boolean ofChannels) {
        Section options = layer.options();
        options.ignore("batch", "height", "width", "channels");
        List<Long> from = options.integers("from");
        if (from.size() != 1) {
            throw options.wrong("from", "expected one layer, found " + from.size());
        }
        options.requireOff("scale_wh");
        Value x = layer.input();
        Value other = layer.earlier("from", from.get(0));
        boolean fits = LayerCall.channels(other) == LayerCall.channels(x)
                && (ofChannels ? LayerCall.height(x) == 1 && LayerCall.width(x) == 1 : LayerCall.isSamePlane(other, x));
        if (!fits) {
            throw layer.malformed("its inputs do not fit: " + x.shape() + " and " + other.shape());
        }
        return Activations.apply(layer, layer.add("Mul", other, x));
    }
}
