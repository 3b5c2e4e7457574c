package org.clinfer.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    @Test
    void leavesMemoryForTheRestOfTheProgramHoweverLargeRequestsMayBe() {
        assertThat(ContentBudget.usual(64, 8000).take(2000)).isTrue();
        ContentBudget small = ContentBudget.usual(64, 192);
        assertThat(small.isShortFor(64)).isTrue();
        assertThat(small.take(73)).isFalse();
        assertThat(small.take(72)).isTrue();
    }

    @Test
    void aShareGivesAllOfItBackAtItsEnd() {
        ContentBudget budget = new ContentBudget(100);
        ContentShare share = new ContentShare(budget);
        share.take(90);
        share.count(20);
        assertThat(budget.taken()).isEqualTo(110);
        assertThatThrownBy(() -> share.take(1)).isInstanceOf(ServiceException.class);
        share.close();
        assertThatThrownBy(() -> share.take(1)).isInstanceOf(ServiceException.class);
        assertThat(budget.taken()).isZero();
    }
}
