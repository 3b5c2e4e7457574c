package org.clinfer.benchdnn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.clinfer.benchdnn.ProblemLists.ProblemList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The raw lists, the normalised one, and DeepBench say the same of the same problem. */
class ProblemListsTest {

    @BeforeEach
    void lists() {
        ProblemLists.assume();
    }

    @Test
    void everyRawProblemIsConsistent() {
        int conv = 0;
        int deconv = 0;
        List<String> empty = new ArrayList<>();
        List<Problem> wrong = new ArrayList<>();
        for (ProblemList list : ProblemLists.raw()) {
            assertThat(list.options()).isEmpty();
            if (list.descriptors().isEmpty()) {
                empty.add(list.name());
            }
            if (list.transposed()) {
                deconv += list.descriptors().size();
            } else {
                conv += list.descriptors().size();
            }
            list.problems().stream().filter(problem -> !problem.isConsistent()).forEach(wrong::add);
        }
        assertThat(wrong).isEmpty();
        assertThat(empty).containsExactly("fastrcnn_p3");
        assertThat(List.of(conv, deconv)).containsExactly(3960, 93);
    }

    /**
     * All rows but 118 are what the descriptors mean. Those 118 come from completing each field alone: of an axis for which
     * nothing says how long the output is, or what the stride is, the row has that of the other axis.
     */
    @Test
    void theNormalisedListIsTheRawOne() {
        Map<String, List<NormalisedRow>> rows = new HashMap<>(ProblemLists.normalised());
        Map<String, Integer> deviating = new TreeMap<>();
        List<String> unexplained = new ArrayList<>();
        for (ProblemList list : ProblemLists.raw()) {
            String key = (list.transposed() ? "deconv " : "conv ") + list.name();
            List<NormalisedRow> own = Objects.requireNonNullElse(rows.remove(key), List.of());
            assertThat(own).as(key).hasSameSizeAs(list.descriptors());
            for (int i = 0; i < own.size(); i++) {
                String text = list.descriptors().get(i);
                Problem row = own.get(i).problem();
                if (row.equals(Descriptor.parse(text, list.transposed(), list.name()))) {
                    continue;
                }
                deviating.merge(key, 1, Integer::sum);
                if (!row.equals(Descriptor.parseFieldByField(text, list.transposed(), list.name()))) {
                    unexplained.add(text + " became " + row);
                }
            }
        }
        assertThat(rows).isEmpty();
        assertThat(unexplained).isEmpty();
        assertThat(deviating)
                .containsExactly(
                        Map.entry("conv ci_gpu", 7),
                        Map.entry("conv dilated", 3),
                        Map.entry("conv regression_dw", 7),
                        Map.entry("conv src-transpose_padding", 101));
    }

    /**
     * Completing each field alone makes 79 rows of which no padding gives the output: a stride or more is left out at the
     * end. The column {@code consistent} says "check" for 64 of them, and for no other row.
     */
    @Test
    void whatIsMarkedIsInconsistent() {
        Map<String, Integer> marked = new TreeMap<>();
        Map<String, Integer> unmarked = new TreeMap<>();
        for (List<NormalisedRow> rows : ProblemLists.normalised().values()) {
            for (NormalisedRow row : rows) {
                boolean consistent = row.problem().isConsistent();
                assertThat(row.marked() && consistent)
                        .as(row.problem().toString())
                        .isFalse();
                if (!consistent) {
                    (row.marked() ? marked : unmarked).merge(row.problem().list(), 1, Integer::sum);
                }
            }
        }
        assertThat(marked).containsExactly(Map.entry("src-transpose_padding", 64));
        assertThat(unmarked)
                .containsExactly(
                        Map.entry("ci_gpu", 3), Map.entry("dilated", 3), Map.entry("src-transpose_padding", 9));
    }

    /** DeepBench does not say how long its outputs are, but benchdnn has all its problems, and does. */
    @Test
    void deepBenchOutputsAreThoseOfBenchdnn() {
        List<Problem> rows = ProblemLists.deepBench();
        assertThat(rows).hasSize(163).allMatch(Problem::isConsistent);
        Set<String> known = new HashSet<>();
        ProblemLists.raw().stream()
                .filter(list -> list.name().startsWith("deepbench"))
                .flatMap(list -> list.problems().stream())
                .forEach(problem -> known.add("mb" + problem.batch() + problem.geometry()));
        assertThat(rows).allMatch(row -> known.contains("mb" + row.batch() + row.geometry()));
    }
}
