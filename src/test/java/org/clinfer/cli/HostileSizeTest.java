package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.robustness.OnnxModel.integer;

import java.io.IOException;
import java.util.Arrays;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.robustness.OnnxModel;
import org.junit.jupiter.api.Test;

/** Models that ask for more memory than there is, at once or by degrees. */
final class HostileSizeTest extends HostileInput {

    private static final long TEN_GIGABYTES_OF_FLOATS = 2_500_000_000L;

    /** A model whose weights w have these sizes and no content. */
    private static OnnxModel addingWeights(long... sizes) {
        TensorProto.Builder weights = TensorProto.newBuilder().setName("w").setDataType(OnnxModel.FLOAT);
        for (long size : sizes) {
            weights.addDims(size);
        }
        return new OnnxModel().input("x", 1, 4).initializer(weights).node("Add", "x,w", "y");
    }

    @Test
    void sizesThatAreNone() throws IOException {
        assertRefused(new OnnxModel().input("x", 1L << 62, 3).node("Relu", "x", "y"), "x");
        assertRefused(addingWeights(1L << 40, 1L << 40), "'w'", "too large");
        assertRefused(addingWeights(-4), "'w'", "-4");
        assertRefused(addingWeights(TEN_GIGABYTES_OF_FLOATS), "'w'", "2500000000");
    }

    /** One operator whose input n says how large its output is. */
    private static OnnxModel sized(String op, String inputs, long... sizes) {
        return new OnnxModel().input("x", 1).longs("n", sizes).node(op, inputs, "y");
    }

    @Test
    void tenGigabytes() throws IOException {
        String size = "2500000000";
        assertRefused(sized("ConstantOfShape", "n", TEN_GIGABYTES_OF_FLOATS), size);
        assertRefused(sized("Expand", "x,n", TEN_GIGABYTES_OF_FLOATS), size);
        assertRefused(sized("Tile", "x,n", TEN_GIGABYTES_OF_FLOATS), size);
        assertRefused(sized("Pad", "x,n", 0, TEN_GIGABYTES_OF_FLOATS - 1), size);
        assertRefused(sized("Resize", "x,,,n", TEN_GIGABYTES_OF_FLOATS), size);
        assertRefused(new OnnxModel().input("x", 1).reals("n", Float.NaN).node("Resize", "x,,n", "y"), "NaN");
        assertRefused(
                new OnnxModel()
                        .input("x", 1)
                        .reals("n", Float.POSITIVE_INFINITY)
                        .node("Resize", "x,,n", "y"),
                "nfinity");
        assertRefused(sized("Expand", "x,n", 1L << 62, 1L << 62, 1L << 62), "too large");
        assertRefused(new OnnxModel().input("x", 0).longs("n", 1L << 40, 0).node("Expand", "x,n", "y"), "too large");
    }

    @Test
    void growthByDegrees() throws IOException {
        OnnxModel doubled = new OnnxModel().input("x", 1, 1024);
        String last = "x";
        for (int i = 0; i < 60; i++) {
            doubled.node("Concat", last + "," + last, "c" + i, integer("axis", 0));
            last = "c" + i;
        }
        assertRefused(doubled, "too large");
        OnnxModel gathers = new OnnxModel().input("x", 8).longs("i", 0, 1, 2, 3, 4, 5, 6, 7);
        last = "x";
        for (int i = 0; i < 30; i++) {
            gathers.node("Gather", last + ",i", "g" + i, integer("axis", -1))
                    .node("Unsqueeze", "g" + i + ",u", "u" + i)
                    .node("Tile", "u" + i + ",t" + i, "t_" + i);
            long[] repeats = new long[i + 2];
            Arrays.fill(repeats, 2);
            gathers.longs("t" + i, repeats);
            last = "t_" + i;
        }
        gathers.longs("u", 0);
        assertRefused(gathers, "too large");
    }

    private Ran runWithin(long bytes, OnnxModel model) throws IOException {
        System.setProperty("clinfer.memory.limit", Long.toString(bytes));
        try {
            return run(model);
        } finally {
            System.clearProperty("clinfer.memory.limit");
        }
    }

    @Test
    void constantsThatGrowTogetherAreNotAllFolded() throws IOException {
        OnnxModel model = new OnnxModel().input("x", 1).reals("v", 1).longs("i", 0);
        String sum = "x";
        for (int i = 0; i < 40; i++) {
            model.longs("s" + i, 1_000_000 + i)
                    .node("Expand", "v,s" + i, "e" + i)
                    .node("Gather", "e" + i + ",i", "g" + i)
                    .node("Add", sum + ",g" + i, "a" + i);
            sum = "a" + i;
        }
        Ran ran = runWithin(50_000_000, model);
        assertThat(ran.code()).as(ran.toString()).isZero();
        assertRefused(runWithin(3_000_000, model), "m.onnx: it needs ", "bytes of memory", "limit 3000000");
    }

    @Test
    void aLimitThatIsNone() throws IOException {
        System.setProperty("clinfer.memory.limit", "much");
        try {
            assertRefused(oneByFour("Relu"), "clinfer.memory.limit must be a number of bytes, but is 'much'");
        } finally {
            System.clearProperty("clinfer.memory.limit");
        }
    }
}
