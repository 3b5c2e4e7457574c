package org.clinfer.importer.tensorflow.savedmodel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.clinfer.errors.Printable;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.MissingFileException;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.GraphDef;
import org.clinfer.importer.tensorflow.proto.MetaGraphDef;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.SignatureDef;
import org.clinfer.importer.tensorflow.proto.TensorInfo;
import org.clinfer.importer.tensorflow.proto.TensorProto;

/**
 * A signature's graph while it is written: what its outputs need, each node of a function once for each call, with the name
 * that it has there as long as that is free.
 */
final class Freezing {

    /** Nodes at most; functions that call others twice become many. */
    private static final int MOST_NODES = 400_000;

    private static final String NAME = "[^:^][^:]*";

    private final SourceRef source;
    private final CallTree tree;
    private final Variables variables;
    private final GraphDef.Builder graph = GraphDef.newBuilder();
    private final Map<NodeOutput.Place, String> names = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    private final Deque<NodeOutput> wanted = new ArrayDeque<>();
    private final Map<String, MissingFileException> missing = new HashMap<>();

    Freezing(MetaGraphDef meta, NeighbourFiles files, SourceRef source) {
        this.source = source;
        this.tree = new CallTree(meta, source);
        this.variables = new Variables(tree, files, meta.getSaverDef().getRestoreOpName());
    }

    FrozenModel freeze(SignatureDef signature) {
        Map<String, TensorInfo> inputs = new TreeMap<>(signature.getInputsMap());
        Map<String, TensorInfo> outputs = new TreeMap<>(signature.getOutputsMap());
        inputs.forEach(this::addInput);
        List<String> results = new ArrayList<>();
        outputs.forEach((name, output) -> results.add(addOutput(name, output)));
        while (!wanted.isEmpty()) {
            write(wanted.pop());
        }
        if (results.isEmpty()) {
            throw new GraphException(source, "the signature has no outputs");
        }
        return new FrozenModel(graph.build(), List.copyOf(inputs.keySet()), results, missing);
    }

    private void addInput(String name, TensorInfo info) {
        requireUsable(name, info);
        NodeDef.Builder placeholder = NodeDef.newBuilder().setName(name).setOp("Placeholder");
        placeholder.putAttr(
                "dtype", AttrValue.newBuilder().setType(info.getDtype()).build());
        placeholder.putAttr(
                "shape", AttrValue.newBuilder().setShape(info.getTensorShape()).build());
        NodeDef node = placeholder.build();
        taken.add(name);
        tree.feed(info.getName(), node);
        add(node);
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
        NodeOutput origin = tree.beyondAliases(tree.resolve(tree.main(), info.getName()));
        boolean free = !taken.contains(name);
        boolean computed = !tree.isFeed(origin) && variable(origin).isEmpty() && origin.port() == 0;
        if (free && computed && !names.containsKey(origin.place())) {
            taken.add(name);
            names.put(origin.place(), name);
            wanted.push(origin);
            return name;
        }
        String result = free(name, name + "_output");
        add(NodeDef.newBuilder()
                .setName(result)
                .setOp("Identity")
                .addInput(reference(origin))
                .build());
        return result;
    }

    private void add(NodeDef node) {
        if (graph.getNodeCount() >= MOST_NODES) {
            throw new GraphException(
                    source, "its functions make more than " + MOST_NODES + " nodes, each call counted by itself");
        }
        graph.addNode(node);
    }

    private String free(String first, String otherwise) {
        String name = first;
        for (int i = 0; !taken.add(name); i++) {
            name = i == 0 ? otherwise : otherwise + "_" + i;
        }
        return name;
    }

    /** The name of a value in the frozen graph; the node that gives it is written if nobody wanted it before. */
    private String reference(NodeOutput origin) {
        NodeOutput giver = variable(origin).orElse(origin);
        if (tree.isFeed(giver)) {
            return giver.node().getName();
        }
        String name = names.get(giver.place());
        if (name == null) {
            name = free(
                    giver.node().getName(), giver.scope().name() + giver.node().getName());
            names.put(giver.place(), name);
            wanted.push(giver);
        }
        return giver.port() == 0 ? name : name + ":" + giver.port();
    }

    /** The variable whose value a value is. */
    private Optional<NodeOutput> variable(NodeOutput origin) {
        if (tree.isFeed(origin)) {
            return Optional.empty();
        }
        if (Variables.isVariable(origin.node())) {
            return Optional.of(origin);
        }
        return origin.node().getOp().equals("ReadVariableOp") ? resource(origin) : Optional.empty();
    }

    /** The variable that the first input of a node is. */
    private Optional<NodeOutput> resource(NodeOutput reader) {
        return DataInputs.data(reader.node(), 0)
                .map(input -> tree.beyondAliases(tree.resolve(reader.scope(), input)))
                .filter(origin -> Variables.isVariable(origin.node()));
    }

    private void write(NodeOutput origin) {
        String name = names.getOrDefault(origin.place(), "");
        if (Variables.isVariable(origin.node())) {
            add(constant(name, origin));
            return;
        }
        NodeDef.Builder node = origin.node().toBuilder().setName(name).clearInput();
        if (node.getOp().equals("ResourceGather") && resource(origin).isPresent()) {
            node.setOp("Gather");
        }
        for (String input : DataInputs.data(origin.node())) {
            node.addInput(reference(tree.resolve(origin.scope(), input)));
        }
        add(node.build());
    }

    private NodeDef constant(String name, NodeOutput variable) {
        NodeDef.Builder node = NodeDef.newBuilder().setName(name).setOp("Const");
        try {
            TensorProto value = variables.value(variable);
            node.putAttr(
                    "dtype", AttrValue.newBuilder().setType(value.getDtype()).build());
            node.putAttr("value", AttrValue.newBuilder().setTensor(value).build());
        } catch (MissingFileException absent) {
            missing.put(name, absent);
            node.setOp(variable.node().getOp()).putAllAttr(variable.node().getAttrMap());
        }
        return node.build();
    }
}
