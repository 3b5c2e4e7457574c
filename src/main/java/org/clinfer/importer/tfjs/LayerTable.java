package org.clinfer.importer.tfjs;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;

/** The kinds of layers there are. */
final class LayerTable {

    private static final Map<String, LayerTranslator> BUILT_IN = builtIn();

    private final OpCatalog catalog;

    /** @param catalog the operators there are, among them perhaps some that Keras does not have */
    LayerTable(OpCatalog catalog) {
        this.catalog = catalog;
    }

    private static Map<String, LayerTranslator> builtIn() {
        Map<String, LayerTranslator> all = new HashMap<>();
        all.putAll(ActivationLayers.all());
        all.putAll(BatchNormalization.all());
        all.putAll(ConvolutionLayers.all());
        all.putAll(CoreLayers.all());
        all.putAll(MergeLayers.all());
        all.putAll(NormalizationLayers.all());
        all.putAll(PoolingLayers.all());
        all.putAll(ResizingLayers.all());
        all.putAll(TransposedConvolutionLayers.all());
        return Map.copyOf(all);
    }

    /** The kinds of Keras, and of what is used with it. */
    static Set<String> kinds() {
        return BUILT_IN.keySet();
    }

    /** What Keras defines itself is never taken for something else. */
    Optional<LayerTranslator> find(String kind) {
        return Optional.ofNullable(BUILT_IN.get(kind)).or(() -> DescribedLayer.find(catalog, kind));
    }
}
