package org.clinfer.expr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Values as Java makes them, and the scopes they are looked up in. */
final class ExpressionValueTest {

    @Test
    void listsAreMadeFromJava() {
        assertThat(ExpressionValue.texts(List.of("a", "b"))).hasToString("['a', 'b']");
        assertThat(ExpressionValue.reals(0.5, 2)).hasToString("[0.5, 2.0]");
        assertThat(ExpressionValue.ints(3, -1)).hasToString("[3, -1]");
        assertThat(ExpressionValue.list(List.of(ExpressionValue.of(1), ExpressionValue.of(true))))
                .hasToString("[1, true]");
    }

    @Test
    void tensorsHaveElementsWhereTheyAreGiven() {
        TensorType type = TensorType.of(DType.INT64, 2);
        ExpressionValue open = ExpressionValue.tensor("x", type);
        ExpressionValue constant = ExpressionValue.tensor("x", type, Tensor.of(new long[] {4, 5}, 2));
        Expr data = Expr.parse("x.data", "");
        assertThat(data.evaluate(Scope.empty().with("x", open))).isEqualTo(ExpressionValue.unknown());
        assertThat(data.evaluate(Scope.empty().with("x", constant))).isEqualTo(ExpressionValue.ints(4, 5));
    }

    @Test
    void anUnknownWithoutANameIsTheAnonymousOne() {
        assertThat(ExpressionValue.unknown("")).isEqualTo(ExpressionValue.unknown());
        assertThat(ExpressionValue.unknown("?")).isEqualTo(ExpressionValue.unknown());
        assertThat(ExpressionValue.unknown("n")).isNotEqualTo(ExpressionValue.unknown());
    }

    @Test
    void anInnerNameHidesAnOuterOne() {
        Scope outer = Scope.of(Map.of("a", ExpressionValue.of(1), "b", ExpressionValue.of(2)));
        Scope inner = outer.with(Map.of("a", ExpressionValue.of(3), "c", ExpressionValue.of(4)));
        assertThat(inner.find("a")).isEqualTo(Optional.of(ExpressionValue.of(3)));
        assertThat(inner.find("b")).isEqualTo(Optional.of(ExpressionValue.of(2)));
        assertThat(inner.find("c")).isEqualTo(Optional.of(ExpressionValue.of(4)));
        assertThat(outer.find("a")).isEqualTo(Optional.of(ExpressionValue.of(1)));
        assertThat(outer.find("c")).isEmpty();
    }
}
