package org.clinfer.importer.tensorflow;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;

/** The table of translators, by TensorFlow operator. */
final class TranslatorTable {

    private final Map<String, Translator> translators = new HashMap<>();
    private final OpCatalog catalog;

    /** @param catalog the operators there are; nodes may use those that do not come with Clinfer by their names */
    TranslatorTable(Network network, OpCatalog catalog) {
        this.catalog = catalog;
        translators.putAll(ConstantTranslators.all());
        translators.putAll(ConditionTranslators.all());
        translators.putAll(new ConvolutionTranslators(network).all());
        translators.putAll(FusedConvolutionTranslators.all());
        translators.putAll(BlockTranslators.all());
        translators.putAll(TransposedConvolutionTranslators.all());
        translators.putAll(PoolingTranslators.all());
        translators.putAll(PoolGradientTranslators.all());
        translators.putAll(QuantizationTranslators.all());
        translators.putAll(NormalizationTranslators.all());
        translators.putAll(ElementTranslators.all());
        translators.putAll(BroadcastTranslators.all());
        translators.putAll(MatrixTranslators.all());
        translators.putAll(new RecurrentTranslators(network).all());
        translators.putAll(ReduceTranslators.all());
        translators.putAll(ShapeTranslators.all());
        translators.putAll(SelectionTranslators.all());
        translators.putAll(SliceTranslators.all());
        translators.putAll(ResizeTranslators.all());
    }

    /** The operators of TensorFlow. */
    Set<String> operators() {
        return translators.keySet();
    }

    /**
     * The translator of a node.
     *
     * @throws org.clinfer.graph.UnsupportedException if it has attributes that its operator does not have
     * @throws org.clinfer.graph.GraphException if one is missing that its operator needs
     */
    Optional<Translator> find(TfNode node) {
        if (translators.containsKey(node.op())) {
            OpAttributes.check(node);
        }
        return Optional.ofNullable(translators.get(node.op())).or(() -> DescribedTranslator.find(catalog, node.op()));
    }
}
