package org.clinfer.importer.ncnn;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.importer.Params;

/** The types of layers there are. */
final class LayerTable {

    private static final Map<String, LayerTranslator> BUILT_IN = builtIn();

    private final OpCatalog catalog;

    /** @param catalog the operators there are, among them perhaps some that ncnn does not have */
    LayerTable(OpCatalog catalog) {
        this.catalog = catalog;
    }

    private static Map<String, LayerTranslator> builtIn() {
        Map<String, LayerTranslator> all = new HashMap<>();
        all.putAll(ActivationLayers.all());
        all.putAll(ArithmeticLayers.all());
        all.putAll(ConvolutionLayers.all());
        all.putAll(DetectionLayers.all());
        all.putAll(MatrixLayers.all());
        all.putAll(NormalizationLayers.all());
        all.putAll(PoolingLayers.all());
        all.putAll(RecurrentLayers.all());
        all.putAll(ResizingLayers.all());
        all.putAll(ShapeLayers.all());
        return Map.copyOf(all);
    }

    /** The types of ncnn. */
    static Set<String> types() {
        return BUILT_IN.keySet();
    }

    /** Those of ncnn, and operators without parameters that a user has described beside the built-in ones. */
    Optional<LayerTranslator> find(String type) {
        return Optional.ofNullable(BUILT_IN.get(type)).or(() -> described(type));
    }

    private Optional<LayerTranslator> described(String type) {
        return OpCatalog.builtIn().find(type).isPresent()
                ? Optional.empty()
                : catalog.find(type)
                        .map(op -> call -> call.addAll(
                                op.optype(), call.inputs(0, Integer.MAX_VALUE), new Params(), call.outputs()));
    }
}
