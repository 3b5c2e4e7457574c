package org.clinfer.importer.tensorflow.savedmodel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.MetaGraphDef;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.SignatureDef;
import org.clinfer.importer.tensorflow.proto.TensorInfo;
import org.clinfer.text.Printable;

/** A signature's graph while it is written, with the graphs of control flow that it has. */
final class Freezing {

    private static final String NAME = "[^:^][^:]*";

    private final SourceRef source;
    private final CallTree tree;
    private final FrozenNames names;
    private final Fragment graph;

    Freezing(MetaGraphDef meta, NeighbourFiles files, SourceRef source) {
        this.source = source;
        this.tree = new CallTree(meta, source);
        this.names = new FrozenNames(source);
        this.graph = new Fragment(names, tree, new Variables(tree, files, meta));
    }

    FrozenModel freeze(SignatureDef signature) {
        Map<String, TensorInfo> inputs = new TreeMap<>(signature.getInputsMap());
        Map<String, TensorInfo> outputs = new TreeMap<>(signature.getOutputsMap());
        inputs.forEach(this::addInput);
        List<String> results = new ArrayList<>();
        outputs.forEach((name, output) -> results.add(addOutput(name, output)));
        if (results.isEmpty()) {
            throw new GraphException(source, "the signature has no outputs");
        }
        return graph.build(List.copyOf(inputs.keySet()), results);
    }

    /** The graph of nodes, with the names that they have; all outputs of a node of the graph itself are there. */
    FrozenModel freeze(List<String> nodes) {
        for (String name : nodes) {
            NodeOutput origin = tree.resolve(tree.main(), name);
            boolean isOwn =
                    origin.scope() == tree.main() && origin.node().getName().equals(name);
            if (isOwn) {
                graph.keep(origin);
            } else {
                graph.output(name, origin);
            }
        }
        return graph.build(List.of(), nodes);
    }

    private void addInput(String name, TensorInfo info) {
        requireUsable(name, info);
        NodeDef.Builder placeholder = NodeDef.newBuilder().setName(name).setOp("Placeholder");
        placeholder.putAttr(
                "dtype", AttrValue.newBuilder().setType(info.getDtype()).build());
        placeholder.putAttr(
                "shape", AttrValue.newBuilder().setShape(info.getTensorShape()).build());
        NodeDef node = placeholder.build();
        names.take(name);
        tree.feed(info.getName(), node);
        graph.add(node);
    }

    private void requireUsable(String name, TensorInfo info) {
        if (!name.matches(NAME)) {
            throw new GraphException(source, "'" + Printable.shortened(name) + "' is no name of an input or output");
        }
        if (!info.hasName()) {
            String what = "'" + Printable.shortened(name) + "' of the signature";
            throw new UnsupportedException(
                    source, "sparse or composite tensor", what + " is a sparse or composite tensor");
        }
    }

    /** The node that gives a result: by the name of the result, if it may have that, else one that passes it on. */
    private String addOutput(String name, TensorInfo info) {
        requireUsable(name, info);
        return graph.output(name, tree.beyondAliases(tree.resolve(tree.main(), info.getName())));
    }
}
