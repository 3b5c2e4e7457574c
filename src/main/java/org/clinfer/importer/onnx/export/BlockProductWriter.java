package org.clinfer.importer.onnx.export;

import java.util.List;
import org.clinfer.importer.onnx.OnnxElementTypes;
import org.clinfer.tensor.DType;

/** MatMulNBits, with weights that are dequantized step by step: ONNX has no product of quantized values that share a byte. */
final class BlockProductWriter {

    /** Knows the bits of integers. */
    private static final int BITS = 18;

    private static final int NIBBLE = 4;

    private final Use use;
    private final ModelWriter model;
    private final long bits;

    private BlockProductWriter(Use use, ModelWriter model) {
        this.use = use;
        this.model = model;
        this.bits = use.integer("bits", NIBBLE);
    }

    static void write(Use use, ModelWriter model) {
        new BlockProductWriter(use, model).write();
    }

    private void write() {
        String weights = model.permuted(use, weights(), 1, 0);
        if (use.hasInput(4)) {
            model.add(use, "Add", List.of(model.step(use, "MatMul", use.input(0), weights), use.input(4)), none());
        } else {
            model.add(use, "MatMul", List.of(use.input(0), weights), none());
        }
    }

    /** A row of real weights for each column, as long as the rows that they are multiplied with. */
    private String weights() {
        DType real = use.dtype(0);
        long columns = use.size(2, 0);
        String blocks = model.reshaped(use, codes(), columns, use.size(2, 1), use.integer("block_size"));
        AttributeWriter type = new AttributeWriter().put("to", (long) OnnxElementTypes.number(real));
        String numbers = model.step(use, "Cast", List.of(blocks), type);
        String zeros = use.hasInput(3) ? ofBlocks(3) : model.scalar(use, 1 << (bits - 1), real);
        String weights = model.step(use, "Mul", model.step(use, "Sub", numbers, zeros), ofBlocks(2));
        String first = model.vector(use, "first", 0);
        String end = model.vector(use, "end", use.size(0, use.rank(0) - 1));
        String axis = model.vector(use, "axis", 1);
        return model.step(use, "Slice", model.reshaped(use, weights, columns, -1), first, end, axis);
    }

    private String codes() {
        if (bits != NIBBLE) {
            return use.input(1);
        }
        model.requireOpset(BITS);
        AttributeWriter right = new AttributeWriter().put("direction", "RIGHT");
        List<String> pairs = List.of(use.input(1), model.scalar(use, NIBBLE, DType.UINT8));
        String low = model.step(use, "BitwiseAnd", use.input(1), model.scalar(use, 15, DType.UINT8));
        String high = model.step(use, "BitShift", pairs, right);
        String last = model.vector(use, "last", -1);
        List<String> halves =
                List.of(model.step(use, "Unsqueeze", low, last), model.step(use, "Unsqueeze", high, last));
        return model.step(use, "Concat", halves, new AttributeWriter().put("axis", -1L));
    }

    /** Numbers of blocks, which all values of a block have. */
    private String ofBlocks(int input) {
        return model.step(use, "Unsqueeze", use.input(input), model.vector(use, "behind", 2));
    }

    private static AttributeWriter none() {
        return new AttributeWriter();
    }
}
