package org.clinfer.importer.onnx.export;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** MaxPool and AvgPool, of windows, of whole planes and of regions. */
final class PoolingWriters {

    /** The first with dilations of AveragePool. */
    private static final int DILATED_MEANS = 19;

    private PoolingWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of(
                "MaxPool",
                PoolingWriters::maxPool,
                "MaxPoolIndices",
                PoolingWriters::indices,
                "AvgPool",
                PoolingWriters::avgPool,
                "RoiPool",
                PoolingWriters::roiPool);
    }

    private static void maxPool(Use use, ModelWriter model) {
        if (use.flag("is_global", false)) {
            global(use, model, "GlobalMaxPool");
        } else {
            model.add(use, "MaxPool", List.of(use.input(0)), window(use));
        }
    }

    /** The second output of MaxPool, whose first is not read. */
    private static void indices(Use use, ModelWriter model) {
        if (use.flag("is_global", false)) {
            throw use.refused("is_global");
        }
        AttributeWriter attributes = window(use).put("storage_order", use.integer("storage_order", 0));
        List<String> outputs = List.of(model.freshName(use.output() + "/unused"), use.output());
        model.add(use, "MaxPool", List.of(use.input(0)), outputs, attributes);
    }

    private static void avgPool(Use use, ModelWriter model) {
        use.requireFloats();
        boolean padded = use.text("pad_mode", "PADDING").equals("PADDING");
        boolean counted = use.flag("count_include_pad", padded);
        if (use.flag("is_global", false)) {
            global(use, model, "GlobalAveragePool");
            return;
        }
        if (isDilated(use)) {
            model.requireOpset(DILATED_MEANS);
        }
        AttributeWriter attributes = window(use).put("count_include_pad", counted);
        model.add(use, "AveragePool", List.of(use.input(0)), attributes);
    }

    private static void roiPool(Use use, ModelWriter model) {
        long[] size = use.integers("pooled_size").orElseThrow(() -> use.refused("no parameter pooled_size"));
        AttributeWriter attributes =
                new AttributeWriter().put("pooled_shape", size).put("spatial_scale", use.real("spatial_scale", 1));
        model.add(use, "MaxRoiPool", List.of(use.input(0), use.input(1)), attributes);
    }

    private static boolean isDilated(Use use) {
        return use.integers("dilation").stream().flatMapToLong(Arrays::stream).anyMatch(step -> step != 1);
    }

    /** Its strides are 1 and its padding 0, or the node would not run. */
    private static void global(Use use, ModelWriter model, String op) {
        use.requireFloats();
        use.ignore("kernel_size", "strides", "padding", "pad_mode", "ceil_mode", "dilation");
        model.add(use, op, List.of(use.input(0)), new AttributeWriter());
    }

    private static AttributeWriter window(Use use) {
        long[] kernel = use.integers("kernel_size").orElseThrow(() -> use.refused("no parameter kernel_size"));
        String ceil = use.text("ceil_mode", "FLOOR");
        if (!ceil.equals("FLOOR") && !ceil.equals("CEIL")) {
            throw use.refused("ceil_mode " + ceil);
        }
        AttributeWriter attributes =
                new AttributeWriter().put("kernel_shape", kernel).put("ceil_mode", ceil.equals("CEIL"));
        WindowWriter.put(use, attributes);
        if (!isDilated(use)) {
            return withoutDilations(attributes);
        }
        return attributes;
    }

    private static AttributeWriter withoutDilations(AttributeWriter attributes) {
        attributes.list().removeIf(attribute -> attribute.getName().equals("dilations"));
        return attributes;
    }
}
