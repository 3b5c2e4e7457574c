package org.clinfer.importer.onnx.export;

import java.util.List;
import java.util.Map;

/** Reorg and Upsample. */
final class BlockWriters {

    private BlockWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of("Reorg", BlockWriters::reorg, "Upsample", BlockWriters::upsample);
    }

    private static void reorg(Use use, ModelWriter model) {
        long scale = use.integer("scale");
        boolean reversed = use.flag("reversed", false);
        String order = use.text("order", "DCR");
        AttributeWriter size = new AttributeWriter().put("blocksize", scale);
        switch (order) {
            case "DCR", "CRD" -> {
                if (reversed) {
                    model.add(use, "DepthToSpace", use.inputs(), size.put("mode", order));
                } else if (order.equals("DCR")) {
                    model.add(use, "SpaceToDepth", use.inputs(), size);
                } else {
                    channelMajor(use, model, scale);
                }
            }
            case "DARKNET" -> darknet(use, model, scale, reversed);
            default -> throw use.refused("order " + order);
        }
    }

    /** Space to depth where the place in the block is the fast part of the channel. */
    private static void channelMajor(Use use, ModelWriter model, long scale) {
        long channels = use.size(0, 1);
        long rows = use.size(0, 2) / scale;
        long columns = use.size(0, 3) / scale;
        moved(
                use,
                model,
                new long[] {0, channels, rows, scale, columns, scale},
                new long[] {0, 1, 3, 5, 2, 4},
                new long[] {0, channels * scale * scale, rows, columns});
    }

    /** The memory counts as C / (s * s) channels of H * s rows and W * s columns on the side of the places. */
    private static void darknet(Use use, ModelWriter model, long scale, boolean reversed) {
        long blocks = scale * scale;
        long channels = reversed ? use.size(0, 1) / blocks : use.size(0, 1);
        long rows = reversed ? use.size(0, 2) * scale : use.size(0, 2);
        long columns = reversed ? use.size(0, 3) * scale : use.size(0, 3);
        if (reversed) {
            moved(
                    use,
                    model,
                    new long[] {0, scale, scale, channels / blocks, rows, columns},
                    new long[] {0, 3, 4, 1, 5, 2},
                    new long[] {0, channels, rows, columns});
        } else {
            moved(
                    use,
                    model,
                    new long[] {0, channels / blocks, rows, scale, columns, scale},
                    new long[] {0, 3, 5, 1, 2, 4},
                    new long[] {0, channels * blocks, rows / scale, columns / scale});
        }
    }

    /** The elements of another shape, their axes in another order. */
    private static void moved(Use use, ModelWriter model, long[] split, long[] perm, long[] result) {
        String parts = model.step(use, "Reshape", use.input(0), model.vector(use, "parts", split));
        String ordered = model.step(use, "Transpose", List.of(parts), new AttributeWriter().put("perm", perm));
        model.add(use, "Reshape", List.of(ordered, model.vector(use, "shape", result)), new AttributeWriter());
    }

    private static void upsample(Use use, ModelWriter model) {
        long[] scale = use.integers("scale").orElse(new long[] {1, 1});
        String mode = use.text("mode", "BILINEAR");
        AttributeWriter attributes = new AttributeWriter();
        switch (mode) {
            case "NEAREST" ->
                attributes
                        .put("mode", "nearest")
                        .put("coordinate_transformation_mode", "asymmetric")
                        .put("nearest_mode", "floor");
            case "BILINEAR" -> {
                use.requireFloats();
                attributes.put("mode", "linear").put("coordinate_transformation_mode", "half_pixel");
            }
            default -> throw use.refused("mode " + mode);
        }
        String scales = model.reals(use, "scales", 1, 1, (double) scale[0], (double) scale[1]);
        model.add(use, "Resize", List.of(use.input(0), "", scales), attributes);
    }
}
