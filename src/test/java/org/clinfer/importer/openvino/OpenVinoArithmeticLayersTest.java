package org.clinfer.importer.openvino;

import static org.clinfer.importer.openvino.IrNet.same;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operators of two values, selections, products of matrices, and quantization. */
class OpenVinoArithmeticLayersTest {

    @TempDir
    Path folder;

    static double[] numbers(String list) {
        return Stream.of(list.split(":", -1)).mapToDouble(Double::parseDouble).toArray();
    }

    @ParameterizedTest
    @CsvSource({
        "Add, f32, -4:1:9",
        "Subtract, f32, -10:-5:-1",
        "Multiply, f32, -21:-6:20",
        "Divide, f32, -2.333333333:-0.66666666:0.8",
        "Maximum, f32, 3:3:5",
        "Minimum, f32, -7:-2:4",
        "SquaredDifference, f32, 100:25:1",
        "Mod, f32, -1:-2:4",
        "FloorMod, f32, 2:1:4",
        "Equal, boolean, 0:0:0",
        "NotEqual, boolean, 1:1:1",
        "Less, boolean, 1:1:1",
        "GreaterEqual, boolean, 0:0:0"
    })
    void twoValues(String type, String gives, String wanted) throws IOException {
        IrNet net = new IrNet();
        Out a = net.parameter("f32", "1,3");
        net.results(net.add(type, "auto_broadcast=numpy", gives + ":1,3", a, net.floats("3", 3, 3, 5)));
        same(net.run(folder, IrNet.of(new float[] {-7, -2, 4}, 1, 3)), numbers(wanted));
    }

    /** -7 / 2 is -4 rounded down, and -3 towards zero. */
    @Test
    void wholeNumbersAreDividedAsTheFileSays() throws IOException {
        IrNet net = new IrNet();
        Out a = net.parameter("i64", "3");
        Out down = net.add("Divide", "", "i64:3", a, net.longs(2, 2, -2));
        net.results(down, net.add("Divide", "m_pythondiv=false", "i64:3", a, net.longs(2, 2, -2)));
        Tensor given = Tensor.of(new long[] {-7, 7, 7}, 3);
        same(net.runAll(folder, given).get(0), -4, 3, -4);
        same(net.runAll(folder, given).get(1), -3, 3, -3);
    }

    @Test
    void selections() throws IOException {
        IrNet net = new IrNet();
        Out a = net.parameter("f32", "4");
        Out small = net.add("Less", "", "boolean:4", a, net.floats("", 2));
        Out large = net.add("Greater", "", "boolean:4", a, net.floats("", 0));
        Out both = net.add("LogicalAnd", "", "boolean:4", small, large);
        Out neither = net.add("LogicalNot", "", "boolean:4", both);
        net.results(net.add("Select", "", "f32:4", neither, a, net.floats("", 9)));
        same(net.run(folder, IrNet.of(new float[] {-1, 1, 1.5f, 3}, 4)), -1, 9, 9, 3);
    }

    @ParameterizedTest
    @CsvSource({
        "false, false, '2,3', '3,2'",
        "true, false, '3,2', '3,2'",
        "false, true, '2,3', '2,3'",
        "true, true, '1,3,2', '2,3'"
    })
    void products(boolean left, boolean right, String a, String b) throws IOException {
        IrNet net = new IrNet();
        float[] x = left ? new float[] {1, 4, 2, 5, 3, 6} : new float[] {1, 2, 3, 4, 5, 6};
        float[] w = right ? new float[] {1, 3, 5, 2, 4, 6} : new float[] {1, 2, 3, 4, 5, 6};
        long[] dims = Arrays.stream(a.split(",", -1)).mapToLong(Long::parseLong).toArray();
        String attributes = "transpose_a=" + left + " transpose_b=" + right;
        String gives = dims.length == 3 ? "f32:1,2,2" : "f32:2,2";
        net.results(net.add("MatMul", attributes, gives, net.parameter("f32", a), net.floats(b, w)));
        same(net.run(folder, IrNet.of(x, dims)), 22, 28, 49, 64);
    }

    /** 3 levels between -1 and 1 are -1, 0 and 1; they stand for 0, 5 and 10. Halves go to the even level. */
    @Test
    void quantization() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,7");
        net.results(net.add(
                "FakeQuantize",
                "levels=3 auto_broadcast=numpy",
                "f32:1,7",
                x,
                net.floats("1,1", -1),
                net.floats("1,1", 1),
                net.floats("1,1", 0),
                net.floats("1,1", 10)));
        same(
                net.run(folder, IrNet.of(new float[] {-3, -0.6f, -0.5f, 0.4f, 0.5f, 0.6f, 7}, 1, 7)),
                0,
                0,
                0,
                5,
                10,
                10,
                10);
    }

    @Test
    void otherBroadcasting() throws IOException {
        IrNet net = new IrNet();
        Out a = net.parameter("f32", "2,3");
        net.results(net.add("Add", "auto_broadcast=pdpd", "f32:2,3", a, net.floats("2", 1, 2)));
        net.refused(folder, "Add with auto_broadcast='pdpd'");
    }
}
