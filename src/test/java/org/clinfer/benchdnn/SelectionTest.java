package org.clinfer.benchdnn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which public problems are computed. */
class SelectionTest {

    @BeforeEach
    void lists() {
        ProblemLists.assume();
    }

    private static Set<Stratum> strata(Stream<Problem> problems) {
        return problems.map(Stratum::of).collect(Collectors.toSet());
    }

    /** Forward, transposed, and forward ones reversed. */
    @Test
    void everyStratumIsThere() {
        List<Problem> all = ProblemLists.all();
        Set<Stratum> missing = strata(Stream.concat(
                all.stream(), all.stream().filter(p -> !p.transposed()).map(Problem::reversed)));
        assertThat(missing).hasSizeGreaterThan(150);
        missing.removeAll(strata(Selection.of(all).stream()));
        assertThat(missing).isEmpty();
    }

    /** A list is there where a problem of it is chosen, be it for another list that has it too. */
    @Test
    void everyListIsThereThatHasAnAffordableProblem() {
        List<Problem> all = ProblemLists.all();
        Set<String> chosen = Selection.of(all).stream().map(Problem::geometry).collect(Collectors.toSet());
        Set<String> missing = new TreeSet<>();
        for (Problem problem : all) {
            missing.add(problem.driverAndList());
        }
        assertThat(missing).hasSize(66);
        for (Problem problem : all) {
            if (chosen.contains(problem.geometry())) {
                missing.remove(problem.driverAndList());
            }
        }
        assertThat(missing).containsExactly("conv large_conv");
    }

    @Test
    void nothingIsChosenTwiceAndAlwaysTheSame() {
        List<Problem> all = ProblemLists.all();
        List<Problem> chosen = Selection.of(all);
        assertThat(chosen).hasSizeGreaterThan(400).isEqualTo(Selection.of(all));
        Set<String> geometries = new HashSet<>();
        chosen.forEach(problem -> assertThat(geometries.add(problem.geometry())).isTrue());
        assertThat(chosen)
                .allMatch(problem -> problem.batch() <= 2)
                .filteredOn(problem -> problem.multiplyAdds() > Selection.MAX_MULTIPLY_ADDS)
                .extracting(Problem::driverAndList)
                .containsExactly("deconv 3d");
    }
}
