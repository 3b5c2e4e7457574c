package org.clinfer.serve;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The memory of all requests together. */
class ContentBudgetTest {

    @Test
    void refusesBeyondItsLimitAndTakesBack() {
        ContentBudget budget = new ContentBudget(100);
        assertThat(budget.take(60)).isTrue();
        assertThat(budget.take(41)).isFalse();
        assertThat(budget.take(40)).isTrue();
        budget.give(60);
        assertThat(budget.taken()).isEqualTo(40);
        assertThat(budget.take(60)).isTrue();
    }
}
