package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.onnx.RuntimeModelRunner.assertClose;
import static org.clinfer.importer.onnx.TestModel.integer;

import java.util.Objects;
import org.assertj.core.data.Offset;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Weights that are codes of a few bits, with a scale for each block, against loops. */
class BlockQuantizedWeightsTest extends RuntimeOperatorTests {

    @ParameterizedTest
    @CsvSource({"4, none", "4, codes", "4, reals", "8, none", "8, codes", "8, reals"})
    void weightsAreCodesOfBlocks(int bits, String zeros) {
        int rows = 70;
        int columns = 5;
        int size = 16;
        int blocks = 5;
        RuntimeModel test = new RuntimeModel(bits).input("x", 3, rows).output("y");
        Tensor codes = test.codes(DType.UINT8, columns, blocks, (long) size * bits / 8);
        Tensor scales = test.normal(1, columns, blocks);
        Tensor zero = zeros.equals("reals")
                ? test.normal(2, columns, blocks)
                : test.codes(DType.UINT8, columns, (blocks * bits + 7) / 8);
        test.constant("w", codes).constant("s", scales);
        if (!zeros.equals("none")) {
            test.constant("z", zero);
        }
        test.node(
                "MatMulNBits",
                zeros.equals("none") ? "x,w,s" : "x,w,s,z",
                "y",
                integer("K", rows),
                integer("N", columns),
                integer("bits", bits),
                integer("block_size", size));
        Tensor x = Objects.requireNonNull(test.inputs().get("x"));
        double[] y = new double[3 * columns];
        for (int i = 0; i < y.length; i++) {
            int column = i % columns;
            for (int row = 0; row < rows; row++) {
                int block = column * blocks + row / size;
                double none = switch (zeros) {
                    case "none" -> 1 << (bits - 1);
                    case "codes" -> code(zero, column, blocks, row / size, bits);
                    default -> zero.getDouble(block);
                };
                double weight = (code(codes, column, blocks * size, row, bits) - none) * scales.getDouble(block);
                y[i] += x.getDouble((long) (i / columns) * rows + row) * weight;
            }
        }
        Tensor actual = runner.run(test, folder).get(0);
        for (int i = 0; i < y.length; i++) {
            assertThat(actual.getDouble(i)).isCloseTo(y[i], Offset.offset(1e-6 * Math.abs(y[i]) + 1e-2));
        }
    }

    /** A code of a row that begins with a byte, low bits first. */
    private static long code(Tensor bytes, int row, int length, int place, int bits) {
        long stride = (length * (long) bits + 7) / 8;
        return bytes.getLong(row * stride + (long) place * bits / 8) >> place * bits % 8 & (1 << bits) - 1;
    }

    @ParameterizedTest
    @CsvSource({"UINT8, 4, true", "UINT8, 4, false", "UINT8, 8, true", "INT4, 4, true", "UINT4, 4, false"})
    void rowsOfCodesBecomeReal(DType type, int bits, boolean hasZeros) {
        int width = 72;
        int blocks = 5;
        boolean packed = type == DType.UINT8;
        RuntimeModel test = new RuntimeModel(bits)
                .input("i", Tensor.of(new long[] {2, 0, 2, 6}, 2, 2))
                .output("y");
        Tensor codes = test.codes(type, 7, packed ? width * bits / 8 : width);
        Tensor zeros = test.codes(type, 7, packed ? (blocks * bits + 7) / 8 : blocks);
        Tensor scales = test.normal(1, 7, blocks);
        test.constant("w", codes).constant("s", scales);
        if (hasZeros) {
            test.constant("z", zeros);
        }
        test.node(
                "GatherBlockQuantized",
                hasZeros ? "w,i,s,z" : "w,i,s",
                "y",
                integer("bits", bits),
                integer("block_size", 16));
        double[] y = new double[4 * width];
        for (int i = 0; i < y.length; i++) {
            int row = (int) Objects.requireNonNull(test.inputs().get("i")).getLong(i / width);
            int block = i % width / 16;
            long code = packed ? code(codes, row, width, i % width, bits) : codes.getLong(row * width + i % width);
            long zero = packed ? 1 << (bits - 1) : 0;
            if (hasZeros) {
                zero = packed ? code(zeros, row, blocks, block, bits) : zeros.getLong(row * blocks + block);
            }
            y[i] = (code - zero) * scales.getDouble(row * blocks + block);
        }
        assertClose(runner.run(test, folder).get(0), y);
    }
}
