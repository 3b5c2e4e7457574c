package org.clinfer.spark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.options.CacheFolder;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.TensorType;

/**
 * The inputs and outputs of a model.
 *
 * @param inputs in order
 * @param outputs in order, those of the model and other values that are wanted
 * @param types of these, where they are known before a run
 * @param wanted values that were wanted beside the outputs
 */
record ModelSignature(
        List<Graph.Input> inputs, List<String> outputs, Map<String, TensorType> types, Set<String> wanted) {

    ModelSignature {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        types = Map.copyOf(types);
        wanted = Set.copyOf(wanted);
    }

    /**
     * Reads a model on the driver, on the CPU; nothing of it stays.
     *
     * @param wanted values that are to be given beside the outputs
     * @throws org.clinfer.errors.ClinferException if it cannot be read, uses what Clinfer does not have, or has no such value
     */
    static ModelSignature of(NetworkFiles files, Set<String> wanted) {
        EngineOptions options = EngineOptions.defaults()
                .withDevice(new DeviceChoice.Cpu())
                .withThreads(1)
                .withCache(CacheFolder.off());
        try (Engine engine = Engine.open(options);
                NetworkFiles.Loaded loaded = files.load(engine)) {
            Set<String> values = new LinkedHashSet<>(loaded.model().outputs());
            values.addAll(wanted);
            Model model = LoadedNetwork.giving(engine, loaded.model(), new ArrayList<>(values));
            Map<String, TensorType> types = new LinkedHashMap<>();
            model.outputTypes().forEach((name, type) -> type.ifPresent(known -> types.put(name, known)));
            return new ModelSignature(model.inputs(), loaded.model().outputs(), types, wanted);
        }
    }

    /**
     * {@return the type of a value}
     *
     * @throws InputException if it is not known before a run
     */
    TensorType type(String value) {
        TensorType type = types.get(value);
        if (type == null) {
            throw new InputException(
                    "the type of value '" + value + "' is not known before a run, so it cannot be a column");
        }
        return type;
    }

    /**
     * {@return the rows of a run, if the inputs leave no choice}
     *
     * @throws InputException if the first dimensions of the inputs are not those of the same rows
     */
    Optional<Long> fixedRows() {
        return fixedRows(inputs.stream().collect(Collectors.toMap(Graph.Input::name, Graph.Input::type)));
    }

    /**
     * {@return the rows of a run, if these inputs leave no choice}
     *
     * @param inputs types by name
     * @throws InputException if a first dimension is known, but other than another's: a vector that is not one of rows
     */
    static Optional<Long> fixedRows(Map<String, TensorType> inputs) {
        Map<Optional<Long>, String> rows = new LinkedHashMap<>();
        inputs.forEach((name, type) -> {
            if (type.shape().rank() > 0) {
                boolean known = type.shape().dim(0) instanceof Dim.Known;
                rows.putIfAbsent(known ? Optional.of(type.shape().size(0)) : Optional.empty(), name);
            }
        });
        // beside a single row an open number of rows is one
        if (rows.size() == 2 && rows.containsKey(Optional.of(1L))) {
            rows.remove(Optional.<Long>empty());
        }
        if (rows.size() > 1) {
            throw new InputException("the first dimensions of the inputs are not the rows of a table: "
                    + rows.values().stream()
                            .map(name -> "'" + name + "' is " + inputs.get(name))
                            .collect(Collectors.joining(", ")));
        }
        return rows.keySet().stream().findFirst().flatMap(size -> size);
    }
}
