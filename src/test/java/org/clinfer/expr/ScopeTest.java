package org.clinfer.expr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names and which of two equal ones counts, for scopes of any length. */
class ScopeTest {

    @Test
    void theLatestOfEqualNamesCountsHoweverManyThereAre() {
        Scope scope = Scope.of(Map.of("a", ExpressionValue.of(-1), "r", ExpressionValue.of(-2)));
        for (int i = 0; i < 100; i++) {
            scope = scope.with("a", ExpressionValue.of(i)).with("n" + i, ExpressionValue.of(i));
            assertThat(scope.find("a")).contains(ExpressionValue.of(i));
            assertThat(scope.find("n" + i / 2)).contains(ExpressionValue.of(i / 2));
            assertThat(scope.find("r")).contains(ExpressionValue.of(-2));
            assertThat(scope.find("n" + (i + 1))).isEmpty();
        }
    }

    @Test
    void scopesMadeOfOneDoNotSeeEachOther() {
        Scope outer = Scope.empty();
        for (int i = 0; i < 20; i++) {
            Scope one = outer.with("x", ExpressionValue.of(1));
            Scope two = outer.with("x", ExpressionValue.of(2));
            assertThat(one.find("x")).contains(ExpressionValue.of(1));
            assertThat(two.find("x")).contains(ExpressionValue.of(2));
            assertThat(outer.find("x")).isEmpty();
            outer = outer.with("n" + i, ExpressionValue.of(i));
        }
    }

    @Test
    void namesAddedTogetherHideEarlierOnesAndAreHiddenByLaterOnes() {
        for (int before = 0; before < 60; before++) {
            Scope scope = Scope.of(Map.of("a", ExpressionValue.of(-1), "r", ExpressionValue.of(-2)));
            for (int i = 0; i < before; i++) {
                scope = scope.with("n" + i, ExpressionValue.of(-i));
            }
            scope = scope.with(
                    Map.of("a", ExpressionValue.of(1), "b", ExpressionValue.of(2), "n3", ExpressionValue.of(3)));
            for (int i = 0; i < 40; i++) {
                assertThat(scope.find("a")).contains(ExpressionValue.of(1));
                assertThat(scope.find("n3")).contains(ExpressionValue.of(3));
                assertThat(scope.find("r")).contains(ExpressionValue.of(-2));
                assertThat(scope.find("")).isEmpty();
                scope = scope.with("m" + i, ExpressionValue.of(i));
            }
            assertThat(scope.with("b", ExpressionValue.of(5)).find("b")).contains(ExpressionValue.of(5));
            assertThat(scope.with(Map.of("b", ExpressionValue.of(6))).find("b")).contains(ExpressionValue.of(6));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "x.dims[0] + 1; false",
                "x.data[0] == 1; true",
                "all(x.dims, d -> d > w.data[0]); true",
                "n > 1 ? element(x, [0]) : 2; true",
                "data + elements; false"
            })
    void knowsWhoReadsElements(String expression, boolean reads) {
        assertThat(Expr.parse(expression, "test").readsElements()).isEqualTo(reads);
    }
}
