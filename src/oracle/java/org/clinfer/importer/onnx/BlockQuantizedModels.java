package org.clinfer.importer.onnx;

import static org.clinfer.importer.onnx.TestModel.integer;

import java.util.List;
import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Models of products and rows of weights that are codes of a few bits, with a scale for each block. */
final class BlockQuantizedModels {

    private BlockQuantizedModels() {}

    static void add(Map<String, RuntimeModel> all) {
        for (int bits : new int[] {4, 8}) {
            for (int size : new int[] {16, 32, 64, 128}) {
                product(all, bits, size, "none", 150);
                product(all, bits, size, "codes", 150);
            }
            product(all, bits, 32, "none", 64);
            product(all, bits, 32, "codes", 64);
        }
        product(all, 4, 16, "reals", 150);
        product(all, 4, 64, "reals", 150);
        for (DType type : List.of(DType.UINT4, DType.INT4, DType.UINT8)) {
            for (int zeros = 0; zeros < 2; zeros++) {
                rows(all, type, 4, 96, zeros == 1);
                rows(all, type, 4, 88, zeros == 1);
            }
        }
        rows(all, DType.UINT8, 8, 96, true);
        rows(all, DType.UINT8, 8, 96, false);
    }

    private static void product(Map<String, RuntimeModel> all, int bits, int size, String zeros, int rows) {
        String name = "MatMulNBits of " + rows + " rows, " + bits + " bits, blocks of " + size + ", zeros " + zeros;
        RuntimeModel model = new RuntimeModel(name.hashCode());
        all.put(name, model);
        int blocks = (rows + size - 1) / size;
        model.input("x", 2, 3, rows)
                .constant("w", model.codes(DType.UINT8, 37, blocks, size * bits / 8))
                .constant("s", model.normal(0.1, 37, blocks))
                .constant("b", 37)
                .output("y");
        switch (zeros) {
            case "codes" -> model.constant("z", model.codes(DType.UINT8, 37, (blocks * bits + 7) / 8));
            case "reals" -> model.constant("z", model.normal(3, 37, blocks));
            default -> {}
        }
        model.node(
                "MatMulNBits",
                zeros.equals("none") ? "x,w,s,,,b" : "x,w,s,z,,b",
                "y",
                integer("K", rows),
                integer("N", 37),
                integer("bits", bits),
                integer("block_size", size));
    }

    private static void rows(Map<String, RuntimeModel> all, DType type, int bits, int width, boolean zeros) {
        String name = "GatherBlockQuantized of " + width + " " + type.label() + " of " + bits + " bits"
                + (zeros ? " with zeros" : "");
        RuntimeModel model = new RuntimeModel(name.hashCode());
        all.put(name, model);
        boolean packed = type == DType.UINT8;
        int blocks = (width + 31) / 32;
        model.constant("w", model.codes(type, 11, packed ? width * bits / 8 : width))
                .input("i", Tensor.of(new long[] {3, 10, 0, 3}, 2, 2))
                .constant("s", model.normal(1, 11, blocks))
                .output("y");
        if (zeros) {
            model.constant("z", model.codes(type, 11, packed ? (blocks * bits + 7) / 8 : blocks));
        }
        model.node(
                "GatherBlockQuantized",
                zeros ? "w,i,s,z" : "w,i,s",
                "y",
                integer("bits", bits),
                integer("quantize_axis", 1),
                integer("block_size", 32));
    }
}
