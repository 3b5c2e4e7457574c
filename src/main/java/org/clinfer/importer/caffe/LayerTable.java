package org.clinfer.importer.caffe;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.clinfer.describe.OpCatalog;

/** The types of layers there are. */
final class LayerTable {

    /** Layers that compare with what should come out; without them, what they compare is the network's output. */
    private static final Pattern OF_TRAINING =
            Pattern.compile("(?:.*Loss|.*Accuracy|SoftmaxWithLoss|DetectionEvaluate|HDF5Output)");

    private static final Map<String, LayerTranslator> BUILT_IN = builtIn();

    private final OpCatalog catalog;

    /** @param catalog the operators there are, among them perhaps some that Caffe does not have */
    LayerTable(OpCatalog catalog) {
        this.catalog = catalog;
    }

    private static Map<String, LayerTranslator> builtIn() {
        Map<String, LayerTranslator> all = new HashMap<>();
        all.putAll(ActivationLayers.all());
        all.putAll(ArithmeticLayers.all());
        all.putAll(ConvolutionLayers.all());
        all.putAll(CoreLayers.all());
        all.putAll(DetectionLayers.all());
        all.putAll(FlowLayers.all());
        all.putAll(NormalizationLayers.all());
        all.putAll(PoolingLayers.all());
        all.putAll(PriorBoxLayers.all());
        all.putAll(ReductionLayers.all());
        all.putAll(ResizingLayers.all());
        all.putAll(ScaleLayers.all());
        all.putAll(ShapeLayers.all());
        return Map.copyOf(all);
    }

    /** The types of Caffe and its descendants that are translated. */
    static Set<String> types() {
        return BUILT_IN.keySet();
    }

    static boolean isOfTraining(String type) {
        return OF_TRAINING.matcher(type).matches();
    }

    Optional<LayerTranslator> find(String type) {
        return Optional.ofNullable(BUILT_IN.get(type)).or(() -> DescribedLayer.find(catalog, type));
    }
}
