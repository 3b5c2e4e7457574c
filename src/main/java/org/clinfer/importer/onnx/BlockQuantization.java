package org.clinfer.importer.onnx;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * ONNX Runtime's operators on weights of 4 or 8 bits, where a block of neighbours in a row has a scale and a zero point of
 * its own. Values that share a byte stand low bits first, and every row begins with a byte. A table of rows stays as it is,
 * and the rows that are taken from it become real.
 */
final class BlockQuantization {

    private static final int BYTE = DType.UINT8.bits();

    private static final int LEAST_BLOCK = 16;

    private final OnnxNode node;
    private final OnnxGraphWriter graph;
    private final Steps steps;
    private final int bits;
    private final long block;

    private BlockQuantization(OnnxNode node, OnnxGraphWriter graph, long bits, long block) {
        this.node = node;
        this.graph = graph;
        this.steps = new Steps(node, graph);
        if (bits != 2 && bits != 4 && bits != BYTE) {
            throw node.unsupportedUse("bits " + bits);
        }
        if (block < LEAST_BLOCK || Long.bitCount(block) != 1) {
            throw node.malformed("block_size must be a power of 2 of at least 16, but is " + block);
        }
        this.bits = (int) bits;
        this.block = block;
    }

    /** The product with a matrix whose rows of quantized values are its columns. */
    static void product(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 6);
        node.ignore("accuracy_level"); // how much less exact than float32 it may be
        if (node.integer("weight_prepacked", 0) != 0) {
            throw node.unsupportedUse("weight_prepacked " + node.integer("weight_prepacked"));
        }
        new BlockQuantization(node, graph, node.integer("bits", 4), node.integer("block_size"))
                .product(node.integer("K"), node.integer("N"));
    }

    private void product(long rows, long columns) {
        if (rows < 1 || columns < 1) {
            throw node.malformed("K and N must be above 0, but are " + rows + " and " + columns);
        }
        long blocks = divided(rows, block);
        if (bits == 2 || node.hasInput(4)) {
            realProduct(rows, columns, blocks);
            return;
        }
        String scales = steps.add("Reshape", node.input(2), steps.vector(columns, blocks));
        Params params = new Params().put("bits", (long) bits).put("block_size", block);
        String zeros = node.hasInput(3) ? zeros(columns, blocks) : "";
        String bias = node.hasInput(5) ? node.input(5) : "";
        steps.last("MatMulNBits", params, node.input(0), node.input(1), scales, zeros, bias);
    }

    /** Weights of 2 bits, or whose blocks are no neighbours (g_idx), become real numbers. */
    private void realProduct(long rows, long columns, long blocks) {
        ByteBuffer codes = bytes(1);
        Tensor scales = constant(2, columns * blocks);
        Optional<Tensor> zeros = node.hasInput(3) ? Optional.of(realZeros(columns, blocks)) : Optional.empty();
        Optional<Tensor> groups = node.hasInput(4) ? Optional.of(constant(4, rows)) : Optional.empty();
        long stride = blocks * divided(block * bits, BYTE);
        if (codes.limit() != stride * columns || columns > Integer.MAX_VALUE / BYTE / rows) {
            throw node.malformed(columns + " columns of " + stride + " bytes, but there are " + codes.limit());
        }
        Tensor weights = Tensor.allocate(scales.dtype(), rows, columns);
        for (long column = 0; column < columns; column++) {
            for (long row = 0; row < rows; row++) {
                long group = groups.isPresent() ? groups.get().getLong(row) : row / block;
                if (group < 0 || group >= blocks) {
                    throw node.malformed("g_idx has " + group + ", but there are " + blocks + " blocks");
                }
                long bit = column * stride * BYTE + row * bits;
                int code = (codes.get((int) (bit / BYTE)) & 0xff) >> bit % BYTE & mask();
                long at = column * blocks + group;
                double zero = zeros.isPresent() ? zeros.get().getDouble(at) : 1 << (bits - 1);
                weights.setDouble(row * columns + column, (code - zero) * scales.getDouble(at));
            }
        }
        String product = steps.add("MatMul", node.input(0), constant(weights));
        if (node.hasInput(5)) {
            steps.last("Add", product, node.input(5));
        } else {
            steps.last("Identity", product);
        }
    }

    private Tensor constant(int input, long least) {
        Tensor given = graph.constant(node.input(input))
                .orElseThrow(() -> node.unsupportedUse("input " + input + " that is no constant"));
        if (given.elements() < least) {
            throw node.malformed("input " + input + " has " + given.elements() + " elements, not " + least);
        }
        return given;
    }

    /** As real numbers of the type of the scales. */
    private String zeros(long columns, long blocks) {
        if (steps.dtype(node.input(3)).isFloating()) {
            return steps.add("Reshape", node.input(3), steps.vector(columns, blocks));
        }
        return constant(realZeros(columns, blocks));
    }

    private Tensor realZeros(long columns, long blocks) {
        if (steps.dtype(node.input(3)).isFloating()) {
            return constant(3, columns * blocks);
        }
        DType real = steps.dtype(node.input(2));
        ByteBuffer bytes = bytes(3);
        long stride = divided(blocks * bits, BYTE);
        if (bytes.limit() != stride * columns) {
            throw node.malformed(columns + " columns of " + stride + " bytes are " + stride * columns
                    + ", but there are " + bytes.limit());
        }
        Tensor zeros = Tensor.allocate(real, columns, blocks);
        for (long i = 0; i < zeros.elements(); i++) {
            long bit = i % blocks * bits;
            int packed = bytes.get((int) (i / blocks * stride + bit / BYTE)) & 0xff;
            zeros.setDouble(i, packed >> bit % BYTE & mask());
        }
        return zeros;
    }

    /** Rounded up. */
    private static long divided(long count, long size) {
        return (count + size - 1) / size;
    }

    private ByteBuffer bytes(int input) {
        Tensor given = graph.constant(node.input(input))
                .orElseThrow(() -> node.unsupportedUse("input " + input + " that is no constant"));
        if (given.dtype() != DType.UINT8) {
            throw node.unsupportedUse(
                    "input " + input + " of type " + given.dtype().label());
        }
        return given.bytes();
    }

    private int mask() {
        return (1 << bits) - 1;
    }

    private String constant(Tensor tensor) {
        String name = graph.freshName(node.name() + "/codes");
        graph.addConstant(name, tensor);
        return name;
    }

    /** Rows of a table of quantized values, dequantized. */
    static void rows(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 4);
        DType type = new Steps(node, graph).dtype(node.input(0));
        long bits = node.integer("bits", 4);
        if (type != DType.UINT8 && type.bits() != bits) {
            throw node.malformed("codes of " + bits + " bits cannot be " + type.label());
        }
        if (bits == 2) {
            throw node.unsupportedUse("bits 2");
        }
        new BlockQuantization(node, graph, bits, node.integer("block_size", 128)).rows(type);
    }

    private void rows(DType type) {
        int rank = steps.rank(node.input(0));
        long along = node.integer("quantize_axis", 1);
        if (node.integer("gather_axis", 0) != 0 || (along < 0 ? along + rank : along) != rank - 1) {
            throw node.unsupportedUse("another gather_axis than the first or quantize_axis than the last");
        }
        String scales = gathered(node.input(2));
        String zeros;
        if (node.hasInput(3)) {
            zeros = codes(3, type);
            zeros = type == DType.UINT8 ? steps.slice(zeros, -1, steps.vector(0), steps.sizes(scales, -1)) : zeros;
        } else {
            int zero = type == DType.UINT4 ? 0 : 1 << (bits - 1);
            zeros = steps.add("Expand", steps.scalar(DType.UINT8, zero), steps.shape(scales));
        }
        DType real = steps.dtype(node.input(2));
        Params params = new Params().put("axis", -1L).put("block_size", block).put("real_type", real.label());
        String scale = new Quantization(node, graph).scale(scales);
        steps.last("DequantizeLinear", params, codes(0, type), scale, zeros);
    }

    private String gathered(String table) {
        return steps.add("Gather", new Params().put("axis", 0L), table, node.input(1));
    }

    /** Rows of quantized values as uint8; those with a sign are as many above the smallest. */
    private String codes(int input, DType type) {
        if (type == DType.UINT8) {
            return bits == BYTE ? gathered(node.input(input)) : halves(gathered(node.input(input)));
        }
        Tensor table = graph.constant(node.input(input))
                .orElseThrow(() -> node.unsupportedUse("codes of 4 bits that are no constants"));
        int sign = type == DType.INT4 ? 1 << (bits - 1) : 0;
        long[] dims = table.shape().sizes();
        int last = dims.length - 1;
        if (dims[last] % 2 != 0) {
            return gathered(constant(bytes(table, sign)));
        }
        dims[last] /= 2;
        String packed = constant(Tensor.wrap(TensorType.of(DType.UINT8, dims), table.bytes()));
        String codes = halves(gathered(packed));
        return sign == 0 ? codes : steps.add("BitwiseXor", codes, steps.scalar(DType.UINT8, sign));
    }

    /** A byte for each quantized value. */
    private static Tensor bytes(Tensor codes, long more) {
        Tensor bytes = Tensor.allocate(DType.UINT8, codes.shape().sizes());
        for (long i = 0; i < bytes.elements(); i++) {
            bytes.setLong(i, codes.getLong(i) + more);
        }
        return bytes;
    }

    /** The halves of bytes, side by side. */
    private String halves(String bytes) {
        String low = steps.add("BitwiseAnd", bytes, steps.scalar(DType.UINT8, mask()));
        Params right = new Params().put("direction", "RIGHT");
        String high = steps.add("BitShift", right, bytes, steps.scalar(DType.UINT8, bits));
        Params last = new Params().put("axis", -1L);
        String pairs = steps.add("Concat", last, steps.unsqueezed(low, -1), steps.unsqueezed(high, -1));
        int rank = steps.rank(node.input(0)) + steps.rank(node.input(1)) - 1;
        long[] sizes = new long[rank];
        sizes[rank - 1] = -1;
        return steps.add("Reshape", pairs, steps.vector(sizes));
    }
}
