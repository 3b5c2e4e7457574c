package org.clinfer.importer.tfjs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;

/**
 * Reads which outputs of layers something takes: {@code ["conv", 0, 0]} or, as Keras 3 writes it, an object of class
 * {@code __keras_tensor__} with a {@code keras_history}; alone, or in lists and objects.
 */
final class TensorRefs {

    private final SourceRef source;
    private final String path;
    private final List<TfjsLayer.TensorRef> found = new ArrayList<>();
    private Optional<String> unsupported = Optional.empty();

    private TensorRefs(SourceRef source, String path) {
        this.source = source;
        this.path = path;
    }

    /** References alone, such as a network's outputs. */
    static List<TfjsLayer.TensorRef> read(Json value, SourceRef source, String path) {
        TensorRefs refs = new TensorRefs(source, path);
        refs.collect(value);
        refs.unsupported.ifPresent(argument -> {
            throw new GraphException(source, path + ": expected outputs of layers, found " + argument);
        });
        return List.copyOf(refs.found);
    }

    /** One element of a layer's {@code inbound_nodes}. */
    static TfjsLayer.Call readCall(Json value, SourceRef source, String path) {
        TensorRefs refs = new TensorRefs(source, path);
        if (value instanceof Json.Obj object && object.fields().containsKey("args")) {
            TfjsFields fields = new TfjsFields(object, source, path);
            refs.collect(fields.required("args"));
            fields.object("kwargs").ifPresent(refs::keywords);
        } else {
            refs.collect(value);
        }
        return new TfjsLayer.Call(List.copyOf(refs.found), refs.unsupported);
    }

    private void collect(Json value) {
        if (value instanceof Json.Arr list) {
            if (!list.elements().isEmpty() && list.elements().get(0) instanceof Json.Text layer) {
                add(layer.value(), list.elements());
            } else {
                list.elements().forEach(this::collect);
            }
        } else if (value instanceof Json.Obj object) {
            collect(object);
        } else if (value != Json.Nothing.NULL) {
            refuse(value.shown());
        }
    }

    private void collect(Json.Obj object) {
        Json kind = object.fields().get("class_name");
        if (kind == null) {
            object.fields().values().forEach(this::collect);
            return;
        }
        if (!kind.equals(new Json.Text("__keras_tensor__"))) {
            refuse("an object of class " + kind.shown());
            return;
        }
        TfjsFields config =
                TfjsFields.of(object.fields().getOrDefault("config", Json.Nothing.NULL), source, path + ".config");
        List<Json> history = config.list("keras_history").orElse(List.of());
        if (history.isEmpty() || !(history.get(0) instanceof Json.Text layer)) {
            throw config.wrong("keras_history", "expected [layer, node, tensor]");
        }
        add(layer.value(), history);
    }

    private void add(String layer, List<Json> ref) {
        if (ref.size() < 3 || ref.size() > 4) {
            throw wrong(new Json.Arr(ref));
        }
        found.add(new TfjsLayer.TensorRef(layer, index(ref.get(1)), index(ref.get(2))));
        if (ref.size() == 4 && ref.get(3) != Json.Nothing.NULL) {
            keywords(TfjsFields.of(ref.get(3), source, path));
        }
    }

    private int index(Json value) {
        if (value instanceof Json.Int whole && whole.value() >= 0 && whole.value() < Integer.MAX_VALUE) {
            return (int) whole.value();
        }
        throw wrong(value);
    }

    private GraphException wrong(Json found) {
        return new GraphException(source, path + ": expected [layer, node, tensor], found " + found.shown());
    }

    /** Arguments by name: training or not is the only one that layers without a state have. */
    private void keywords(TfjsFields keywords) {
        for (String name : keywords.names()) {
            boolean known = name.equals("training") || name.equals("mask");
            Optional<Json> value = keywords.find(name);
            if (value.isPresent() && !(known && value.get().equals(new Json.Flag(false)))) {
                refuse(name);
            }
        }
    }

    private void refuse(String argument) {
        if (unsupported.isEmpty()) {
            unsupported = Optional.of(argument);
        }
    }
}
