package org.clinfer.conformance;

import java.util.Map;

/** Convolutions and pools. */
final class WindowReferences {

    private WindowReferences() {}

    static Map<String, Reference> all() {
        return Map.of();
    }
}
