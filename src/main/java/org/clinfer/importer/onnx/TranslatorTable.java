package org.clinfer.importer.onnx;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The table of translators, by ONNX operator. */
final class TranslatorTable {

    private static final Map<String, Translator> RUNTIME = runtime();

    private final Map<String, Translator> translators = new HashMap<>();

    /** @param tensors reads the tensors that stand in attributes */
    TranslatorTable(TensorReader tensors) {
        translators.putAll(DirectTranslators.all()); // first, because some have another form in old operator sets
        translators.putAll(ConvolutionTranslators.all());
        translators.putAll(PoolingTranslators.all());
        translators.putAll(NormalizationTranslators.all());
        translators.putAll(ElementTranslators.all());
        translators.putAll(BroadcastTranslators.all());
        translators.putAll(QuantizeTranslators.all());
        translators.putAll(ReduceTranslators.all());
        translators.putAll(ShapeTranslators.all());
        translators.putAll(SelectionTranslators.all());
        translators.putAll(ResizeTranslators.all());
        translators.putAll(RecurrentTranslators.all());
        translators.putAll(ComposedTranslators.all());
        translators.putAll(CountedTranslators.all());
        translators.putAll(LossTranslators.all());
        translators.putAll(RandomTranslators.all());
        translators.putAll(SignalTranslators.all());
        translators.putAll(CacheTranslators.all());
        translators.putAll(FusedTranslators.ofStandardDomain());
        translators.putAll(new ConstantTranslators(tensors).all());
        translators.putAll(SequenceTranslators.all());
    }

    private static Map<String, Translator> runtime() {
        Map<String, Translator> all = new HashMap<>(RuntimeTranslators.all());
        all.putAll(FusedTranslators.all());
        all.putAll(DiffusionTranslators.all());
        return Map.copyOf(all);
    }

    /** The operators of ONNX, and those of another domain with that in front. */
    Set<String> operators() {
        Set<String> operators = new HashSet<>(translators.keySet());
        RUNTIME.keySet().forEach(operator -> operators.add(RuntimeTranslators.DOMAIN + "." + operator));
        return operators;
    }

    Optional<Translator> find(String operator) {
        return Optional.ofNullable(translators.get(operator));
    }

    /** An operator of a domain that is not ONNX's own. */
    static Optional<Translator> find(String domain, String operator) {
        return domain.equals(RuntimeTranslators.DOMAIN) ? Optional.ofNullable(RUNTIME.get(operator)) : Optional.empty();
    }
}
