package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

/** Claims about where the nodes of a session run. */
final class Placements {

    private Placements() {}

    static void assertEverything(Placement.Target target, Session session) {
        assertThat(session.placement().nodes())
                .isNotEmpty()
                .allSatisfy(node -> assertThat(node.target()).isEqualTo(target));
    }
}
