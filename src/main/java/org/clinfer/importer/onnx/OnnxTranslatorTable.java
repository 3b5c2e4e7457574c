package org.clinfer.importer.onnx;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The table of translators, by ONNX operator. */
final class OnnxTranslatorTable {

    private final Map<String, OnnxTranslator> translators = new HashMap<>();
    private final Map<String, OnnxTranslator> learning;
    private final Map<String, OnnxTranslator> runtime;

    /**
     * The table for a file.
     *
     * @param tensors reads the tensors that stand in attributes
     * @param producer the program that wrote the file, as the file names it
     */
    OnnxTranslatorTable(OnnxTensorReader tensors, String producer) {
        translators.putAll(DirectTranslators.all()); // first, because some have another form in old operator sets
        translators.putAll(OnnxConvolutionTranslators.all());
        translators.putAll(OnnxPoolingTranslators.all());
        translators.putAll(OnnxNormalizationTranslators.all());
        translators.putAll(OnnxElementTranslators.all());
        translators.putAll(OnnxBroadcastTranslators.all());
        translators.putAll(QuantizeTranslators.all());
        translators.putAll(OnnxReduceTranslators.all());
        translators.putAll(OnnxShapeTranslators.all());
        translators.putAll(OnnxSelectionTranslators.all());
        translators.putAll(new OnnxResizeTranslators(producer).all());
        translators.putAll(OnnxRecurrentTranslators.all());
        translators.putAll(ComposedTranslators.all());
        translators.putAll(CountedTranslators.all());
        translators.putAll(ExperimentalTranslators.all());
        translators.putAll(LossTranslators.all());
        translators.putAll(RandomTranslators.all());
        translators.putAll(SignalTranslators.all());
        translators.putAll(CacheTranslators.all());
        translators.putAll(FusedTranslators.ofStandardDomain());
        translators.putAll(new OnnxConstantTranslators(tensors).all());
        translators.putAll(SequenceTranslators.all());
        learning = new MlTranslators(tensors).all();
        runtime = runtime();
    }

    private Map<String, OnnxTranslator> runtime() {
        Map<String, OnnxTranslator> all = new HashMap<>(OrtQuantizedTranslators.all());
        all.putAll(FusedTranslators.all());
        all.putAll(OnnxRecurrentTranslators.ofRuntime());
        all.putAll(DiffusionTranslators.all());
        all.putAll(new OrtTranslators(translators).all());
        all.putAll(MixtureTranslators.all());
        return Map.copyOf(all);
    }

    /** The operators of ONNX, and those of another domain with that in front. */
    Set<String> operators() {
        Set<String> operators = new HashSet<>(translators.keySet());
        runtime.keySet().forEach(operator -> operators.add(OrtQuantizedTranslators.DOMAIN + "." + operator));
        learning.keySet().forEach(operator -> operators.add(MlTranslators.DOMAIN + "." + operator));
        return operators;
    }

    Optional<OnnxTranslator> find(String operator) {
        return Optional.ofNullable(translators.get(operator));
    }

    /** An operator of a domain that is not ONNX's own. */
    Optional<OnnxTranslator> find(String domain, String operator) {
        return switch (domain) {
            case OrtQuantizedTranslators.DOMAIN -> Optional.ofNullable(runtime.get(operator));
            case MlTranslators.DOMAIN -> Optional.ofNullable(learning.get(operator));
            default -> Optional.empty();
        };
    }
}
