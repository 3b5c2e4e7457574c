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
final class ValueTest {

    @Test
    void listsAreMadeFromJava() {
        assertThat(Value.texts(List.of("a", "b"))).hasToString("['a', 'b']");
        assertThat(Value.reals(0.5, 2)).hasToString("[0.5, 2.0]");
        assertThat(Value.ints(3, -1)).hasToString("[3, -1]");
        assertThat(Value.list(List.of(Value.of(1), Value.of(true)))).hasToString("[1, true]");
    }

    @Test
    void tensorsHaveElementsWhereTheyAreGiven() {
        TensorType type = TensorType.of(DType.INT64, 2);
        Value open = Value.tensor("x", type);
        Value constant = Value.tensor("x", type, Tensor.of(new long[] {4, 5}, 2));
        Expr data = Expr.parse("x.data", "");
        assertThat(data.evaluate(Scope.empty().with("x", open))).isEqualTo(Value.unknown());
        assertThat(data.evaluate(Scope.empty().with("x", constant))).isEqualTo(Value.ints(4, 5));
    }

    @Test
    void anUnknownWithoutANameIsTheAnonymousOne() {
        assertThat(Value.unknown("")).isEqualTo(Value.unknown());
        assertThat(Value.unknown("?")).isEqualTo(Value.unknown());
        assertThat(Value.unknown("n")).isNotEqualTo(Value.unknown());
    }

    @Test
    void anInnerNameHidesAnOuterOne() {
        Scope outer = Scope.of(Map.of("a", Value.of(1), "b", Value.of(2)));
        Scope inner = outer.with(Map.of("a", Value.of(3), "c", Value.of(4)));
        assertThat(inner.find("a")).isEqualTo(Optional.of(Value.of(3)));
        assertThat(inner.find("b")).isEqualTo(Optional.of(Value.of(2)));
        assertThat(inner.find("c")).isEqualTo(Optional.of(Value.of(4)));
        assertThat(outer.find("a")).isEqualTo(Optional.of(Value.of(1)));
        assertThat(outer.find("c")).isEmpty();
    }
}
