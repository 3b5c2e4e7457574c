package org.clinfer.importer.tfjs;

import java.util.Locale;

/** The program whose definitions a model was made by; a few functions differ between them. */
enum Origin {
    KERAS_2,
    KERAS_3,
    /** TensorFlow.js itself. */
    TENSORFLOW_JS;

    /** @param version the topology's {@code keras_version}, {@code ""} if it does not say */
    static Origin of(String version) {
        if (version.toLowerCase(Locale.ROOT).startsWith("tfjs")) {
            return TENSORFLOW_JS;
        }
        return version.startsWith("3.") ? KERAS_3 : KERAS_2;
    }
}
