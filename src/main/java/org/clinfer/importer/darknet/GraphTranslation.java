package org.clinfer.importer.darknet;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** One network's way from its sections to a graph; each layer takes what the one before gives, unless it says otherwise. */
final class GraphTranslation {

    private static final int MOST_REFUSALS = 8;
    private static final String INPUT = "data";

    private final Cfg cfg;
    private final SourceRef source;
    private final Weights weights;
    private final GraphBuilder builder;
    private final Writer graph;

    /** The output of each layer. */
    private final List<Blob> blobs = new ArrayList<>();

    private final Set<String> taken = new LinkedHashSet<>();

    GraphTranslation(Cfg cfg, Weights weights, String name, SourceRef source) {
        this.cfg = cfg;
        this.source = source;
        this.weights = weights;
        this.builder = new GraphBuilder(name, source);
        this.graph = new Writer(builder, weights);
    }

    /**
     * The graph.
     *
     * @throws UnsupportedException naming every layer that is not supported
     */
    Graph translate() {
        refuseUnknown();
        Section net = cfg.net();
        Shape shape = Shape.of(1, net.size("channels", 3, 1), net.size("height", 0, 1), net.size("width", 0, 1));
        TensorType type = new TensorType(DType.FLOAT32, shape);
        if (shape.elements() == 0 || !type.fits()) {
            throw net.malformed("it has no height and width of a picture");
        }
        builder.resizableInput(INPUT, type);
        Blob before = new Blob(INPUT, shape.size(1), shape.size(2), shape.size(3));
        for (int i = 0; i < cfg.layers().size(); i++) {
            Section layer = cfg.layers().get(i);
            before = layer(i, layer, before);
            layer.requireAllRead();
            blobs.add(before);
        }
        weights.requireEnd(source);
        outputs();
        return builder.build();
    }

    private static final Set<String> KNOWN = Set.of(
            "convolutional",
            "connected",
            "local",
            "detection",
            "maxpool",
            "avgpool",
            "upsample",
            "route",
            "shortcut",
            "scale_channels",
            "sam",
            "reorg",
            "dropout",
            "softmax",
            "yolo",
            "region",
            "crop",
            "cost",
            "activation");

    private void refuseUnknown() {
        List<Section> unknown = cfg.layers().stream()
                .filter(layer -> !KNOWN.contains(layer.type()))
                .toList();
        if (unknown.isEmpty()) {
            return;
        }
        String features = unknown.stream()
                .map(layer -> "layer " + layer.type())
                .distinct()
                .limit(MOST_REFUSALS)
                .collect(Collectors.joining(", "));
        String places = unknown.stream()
                .limit(MOST_REFUSALS)
                .map(layer -> layer.source().element() + ": Clinfer has no layer " + layer.type())
                .collect(Collectors.joining("; "));
        int more = unknown.size() - MOST_REFUSALS;
        throw new UnsupportedException(
                unknown.size() == 1 ? unknown.get(0).source() : source,
                features,
                unknown.size() == 1
                        ? "Clinfer has no layer " + unknown.get(0).type()
                        : unknown.size() + " layers cannot be used: " + places
                                + (more > 0 ? "; and " + more + " more" : ""));
    }

    private Blob layer(int number, Section layer, Blob x) {
        String name = layer.type() + "_" + number;
        Blob result = switch (layer.type()) {
            case "convolutional" -> Convolutions.convolution(graph, layer, name, x);
            case "connected" -> Convolutions.connected(graph, layer, name, x);
            case "local" -> LocalLayers.local(graph, layer, name, x);
            case "detection" -> LocalLayers.detection(graph, layer, name, x);
            case "maxpool" -> maxPool(layer, name, x);
            case "avgpool" -> {
                Params all = new Params().put("is_global", true);
                yield new Blob(graph.add(layer.source(), name, "AvgPool", List.of(x.name()), all), x.channels(), 1, 1);
            }
            case "upsample" -> upsample(layer, name, x);
            case "route" -> route(number, layer, name);
            case "shortcut" -> shortcut(number, layer, name, x);
            case "scale_channels" -> product(number, layer, name, x, true);
            case "sam" -> product(number, layer, name, x, false);
            case "reorg" -> reorg(layer, name, x);
            case "dropout" -> {
                layer.ignore("probability", "dropblock", "dropblock_size_rel", "dropblock_size_abs");
                yield x;
            }
            case "cost" -> {
                layer.ignore("type", "scale", "ratio", "noobj", "smooth", "thresh");
                yield x;
            }
            case "softmax" -> softmax(layer, name, x);
            case "yolo" -> Heads.yolo(graph, layer, number, x, cfg.net());
            case "region" -> Heads.region(graph, layer, number, x);
            case "crop" -> crop(layer, name, x);
            default -> x.named(Activations.apply(graph, layer, name, x.name(), "linear"));
        };
        if (!layer.type().equals("route") && !result.name().equals(x.name())) {
            taken.add(x.name());
        }
        return layer.text("activation").isEmpty()
                        || !List.of("maxpool", "avgpool").contains(layer.type())
                ? result
                : result.named(Activations.apply(graph, layer, name, result.name(), "linear"));
    }

    /** Half of the padding, rounded down, is at the begin. */
    private Blob maxPool(Section layer, String name, Blob x) {
        layer.requireOff("antialiasing", "maxpool_depth");
        long both = layer.size("stride", 1, 1);
        long strideY = layer.size("stride_y", both, 1);
        long strideX = layer.size("stride_x", both, 1);
        long size = layer.size("size", both, 1);
        long padding = layer.size("padding", size - 1, 0);
        long begin = padding / 2;
        long end = padding - begin;
        Params params = new Params()
                .put("kernel_size", new long[] {size, size})
                .put("strides", new long[] {strideY, strideX})
                .put("padding", new long[] {begin, end, begin, end});
        String y = graph.add(layer.source(), name, "MaxPool", List.of(x.name()), params);
        if (x.height() + padding < size || x.width() + padding < size) {
            throw layer.malformed("its window of " + size + " is larger than the padded input");
        }
        return new Blob(
                y,
                x.channels(),
                (x.height() + padding - size) / strideY + 1,
                (x.width() + padding - size) / strideX + 1);
    }

    private Blob upsample(Section layer, String name, Blob x) {
        long stride = layer.size("stride", 2, 1);
        double scale = layer.real("scale", 1);
        Params params = new Params().put("scale", new long[] {stride, stride}).put("mode", "NEAREST");
        String y = graph.add(layer.source(), name, "Upsample", List.of(x.name()), params);
        String scaled = times(layer, name, "scale", y, scale);
        return new Blob(scaled, x.channels(), x.height() * stride, x.width() * stride);
    }

    private String times(Section layer, String name, String option, String x, double factor) {
        if (factor == 1) {
            return x;
        }
        String constant = graph.constant(name + "/" + option, Tensor.scalar((float) factor));
        return graph.add(layer.source(), name, "Mul", List.of(x, constant), new Params());
    }

    /** An earlier layer by its number, or by how far it is before this one. */
    private Blob earlier(int number, Section layer, String option, long written) {
        long index = written < 0 ? number + written : written;
        if (index < 0 || index >= number) {
            throw layer.wrong(option, "there is no layer " + written + " before it");
        }
        Blob blob = blobs.get((int) index);
        taken.add(blob.name());
        return blob;
    }

    private Blob route(int number, Section layer, String name) {
        List<Long> layers = layer.integers("layers");
        if (layers.isEmpty()) {
            throw layer.wrong("layers", "it is missing");
        }
        long groups = layer.size("groups", 1, 1);
        long group = layer.size("group_id", 0, 0);
        List<String> parts = new ArrayList<>();
        long channels = 0;
        Blob first = earlier(number, layer, "layers", layers.get(0));
        for (long written : layers) {
            Blob blob = earlier(number, layer, "layers", written);
            if (!blob.isSamePlane(first) || blob.channels() % groups != 0 || group >= groups) {
                throw layer.malformed("its inputs do not fit: " + blob + " and " + first + " in " + groups + " groups");
            }
            long share = blob.channels() / groups;
            parts.add(groups == 1 ? blob.name() : channels(layer, name, blob, share * group, share * (group + 1)));
            channels += share;
        }
        String joined = parts.size() == 1
                ? parts.get(0)
                : graph.add(layer.source(), name, "Concat", parts, new Params().put("axis", 1L));
        return first.withChannels(joined, channels);
    }

    private String channels(Section layer, String name, Blob x, long from, long to) {
        Params params = new Params()
                .put("starts", new long[] {from})
                .put("ends", new long[] {to})
                .put("axes", new long[] {1});
        return graph.add(layer.source(), name, "Slice", List.of(x.name()), params);
    }

    /** Adds earlier layers, as far as the channels of both go: {@code alpha} times this one and {@code beta} times the other. */
    private Blob shortcut(int number, Section layer, String name, Blob x) {
        double alpha = layer.real("alpha", 1);
        double beta = layer.real("beta", 1);
        if (layer.text("weights_type").isPresent()) {
            throw layer.unsupportedUse("'weights_type'");
        }
        List<Long> from = layer.integers("from");
        if (from.isEmpty()) {
            throw layer.wrong("from", "it is missing");
        }
        if (from.size() > 1 && (alpha != 1 || beta != 1)) {
            throw layer.unsupportedUse("'" + (alpha != 1 ? "alpha" : "beta") + "' and several inputs");
        }
        String sum = times(layer, name, "alpha", x.name(), alpha);
        for (long written : from) {
            Blob other = earlier(number, layer, "from", written);
            if (alpha != 1 && other.channels() < x.channels()) {
                throw layer.unsupportedUse("'alpha' of channels to which nothing is added");
            }
            Blob plane = thinned(layer, name, other, x);
            String added = times(layer, name, "beta", fitted(layer, name, plane, x), beta);
            sum = graph.add(layer.source(), name, "Add", List.of(sum, added), new Params());
        }
        return x.named(Activations.apply(graph, layer, name, sum, "linear"));
    }

    /** Every so many rows and columns of a value, so that it is as large as another one. */
    private Blob thinned(Section layer, String name, Blob other, Blob x) {
        if (other.isSamePlane(x)) {
            return other;
        }
        long step = other.width() / x.width();
        if (step < 1 || step != other.height() / x.height()) {
            throw layer.unsupportedUse("an input that is smaller than the one before");
        }
        Params params = new Params()
                .put("starts", new long[] {0, 0})
                .put("ends", new long[] {x.height() * step, x.width() * step})
                .put("axes", new long[] {2, 3})
                .put("steps", new long[] {step, step});
        String y = graph.add(layer.source(), name, "Slice", List.of(other.name()), params);
        return new Blob(y, other.channels(), x.height(), x.width());
    }

    /** A value with as many channels as another one: without the last ones, or with zeros behind. */
    private String fitted(Section layer, String name, Blob other, Blob x) {
        if (other.channels() > x.channels()) {
            return channels(layer, name, other, 0, x.channels());
        }
        if (other.channels() == x.channels()) {
            return other.name();
        }
        long[] widths = {0, 0, 0, x.channels() - other.channels(), 0, 0, 0, 0};
        return graph.add(layer.source(), name, "Pad", List.of(other.name()), new Params().put("pad_with", widths));
    }

    /** The product with an earlier layer; of channels, this one has one factor for each. */
    private Blob product(int number, Section layer, String name, Blob x, boolean ofChannels) {
        layer.ignore("batch", "height", "width", "channels");
        List<Long> from = layer.integers("from");
        if (from.size() != 1) {
            throw layer.wrong("from", "expected one layer, found " + from.size());
        }
        layer.requireOff("scale_wh");
        Blob other = earlier(number, layer, "from", from.get(0));
        boolean fits = other.channels() == x.channels()
                && (ofChannels ? x.height() == 1 && x.width() == 1 : other.isSamePlane(x));
        if (!fits) {
            throw layer.malformed("its inputs do not fit: " + x + " and " + other);
        }
        String y = graph.add(layer.source(), name, "Mul", List.of(other.name(), x.name()), new Params());
        return other.named(Activations.apply(graph, layer, name, y, "linear"));
    }

    private Blob reorg(Section layer, String name, Blob x) {
        long stride = layer.size("stride", 1, 1);
        boolean reverse = layer.flag("reverse", false);
        layer.requireOff("flatten", "extra");
        Params params =
                new Params().put("scale", stride).put("reversed", reverse).put("order", "DARKNET");
        String y = graph.add(layer.source(), name, "Reorg", List.of(x.name()), params);
        return reverse
                ? new Blob(y, x.channels() / (stride * stride), x.height() * stride, x.width() * stride)
                : new Blob(y, x.channels() * stride * stride, x.height() / stride, x.width() / stride);
    }

    /** Over all elements of a picture. */
    private Blob softmax(Section layer, String name, Blob x) {
        layer.ignore("noloss");
        layer.requireOff("spatial");
        if (layer.size("groups", 1, 1) != 1 || layer.text("tree").isPresent()) {
            throw layer.unsupportedUse("'groups' or a 'tree' of parts that are normalised by themselves");
        }
        String scaled = x.name();
        double temperature = layer.real("temperature", 1);
        if (temperature != 1) {
            String factor = graph.constant(name + "/temperature", Tensor.scalar((float) temperature));
            scaled = graph.add(layer.source(), name, "Div", List.of(scaled, factor), new Params());
        }
        Params along = new Params().put("axis", 1L);
        if (x.height() == 1 && x.width() == 1) {
            return x.named(graph.add(layer.source(), name, "Softmax", List.of(scaled), along));
        }
        String rows = graph.add(layer.source(), name, "Flatten", List.of(scaled), along);
        String shares = graph.add(layer.source(), name, "Softmax", List.of(rows), along);
        String sizes = graph.add(layer.source(), name, "Shape", List.of(x.name()), new Params());
        return x.named(graph.add(layer.source(), name, "Reshape", List.of(shares, sizes), new Params()));
    }

    /** The middle of the picture, from -1 to 1 instead of 0 to 1. */
    private Blob crop(Section layer, String name, Blob x) {
        layer.ignore("flip", "angle", "saturation", "exposure", "shift");
        long height = layer.size("crop_height", 1, 1);
        long width = layer.size("crop_width", 1, 1);
        if (height > x.height() || width > x.width()) {
            throw layer.malformed("its part is larger than " + x);
        }
        long top = (x.height() - height) / 2;
        long left = (x.width() - width) / 2;
        Params part = new Params()
                .put("starts", new long[] {top, left})
                .put("ends", new long[] {top + height, left + width})
                .put("axes", new long[] {2, 3});
        String y = graph.add(layer.source(), name, "Slice", List.of(x.name()), part);
        if (!layer.flag("noadjust", false)) {
            String two = graph.constant(name + "/two", Tensor.scalar(2f));
            String one = graph.constant(name + "/one", Tensor.scalar(1f));
            y = graph.add(layer.source(), name, "Mul", List.of(y, two), new Params());
            y = graph.add(layer.source(), name, "Sub", List.of(y, one), new Params());
        }
        return new Blob(y, x.channels(), height, width);
    }

    /** The values that no layer takes, and that of the last one, which may be an earlier value by way of a route. */
    private void outputs() {
        Set<String> outputs = new LinkedHashSet<>();
        for (Blob blob : blobs) {
            if (!taken.contains(blob.name())) {
                outputs.add(blob.name());
            }
        }
        if (blobs.isEmpty()) {
            throw new GraphException(source, "the network has no outputs");
        }
        outputs.add(blobs.get(blobs.size() - 1).name());
        outputs.forEach(builder::output);
    }
}
