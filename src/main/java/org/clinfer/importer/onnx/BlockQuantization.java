package org.clinfer.importer.onnx;

import java.nio.ByteBuffer;
import java.util.stream.LongStream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * ONNX Runtime's operators on weights of 4 or 8 bits, where a block of neighbours in a row has a scale and a zero point of
 * its own. Codes that share a byte stand low bits first, and every row begins with a byte. A product gets its weights as
 * constants that are codes still: they become real numbers when a model is loaded. A table of rows stays as it is, and the
 * rows that are taken from it become real.
 */
final class BlockQuantization {

    private static final int BYTE = DType.UINT8.bits();

    /** So many columns of a matrix are transposed at a time, so that they stay in the cache. */
    private static final int COLUMNS = 64;

    private static final int LEAST_BLOCK = 16;

    private final OnnxNode node;
    private final GraphWriter graph;
    private final Steps steps;
    private final int bits;
    private final long block;

    private BlockQuantization(OnnxNode node, GraphWriter graph, long bits, long block) {
        this.node = node;
        this.graph = graph;
        this.steps = new Steps(node, graph);
        if (bits != 4 && bits != BYTE) {
            throw node.unsupportedUse("bits " + bits);
        }
        if (block < LEAST_BLOCK || Long.bitCount(block) != 1) {
            throw node.malformed("block_size must be a power of 2 of at least 16, but is " + block);
        }
        this.bits = (int) bits;
        this.block = block;
    }

    /** The product with a matrix whose rows of codes are its columns. */
    static void product(OnnxNode node, GraphWriter graph) {
        node.requireInputs(3, 6);
        node.ignore("accuracy_level"); // how much less exact than float32 it may be
        if (node.integer("weight_prepacked", 0) != 0) {
            throw node.unsupportedUse("weight_prepacked " + node.integer("weight_prepacked"));
        }
        if (node.hasInput(4)) {
            throw node.unsupportedUse("g_idx");
        }
        new BlockQuantization(node, graph, node.integer("bits", 4), node.integer("block_size"))
                .product(node.integer("K"), node.integer("N"));
    }

    private void product(long rows, long columns) {
        if (rows < 1 || columns < 1) {
            throw node.malformed("K and N must be above 0, but are " + rows + " and " + columns);
        }
        long blocks = divided(rows, block);
        DType codes = bits == BYTE ? DType.UINT8 : DType.UINT4;
        String weights = constant(transposed(bytes(1), blocks * block * bits / BYTE, codes, rows, columns));
        String scales = turned(node.input(2), blocks, columns);
        String product = steps.add("MatMul", node.input(0), reals(weights, scales, codes, blocks, columns));
        if (node.hasInput(5)) {
            steps.last("Add", product, node.input(5));
        } else {
            steps.last("Identity", product);
        }
    }

    /** The weights, made real with zero points that are codes, or real numbers, or left out. */
    private String reals(String weights, String scales, DType codes, long blocks, long columns) {
        Quantization quantization = new Quantization(node, graph);
        DType real = steps.dtype(node.input(2));
        Params params = new Params().put("axis", 0L).put("block_size", block).put("real_type", real.label());
        String scale = quantization.scale(scales);
        if (node.hasInput(3) && steps.dtype(node.input(3)).isFloating()) {
            String products = steps.add("DequantizeLinear", params, weights, scale);
            String zeros = steps.add("Mul", turned(node.input(3), blocks, columns), scales);
            long rows = node.integer("K");
            String blockOfRow = steps.vector(
                    LongStream.range(0, rows).map(row -> row / block).toArray());
            String perRow = steps.add("Gather", new Params().put("axis", 0L), zeros, blockOfRow);
            return steps.add("Sub", products, perRow);
        }
        Tensor zeros = node.hasInput(3)
                ? transposed(bytes(3), divided(blocks * bits, BYTE), codes, blocks, columns)
                : filled(codes, 1L << (bits - 1), blocks, columns);
        return steps.add("DequantizeLinear", params, weights, scale, constant(zeros));
    }

    /** Numbers for the blocks of each column, with an axis for either. */
    private String turned(String numbers, long blocks, long columns) {
        return steps.transposed(steps.add("Reshape", numbers, steps.vector(columns, blocks)), 1, 0);
    }

    /** Rounded up. */
    private static long divided(long count, long size) {
        return (count + size - 1) / size;
    }

    private static Tensor filled(DType codes, long value, long... dims) {
        Tensor tensor = Tensor.allocate(codes, dims);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setLong(i, value);
        }
        return tensor;
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

    /**
     * Rows of packed codes as the columns of a matrix.
     *
     * @param stride the bytes of a row
     */
    private Tensor transposed(ByteBuffer from, long stride, DType codes, long rows, long columns) {
        if (from.limit() != stride * columns) {
            throw node.malformed(columns + " columns of " + stride + " bytes are " + stride * columns
                    + ", but there are " + from.limit());
        }
        Tensor tensor = Tensor.allocate(TensorType.of(codes, rows, columns));
        byte[] tile = new byte[Math.toIntExact(COLUMNS * stride)];
        byte[] line = new byte[COLUMNS];
        for (long start = 0; start < columns; start += COLUMNS) {
            int count = (int) Math.min(COLUMNS, columns - start);
            from.get((int) (start * stride), tile, 0, (int) (count * stride));
            for (long row = 0; row < rows; row++) {
                int at = (int) (row * bits / BYTE);
                int shift = (int) (row * bits % BYTE);
                for (int i = 0; i < count; i++) {
                    line[i] = (byte) ((tile[(int) (i * stride) + at] >> shift) & mask());
                }
                store(line, count, tensor, row * columns + start);
            }
        }
        return tensor;
    }

    private int mask() {
        return (1 << bits) - 1;
    }

    /** Codes in bytes of their own, stored side by side. */
    private void store(byte[] line, int count, Tensor tensor, long place) {
        int together = BYTE / bits;
        if (place % together != 0 || count % together != 0) {
            for (int i = 0; i < count; i++) {
                tensor.setLong(place + i, line[i] & mask());
            }
            return;
        }
        for (int i = 0; i < count; i += together) {
            int packed = 0;
            for (int j = 0; j < together; j++) {
                packed |= line[i + j] << (j * bits);
            }
            line[i / together] = (byte) packed;
        }
        tensor.bytes().put((int) (place / together), line, 0, count / together);
    }

    private String constant(Tensor tensor) {
        String name = graph.freshName(node.name() + "/codes");
        graph.addConstant(name, tensor);
        return name;
    }

    /** Rows of a table of codes, made real. */
    static void rows(OnnxNode node, GraphWriter graph) {
        node.requireInputs(3, 4);
        DType type = new Steps(node, graph).dtype(node.input(0));
        long bits = node.integer("bits", 4);
        if (type != DType.UINT8 && type.bits() != bits) {
            throw node.malformed("codes of " + bits + " bits cannot be " + type.label());
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

    /** Rows of codes as uint8; codes with a sign are as many above the smallest. */
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

    /** A byte for each code. */
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
