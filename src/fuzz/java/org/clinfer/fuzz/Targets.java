package org.clinfer.fuzz;

import java.util.List;
import java.util.stream.Stream;
import org.clinfer.cache.CacheTargets;
import org.clinfer.describe.DescriptionTargets;
import org.clinfer.expr.ExpressionTargets;
import org.clinfer.profile.ProfileTargets;
import org.clinfer.robustness.ChangeTargets;
import org.clinfer.robustness.ModelTargets;

/** All targets. */
final class Targets {

    private Targets() {}

    static List<Target> all() {
        return Stream.of(
                        ModelTargets.all(),
                        ChangeTargets.all(),
                        ProfileTargets.all(),
                        DescriptionTargets.all(),
                        ExpressionTargets.all(),
                        TensorTargets.all(),
                        CacheTargets.all())
                .flatMap(List::stream)
                .toList();
    }

    static Target named(String name) {
        return all().stream()
                .filter(target -> target.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no target " + name));
    }
}
