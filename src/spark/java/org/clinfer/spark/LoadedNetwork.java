package org.clinfer.spark;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.SessionPool;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.text.Spelling;

/**
 * A model in an engine.
 *
 * @param model gives the values that are wanted
 * @param pool runs it for all tasks
 * @param source the model as it was loaded, whose constants {@code model} uses; the same where nothing was added
 */
record LoadedNetwork(Model model, SessionPool pool, NetworkFiles.Loaded source) implements AutoCloseable {

    static LoadedNetwork of(Engine engine, NetworkChoice network, NetworkFiles files) {
        NetworkFiles.Loaded source = files.load(engine);
        try {
            Model model = giving(engine, source.model(), network.values());
            return new LoadedNetwork(model, model.pool(ExecutorModels.poolOptions()), source);
        } catch (RuntimeException | Error e) {
            source.close();
            throw e;
        }
    }

    /**
     * {@return the model, or one that gives other values of the same network, for which both are closed}
     *
     * @throws InputException if the network has no such value
     */
    static Model giving(Engine engine, Model model, List<String> values) {
        if (model.outputs().containsAll(values)) {
            return model;
        }
        Graph graph = model.graph();
        Set<String> known = new HashSet<>(model.outputs());
        for (Node node : graph.nodes()) {
            known.addAll(node.outputs());
        }
        List<String> outputs = new ArrayList<>();
        for (String value : values) {
            if (!known.contains(value)) {
                throw new InputException("the model gives no value '" + value + "'; its outputs are " + model.outputs()
                        + Spelling.question(value, known));
            }
            outputs.add(value);
        }
        return engine.load(new Graph(
                graph.name(),
                graph.inputs(),
                outputs,
                graph.nodes(),
                graph.constants(),
                graph.defaults(),
                graph.metadata(),
                Optional.empty(),
                graph.source()));
    }

    @Override
    public void close() {
        pool.close();
        model.close();
        source.close();
    }
}
