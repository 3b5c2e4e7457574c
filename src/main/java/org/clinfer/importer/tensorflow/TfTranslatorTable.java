package org.clinfer.importer.tensorflow;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;

/** The table of translators, by TensorFlow operator. */
final class TfTranslatorTable {

    private final Map<String, TfTranslator> translators = new HashMap<>();
    private final Map<String, TfTranslator> ofComplex = TfComplexTranslators.ofComplex();
    private final OpCatalog catalog;

    /** @param catalog the operators there are; nodes may use those that do not come with Clinfer by their names */
    TfTranslatorTable(TfNetwork network, OpCatalog catalog) {
        this.catalog = catalog;
        translators.putAll(TfConstantTranslators.all());
        translators.putAll(ConditionTranslators.all());
        translators.putAll(new TfConvolutionTranslators(network).all());
        translators.putAll(FusedConvolutionTranslators.all());
        translators.putAll(BlockTranslators.all());
        translators.putAll(TransposedConvolutionTranslators.all());
        translators.putAll(TfPoolingTranslators.all());
        translators.putAll(PoolGradientTranslators.all());
        translators.putAll(QuantizationTranslators.all());
        translators.putAll(TfNormalizationTranslators.all());
        translators.putAll(TfElementTranslators.all());
        translators.putAll(TfBroadcastTranslators.all());
        translators.putAll(MatrixTranslators.all());
        translators.putAll(TfRunningTranslators.all());
        translators.putAll(TfBitTranslators.all());
        translators.putAll(TfFormatTranslators.all());
        translators.putAll(TfSparseTranslators.all());
        translators.putAll(new TfRecurrentTranslators(network).all());
        translators.putAll(TfReduceTranslators.all());
        translators.putAll(TfShapeTranslators.all());
        translators.putAll(TfSelectionTranslators.all());
        translators.putAll(SliceTranslators.all());
        translators.putAll(TfSearchTranslators.all());
        translators.putAll(TfScatterTranslators.all());
        translators.putAll(TfSegmentTranslators.all());
        translators.putAll(TfDiagonalTranslators.all());
        translators.putAll(TfFourierTranslators.ofReal());
        translators.putAll(TfComplexTranslators.ofReal());
        translators.putAll(TfSuppressionTranslators.all());
        translators.putAll(TfResizeTranslators.all());
        translators.putAll(TfRandomTranslators.all());
        translators.putAll(TfColorTranslators.all());
        translators.putAll(TfStitchTranslators.all());
        translators.putAll(TfSpecialFunctions.all());
        translators.putAll(new TfWeightedResizing(network).all());
        translators.putAll(TensorListTranslators.all());
        translators.putAll(new TfFusedTranslators(Map.copyOf(translators)).all());
    }

    /** The operators of TensorFlow. */
    Set<String> operators() {
        Set<String> all = new HashSet<>(translators.keySet());
        all.addAll(ofComplex.keySet());
        return all;
    }

    /** The translator of a node with complex numbers among its inputs. */
    Optional<TfTranslator> findOfComplex(TfNode node) {
        Optional<TfTranslator> found =
                TfComplexTranslators.find(node, ofComplex, Optional.ofNullable(translators.get(node.op())));
        found.ifPresent(translator -> OpAttributes.check(node));
        return found;
    }

    /**
     * The translator of a node.
     *
     * @throws org.clinfer.graph.UnsupportedException if it has attributes that its operator does not have
     * @throws org.clinfer.graph.GraphException if one is missing that its operator needs
     */
    Optional<TfTranslator> find(TfNode node) {
        boolean isOfComplex = ofComplex.containsKey(node.op());
        if (translators.containsKey(node.op()) || isOfComplex) {
            OpAttributes.check(node);
        }
        if (isOfComplex && !translators.containsKey(node.op())) {
            throw node.unsupportedUse("an input that is no complex number");
        }
        return Optional.ofNullable(translators.get(node.op())).or(() -> TfDescribedTranslator.find(catalog, node.op()));
    }
}
