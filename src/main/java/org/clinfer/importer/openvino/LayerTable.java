package org.clinfer.importer.openvino;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.importer.Params;

/** The table of translators, by type of layer. */
final class LayerTable {

    private static final Map<String, LayerTranslator> BUILT_IN = builtIn();

    private final OpCatalog catalog;

    /** @param catalog the operators there are, among them perhaps some that OpenVINO does not have */
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
        all.putAll(SelectionLayers.all());
        all.putAll(ShapeLayers.all());
        all.putAll(SliceLayers.all());
        return Map.copyOf(all);
    }

    /** Those of OpenVINO, and operators without parameters that a user has described beside the built-in ones. */
    Optional<LayerTranslator> find(String type) {
        return Optional.ofNullable(BUILT_IN.get(type)).or(() -> described(type));
    }

    /** The types of OpenVINO. */
    static Set<String> types() {
        return BUILT_IN.keySet();
    }

    boolean isBuiltIn(String type) {
        return BUILT_IN.containsKey(type);
    }

    private Optional<LayerTranslator> described(String type) {
        return OpCatalog.builtIn().find(type).isPresent()
                ? Optional.empty()
                : catalog.find(type)
                        .map(op -> call -> call.addAll(op.optype(), call.inputs(), new Params(), call.outputCount()));
    }
}
