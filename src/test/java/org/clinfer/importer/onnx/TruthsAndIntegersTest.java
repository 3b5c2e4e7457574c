package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.text;

import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.errors.ClinferException;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Truths and integers where ONNX has them for operators of real numbers. */
class TruthsAndIntegersTest extends FirstOutputRuns {

    /** Two updates of one place: any that is true, or all, with what was there. */
    @ParameterizedTest
    @CsvSource({
        "ScatterElements, add, 1 1 0",
        "ScatterElements, mul, 0 0 0",
        "ScatterND, max, 1 1 0",
        "ScatterND, min, 0 0 0"
    })
    void truthsAreScattered(String op, String reduction, String wanted) {
        boolean rows = op.equals("ScatterND");
        TestModel model = TestModel.opset(18)
                .typed("x", TestModel.BOOL, 3)
                .typed("updates", TestModel.BOOL, 3)
                .longs("places", 0, 0, 1)
                .longs("column", -1, 1)
                .node("Reshape", "places,column", "rows")
                .node(op, rows ? "x,rows,updates" : "x,places,updates", "y", text("reduction", reduction))
                .output("y");
        Tensor x = Tensor.of(new boolean[] {true, false, false}, 3);
        Tensor updates = Tensor.of(new boolean[] {true, false, true}, 3);
        assertThat(run(model, Map.of("x", x, "updates", updates)).toLongArray()).containsExactly(longs(wanted));
    }

    private static long[] longs(String words) {
        return Stream.of(words.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    }

    /** ONNX has them of integers, too: they are cut off. */
    @ParameterizedTest
    @CsvSource({
        "ReduceL2, 1, 5",
        "ReduceLogSum, 1, 1",
        "ReduceLogSumExp, 1, 4",
        "ReduceMean, 1, 3",
        "ReduceMean, -1, -3"
    })
    void realReductionsOfIntegers(String op, long sign, long wanted) {
        TestModel model = TestModel.opset(18)
                .typed("x", TestModel.INT64, 2)
                .longs("axes", 0)
                .node(op, "x,axes", "y", integer("keepdims", 0))
                .output("y");
        assertThat(run(model, Map.of("x", Tensor.of(new long[] {3 * sign, 4 * sign}, 2)))
                        .getLong(0))
                .isEqualTo(wanted);
    }

    @Test
    void anUnknownReductionOfTruthsIsRefused() {
        TestModel model = TestModel.opset(18)
                .typed("x", TestModel.BOOL, 3)
                .typed("updates", TestModel.BOOL, 1)
                .longs("places", 0)
                .node("ScatterElements", "x,places,updates", "y", text("reduction", "mean"))
                .output("y");
        Map<String, Tensor> given =
                Map.of("x", Tensor.of(new boolean[3], 3), "updates", Tensor.of(new boolean[] {true}, 1));
        assertThatThrownBy(() -> run(model, given)).isInstanceOf(ClinferException.class);
    }
}
