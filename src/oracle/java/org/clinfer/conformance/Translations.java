package org.clinfer.conformance;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How the cases of every operator are said in ONNX, by operator. */
final class Translations {

    private static final List<Map<String, Translation>> FAMILIES = List.of(
            BinaryTranslations.all(),
            BlockedTranslations.all(),
            BlockedOperatorTranslations.all(),
            ComposedTranslations.all(),
            CountedTranslations.all(),
            DirectTranslations.all(),
            ElementTranslations.all(),
            FusedTranslations.all(),
            LinearTranslations.all(),
            MovementTranslations.all(),
            NormalizationTranslations.all(),
            RecurrentTranslations.all(),
            ResizeTranslations.all(),
            TransformerTranslations.all(),
            TransposedTranslations.all(),
            WindowTranslations.all());

    private Translations() {}

    static Map<String, Translation> all() {
        Map<String, Translation> all = new TreeMap<>();
        FAMILIES.forEach(all::putAll);
        return all;
    }
}
