package org.clinfer.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TunerTest {

    private static Map<String, Double> times(double rows, double ref) {
        Map<String, Double> times = new LinkedHashMap<>();
        times.put("Add_rows", rows);
        times.put("Add_ref", ref);
        return times;
    }

    @Test
    void anotherVariantHasToWinByMoreThanTheNoise() {
        assertThat(Tuner.chosen(times(100, 94))).isEqualTo("Add_ref");
        assertThat(Tuner.chosen(times(100, 96))).isEqualTo("Add_rows");
        assertThat(Tuner.chosen(times(100, 200))).isEqualTo("Add_rows");
        assertThat(Tuner.chosen(times(0, 0))).isEqualTo("Add_rows");
    }

    @Test
    void theMedianIsTheMiddle() {
        assertThat(Tuner.median(List.of(9L, 1L, 5L))).isEqualTo(5);
        assertThat(Tuner.median(List.of(9L, 1L, 5L, 6L))).isEqualTo(5.5);
    }
}
