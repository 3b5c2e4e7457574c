package org.clinfer.importer.tensorflow.savedmodel;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.tensorflow.checkpoint.Checkpoint;
import org.clinfer.importer.tensorflow.functional.DataInputs;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.MetaGraphDef;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.SavedObjectGraph;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.text.Printable;

/**
 * The values of variables: the nodes that restore them say under which keys, and which part where one was saved as a part of
 * a larger one. Else the functions that read them say it ({@link BoundVariables}).
 */
final class Variables {

    private static final String PREFIX = "variables/variables";

    private static final Set<String> OPERATORS = Set.of("VarHandleOp", "VariableV2", "Variable");
    private static final Set<String> ASSIGNMENTS = Set.of("AssignVariableOp", "Assign");

    /** The place of a variable in the checkpoint. */
    private record Stored(String key, String slice) {}

    private final CallTree tree;
    private final NeighbourFiles files;
    private final Map<NodeOutput.Place, Stored> stored = new HashMap<>();
    private final SavedObjectGraph objects;
    private Optional<Checkpoint> checkpoint = Optional.empty();
    private Optional<BoundVariables> bound = Optional.empty();

    Variables(CallTree tree, NeighbourFiles files, MetaGraphDef meta) {
        this.tree = tree;
        this.files = files;
        this.objects = meta.getObjectGraphDef();
        find(tree.main());
        String name = meta.getSaverDef().getRestoreOpName().split(":", 2)[0];
        if (!name.isEmpty()) {
            tree.called(tree.main(), tree.main().node(name)).ifPresent(this::find);
        }
    }

    static boolean isVariable(NodeDef node) {
        return OPERATORS.contains(node.getOp());
    }

    private void find(CallScope scope) {
        for (NodeDef node : scope.nodes()) {
            List<String> inputs = DataInputs.data(node);
            if (!ASSIGNMENTS.contains(node.getOp()) || inputs.size() < 2) {
                continue;
            }
            NodeOutput value = tree.beyondAliases(tree.resolve(scope, inputs.get(1)));
            if (value.node().getOp().equals("RestoreV2")) {
                NodeOutput variable = tree.beyondAliases(tree.resolve(scope, inputs.get(0)));
                stored(value).ifPresent(place -> stored.put(variable.place(), place));
            }
        }
    }

    private Optional<Stored> stored(NodeOutput restored) {
        return text(restored, 1).map(key -> new Stored(key, text(restored, 2).orElse("")));
    }

    /** The text for an output of a restoring node; the last one stands for all behind it. */
    private Optional<String> text(NodeOutput restored, int input) {
        List<ByteString> texts = DataInputs.data(restored.node(), input)
                .map(name -> tree.resolve(restored.scope(), name).node())
                .map(node -> node.getAttrOrDefault("value", AttrValue.getDefaultInstance())
                        .getTensor()
                        .getStringValList())
                .orElse(List.of());
        return texts.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        texts.get(Math.min(restored.port(), texts.size() - 1)).toStringUtf8());
    }

    /**
     * The value of a variable.
     *
     * @throws org.clinfer.importer.MissingFileException if a file of the checkpoint is missing
     * @throws GraphException if the checkpoint does not have it, or is damaged
     */
    TensorProto value(NodeOutput variable) {
        if (checkpoint.isEmpty()) {
            checkpoint = Optional.of(new Checkpoint(files, PREFIX));
        }
        Checkpoint opened = checkpoint.get();
        Stored place = stored.get(variable.place());
        if (place != null) {
            return opened.read(place.key, place.slice);
        }
        SourceRef index = new SourceRef(PREFIX + ".index", "");
        if (bound.isEmpty()) {
            bound = Optional.of(new BoundVariables(tree, objects, opened, index));
        }
        Optional<String> known = bound.get().key(variable);
        for (String key : known.map(List::of).orElseGet(() -> names(variable.node()))) {
            if (opened.has(key)) {
                return opened.read(key, "");
            }
        }
        throw new GraphException(
                index,
                "the variable '" + Printable.shortened(variable.node().getName()) + "' is not in the checkpoint");
    }

    /** The keys of a variable that no node restores. */
    private static List<String> names(NodeDef variable) {
        List<String> names = new ArrayList<>();
        String shared = variable.getAttrOrDefault("shared_name", AttrValue.getDefaultInstance())
                .getS()
                .toStringUtf8();
        for (String name : List.of(shared, variable.getName())) {
            names.add(name);
            names.add(name + "/.ATTRIBUTES/VARIABLE_VALUE");
        }
        return names;
    }
}
