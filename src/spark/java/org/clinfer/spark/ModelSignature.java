package org.clinfer.spark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 */
record ModelSignature(List<Graph.Input> inputs, List<String> outputs, Map<String, TensorType> types) {

    ModelSignature {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        types = Map.copyOf(types);
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
            return new ModelSignature(model.inputs(), loaded.model().outputs(), types);
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

    /** {@return the rows of a run, if an input leaves no choice} */
    Optional<Long> fixedRows() {
        return inputs.stream()
                .filter(input -> input.type().shape().rank() > 0)
                .map(input -> input.type().shape().dim(0))
                .filter(Dim.Known.class::isInstance)
                .map(dim -> ((Dim.Known) dim).size())
                .findFirst();
    }
}
