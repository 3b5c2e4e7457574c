package org.clinfer.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.clinfer.estimate.PublishedFigures.Figure;
import org.clinfer.profile.CostModel;
import org.clinfer.profile.ProfileCatalog;
import org.junit.jupiter.api.Test;

/** The estimates are as far from published times as the rule files of the families say. */
class EstimatesTest {

    @Test
    void theErrorOfEachFamilyIsTheOneItStates() {
        Map<String, List<Figure>> byFamily =
                PublishedFigures.read().stream().collect(Collectors.groupingBy(Figure::family));
        ProfileCatalog.builtIn().families().forEach(family -> {
            List<Figure> figures = byFamily.getOrDefault(family.family(), List.of());
            assertThat(family.cost().flatMap(CostModel::accuracy))
                    .as("accuracy of " + family.file())
                    .isEqualTo(figures.isEmpty() ? Optional.empty() : Optional.of(EstimatesPage.accuracy(figures)));
        });
        assertThat(byFamily).hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void mostEstimatesAreWithinAFifth() {
        List<Figure> figures = PublishedFigures.read();
        long close = figures.stream().filter(figure -> figure.error() <= 0.2).count();
        assertThat(close).isGreaterThan(figures.size() * 3L / 4);
    }
}
