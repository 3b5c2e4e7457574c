package org.clinfer.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code element(x, index)}: elements of tensors by numpy's broadcasting rules. */
class ElementFunctionTest {

    /** x is 2x3 with 0 to 5, row is 1x3 with 0.5, 1.5, 2.5, flag is a scalar bool, open is not known. */
    private static Scope scope() {
        Tensor flag = Tensor.allocate(DType.BOOL);
        flag.setLong(0, 1);
        TensorType open = TensorType.of(DType.FLOAT32, 2);
        return Scope.empty()
                .with("x", tensor("x", Tensor.of(new long[] {0, 1, 2, 3, 4, 5}, 2, 3)))
                .with("row", tensor("row", Tensor.of(new float[] {0.5f, 1.5f, 2.5f}, 1, 3)))
                .with("flag", tensor("flag", flag))
                .with("open", ExpressionValue.tensor("open", open));
    }

    private static ExpressionValue tensor(String name, Tensor tensor) {
        return ExpressionValue.tensor(name, tensor.type(), tensor);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "element(x, [0, 0]) | 0",
                "element(x, [0, 2]) | 2",
                "element(x, [1, 0]) | 3",
                "element(x, [1, 2]) | 5",
                "element(x, [7, 1, 1]) | 4",
                "element(row, [1, 2]) | 2.5",
                "element(row, [9, 0]) | 0.5",
                "element(flag, []) | true",
                "element(flag, [3, 4]) | true",
                "element(open, [0]) | ?"
            })
    void readsTheElement(String expression, String value) {
        assertThat(Expr.parse(expression, "").evaluate(scope())).hasToString(value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "element(x, [2, 0]) | index 2 is outside a list of 2 elements",
                "element(x, [0, 3]) | index 3 is outside a list of 3 elements",
                "element(x, [0, -1]) | index -1 is outside a list of 3 elements",
                "element(x, [1]) | element() of 2x3:int64 with only 1 indices",
                "element(3, [1]) | a tensor"
            })
    void refusesWhatIsNotThere(String expression, String reason) {
        Expr parsed = Expr.parse(expression, "");
        assertThatThrownBy(() -> parsed.evaluate(scope()))
                .isInstanceOf(ExprException.class)
                .hasMessageContaining(reason);
    }
}
