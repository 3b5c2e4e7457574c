package org.clinfer.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class ReadingTest {

    @Test
    void eachSetOfReadingsHasWordsOfItsOwn() {
        assertThat(Reading.label(EnumSet.of(Reading.PUBLISHED, Reading.DOCUMENT)))
                .isEqualTo("document, published");
        assertThat(Reading.label(EnumSet.of(Reading.DOCUMENT))).isEqualTo("document");
        assertThat(Reading.label(EnumSet.allOf(Reading.class))).isEmpty();
    }
}
