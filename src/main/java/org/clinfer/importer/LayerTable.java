package org.clinfer.importer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.text.Printable;

/**
 * The translators of a format by type of layer.
 *
 * @param <C> a layer of the format, with what its translator asks
 */
public final class LayerTable<C> {

    private final Map<String, LayerTranslator<C>> translators = new HashMap<>();

    private LayerTable() {}

    /** A table of all layers that some groups add. */
    @SafeVarargs
    public static <C> LayerTable<C> of(Consumer<LayerTable<C>>... groups) {
        LayerTable<C> table = new LayerTable<>();
        for (Consumer<LayerTable<C>> group : groups) {
            group.accept(table);
        }
        return table;
    }

    /** Adds a type of layers with one output. */
    public void one(String type, Function<C, Value> translator) {
        several(type, layer -> List.of(translator.apply(layer)));
    }

    /** Adds a type of layers with any number of outputs. */
    public void several(String type, LayerTranslator<C> translator) {
        if (translators.putIfAbsent(type, translator) != null) {
            throw new IllegalStateException("two translators of " + type);
        }
    }

    /** The types of the format. */
    public Set<String> types() {
        return Set.copyOf(translators.keySet());
    }

    /** The translator of a type of the format. */
    public Optional<LayerTranslator<C>> find(String type) {
        return Optional.ofNullable(translators.get(type));
    }

    /**
     * The translator of a type of the format, or of an operator that a user has described beside the built-in ones; a built-in
     * one does not count, because the format may mean another by its name.
     *
     * @param described the translator of a described operator
     */
    public Optional<LayerTranslator<C>> find(
            String type, OpCatalog catalog, Function<OpDescription, LayerTranslator<C>> described) {
        return find(type)
                .or(() -> OpCatalog.builtIn().find(type).isPresent()
                        ? Optional.empty()
                        : catalog.find(type).map(described));
    }

    /** The refusal of a type that there is not. */
    public static UnsupportedException unknown(String type, SourceRef source) {
        return unknown(type, source, "");
    }

    /**
     * The refusal of a type that there is not.
     *
     * @param more what else the message says of it
     */
    public static UnsupportedException unknown(String type, SourceRef source, String more) {
        String feature = "layer " + Printable.shortened(type);
        return new UnsupportedException(source, feature, "Clinfer has no " + feature + more);
    }
}
