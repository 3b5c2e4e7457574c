package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers as people read them, and texts as they can bear them. */
class AmountTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 bytes, 0",
        "1, 1 byte, 1",
        "999, 999 bytes, 999",
        "1000, 1000 bytes, 1.0 k",
        "1023, 1023 bytes, 1.0 k",
        "1024, 1.0 KiB, 1.0 k",
        "10240, 10 KiB, 10 k",
        "999999, 977 KiB, 1.0 M",
        "1048575, 1.0 MiB, 1.0 M",
        "46800000, 45 MiB, 47 M",
        "9223372036854775807, 8.0 EiB, 9.2 E"
    })
    void amountsHaveTwoDigitsOrMore(long amount, String bytes, String count) {
        assertThat(Amount.bytes(amount)).isEqualTo(bytes);
        assertThat(Amount.count(amount)).isEqualTo(count);
    }

    @Test
    void onlyAllIsAHundredPercent() {
        assertThat(Amount.percent(999, 1000)).isEqualTo("99 %");
        assertThat(Amount.percent(1000, 1000)).isEqualTo("100 %");
        assertThat(Amount.percent(1, 1000)).isEqualTo("0 %");
    }
}
