package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.clinfer.expr.Check;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.junit.jupiter.api.Test;

/** What is recorded while a node is bound, and what is passed over because it was recorded already. */
final class BindStateTest {

    private final BindState state = new BindState(new Toy().op(), "n", Scope.of(Map.of("a", ExpressionValue.of(3))));

    private List<String> messages() {
        return state.violations().stream().map(Violation::message).toList();
    }

    private boolean check(String source) {
        return state.check(Check.parse(source, ""), "arg");
    }

    @Test
    void checksThatHoldOrNot() {
        assertThat(check("a == 3")).isTrue();
        assertThat(messages()).isEmpty();
        assertThat(check("a == 4, \"a is not 4\"")).isFalse();
        assertThat(messages()).containsExactly("Toy 'n': arg: a is not 4 (a == 4: a = 3)");
    }

    @Test
    void checksThatCannotBeDecided() {
        state.define("b", ExpressionValue.unknown("b"));
        assertThat(check("b == 4")).isTrue();
        assertThat(messages()).isEmpty();
        assertThat(state.undecided()).containsExactly("Toy 'n': arg: expected b == 4: b = ?");
    }

    @Test
    void checksThatFailOrGiveNoBool() {
        assertThat(check("a")).isFalse();
        assertThat(check("1 / (a - 3) > 0")).isFalse();
        assertThat(messages())
                .containsExactly(
                        "Toy 'n': arg: the check a must give a bool, not the int 3",
                        "Toy 'n': arg: division by zero: 1 / 0, in 1 / (a - 3) > 0");
    }

    @Test
    void whatUsesTheBrokenIsPassedOver() {
        state.markBroken("a");
        assertThat(state.usesBroken(Expr.parse("a", ""))).isTrue();
        assertThat(state.usesBroken(Expr.parse("b", ""))).isFalse();
        assertThat(check("a == 4")).isTrue();
        assertThat(state.evaluate(Expr.parse("a + 1", ""), "arg")).isEmpty();
        assertThat(state.evaluate(Expr.parse("1 + 1", ""), "arg")).contains(ExpressionValue.of(2));
        assertThat(messages()).isEmpty();
    }

    @Test
    void aFailedCheckBreaksItsArgument() {
        state.define("b", ExpressionValue.of(1));
        state.checkAll(List.of(Check.parse("b == 1", "")), "b");
        assertThat(state.usesBroken(Expr.parse("b", ""))).isFalse();
        state.checkAll(List.of(Check.parse("b == 2", ""), Check.parse("b == 3", "")), "b");
        assertThat(state.usesBroken(Expr.parse("b", ""))).isTrue();
        assertThat(messages()).containsExactly("Toy 'n': b: expected b == 2: b = 1");
    }

    @Test
    void aBudgetThatRunsOutIsReportedOnce() {
        for (int i = 0; i < 30; i++) {
            check("len(fill(900000, 1)) > 0");
        }
        assertThat(messages()).hasSize(1);
        assertThat(messages().get(0)).contains("take too much time or memory in all");
        assertThat(check("a == 4")).isTrue();
        assertThat(state.evaluate(Expr.parse("1", ""), "arg")).isEmpty();
    }

    @Test
    void longSourcesAreCut() {
        assertThat(BindState.abbreviated("x".repeat(120))).isEqualTo("x".repeat(120));
        assertThat(BindState.abbreviated("x".repeat(121))).isEqualTo("x".repeat(120) + "…");
    }

    @Test
    void numbersAreShownAsTheyAreAndExpressionsExplained() {
        assertThat(state.shown(Expr.parse("7", ""))).isEqualTo("7");
        assertThat(state.shown(Expr.parse("a + 1", ""))).isEqualTo("a + 1: 3 + 1 = 4");
    }

    @Test
    void withoutANodeMessagesHaveNoSubject() {
        BindState bare = new BindState(new Toy().op(), "");
        bare.violate("", "text");
        bare.violate("arg", "text");
        bare.reportUnknown("arg", "reason");
        assertThat(bare.violations()).extracting(Violation::message).containsExactly("text", "arg: text");
        assertThat(bare.unknown()).containsExactly("arg: reason");
        bare.define("b", ExpressionValue.of(1));
        assertThat(bare.values()).containsOnlyKeys("b");
        assertThat(bare.op().optype()).isEqualTo("Toy");
    }
}
