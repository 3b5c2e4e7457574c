package org.clinfer.importer.tensorflow.savedmodel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.MissingFileException;
import org.clinfer.importer.tensorflow.functional.DataInputs;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.GraphDef;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.jspecify.annotations.Nullable;

/**
 * One graph of a frozen model while it is written, the model's own or that of a node of control flow: what its outputs need,
 * each node of a function once for each call, with the name that it has there as long as that is free.
 */
final class Fragment {

    private final FrozenNames names;
    private final CallTree tree;
    private final Variables variables;
    private final CallScope scope;
    private final @Nullable Fragment around;
    private final GraphDef.Builder graph = GraphDef.newBuilder();
    private final Map<NodeOutput.Place, String> known = new HashMap<>();
    private final Deque<NodeOutput> wanted = new ArrayDeque<>();
    private final Map<String, MissingFileException> missing = new HashMap<>();
    private final Map<String, String> captures = new LinkedHashMap<>();
    private final Map<String, FrozenControl> control = new HashMap<>();

    /** The graph of a signature. */
    Fragment(FrozenNames names, CallTree tree, Variables variables) {
        this(names, tree, variables, tree.main(), null);
    }

    private Fragment(
            FrozenNames names, CallTree tree, Variables variables, CallScope scope, @Nullable Fragment around) {
        this.names = names;
        this.tree = tree;
        this.variables = variables;
        this.scope = scope;
        this.around = around;
    }

    void add(NodeDef node) {
        names.spend();
        graph.addNode(node);
    }

    /** Lets the node that gives a value have this name, if it may; the name of a node that gives the value. */
    String output(String name, NodeOutput origin) {
        boolean computed = !tree.isFeed(origin) && variable(origin).isEmpty() && origin.port() == 0;
        if (computed && !known.containsKey(origin.place()) && names.take(name)) {
            known.put(origin.place(), name);
            wanted.push(origin);
            return name;
        }
        return same(name, origin);
    }

    /** Asks for a node by its own name. */
    void keep(NodeOutput origin) {
        reference(origin);
    }

    /** Adds a node that passes a value on; its name. */
    private String same(String name, NodeOutput origin) {
        String result = names.free(name, name + "_output");
        add(NodeDef.newBuilder()
                .setName(result)
                .setOp("Identity")
                .addInput(reference(origin))
                .build());
        return result;
    }

    /** Writes all that was asked for. */
    FrozenModel build(List<String> inputs, List<String> outputs) {
        while (!wanted.isEmpty()) {
            write(wanted.pop());
        }
        return new FrozenModel(graph.build(), inputs, outputs, missing, captures, control);
    }

    /** The name of a value in this graph; the node that gives it is written if nobody wanted it before. */
    private String reference(NodeOutput origin) {
        NodeOutput giver = variable(origin).orElse(origin);
        if (around != null && !isOwn(giver) && !isWrittenAgain(giver)) {
            return captured(around.reference(giver));
        }
        if (tree.isFeed(giver)) {
            return giver.node().getName();
        }
        String name = known.get(giver.place());
        if (name == null) {
            name = names.free(
                    giver.node().getName(), giver.scope().name() + giver.node().getName());
            known.put(giver.place(), name);
            wanted.push(giver);
        }
        return giver.port() == 0 ? name : name + ":" + giver.port();
    }

    private boolean isOwn(NodeOutput origin) {
        CallScope each = origin.scope();
        while (each != scope && each.isFunction()) {
            each = each.caller();
        }
        return each == scope;
    }

    /** {@return whether each graph has a node of its own for such a value, which is always the same} */
    private boolean isWrittenAgain(NodeOutput origin) {
        return !tree.isFeed(origin) && (origin.node().getOp().equals("Const") || Variables.isVariable(origin.node()));
    }

    /** The node that stands for a value of the graph around this one. */
    private String captured(String outer) {
        String found = captures.get(outer);
        if (found == null) {
            String stem = scope.name() + "captured" + captures.size();
            found = names.free(stem, stem);
            captures.put(outer, found);
            add(NodeDef.newBuilder().setName(found).setOp("Placeholder").build());
        }
        return found;
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
        String name = known.getOrDefault(origin.place(), "");
        if (Variables.isVariable(origin.node())) {
            add(constant(name, origin));
            return;
        }
        NodeDef.Builder node = origin.node().toBuilder().setName(name).clearInput();
        Optional<ControlScopes> functions = tree.control(origin);
        if (functions.isPresent()) {
            writeControl(node, origin, functions.get());
        } else {
            if (node.getOp().equals("ResourceGather") && resource(origin).isPresent()) {
                node.setOp("Gather");
            }
            DataInputs.data(origin.node()).forEach(input -> addInput(node, origin, input));
        }
        add(node.build());
    }

    private void addInput(NodeDef.Builder node, NodeOutput origin, String input) {
        node.addInput(reference(tree.resolve(origin.scope(), input)));
    }

    private void writeControl(NodeDef.Builder node, NodeOutput origin, ControlScopes functions) {
        List<String> inputs = DataInputs.data(origin.node());
        List<FrozenModel> graphs = new ArrayList<>();
        if (functions.isLoop()) {
            functions.states().forEach(i -> addInput(node, origin, inputs.get(i)));
            graphs.add(inner(functions, functions.second()));
            graphs.add(inner(functions, functions.first()));
            graphs.add(inner(functions, functions.first()));
            List<Integer> states = List.copyOf(functions.states());
            control.put(node.getName(), new FrozenControl.Loop(states, graphs.get(0), graphs.get(1), graphs.get(2)));
        } else {
            inputs.stream().limit(1).forEach(condition -> addInput(node, origin, condition));
            graphs.add(inner(functions, functions.first()));
            graphs.add(inner(functions, functions.second()));
            control.put(node.getName(), new FrozenControl.Branches(graphs.get(0), graphs.get(1)));
        }
        graphs.stream()
                .flatMap(each -> each.captures().keySet().stream())
                .distinct()
                .forEach(node::addInput);
    }

    private FrozenModel inner(ControlScopes functions, CallScope function) {
        Fragment inner = new Fragment(names, tree, variables, function, this);
        List<String> inputs = new ArrayList<>();
        for (NodeDef placeholder : functions.placeholders()) {
            inputs.add(placeholder.getName());
            inner.add(placeholder);
        }
        boolean isBody = functions.isLoop() && function == functions.second();
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < function.results(); i++) {
            if (!isBody || functions.states().contains(i)) {
                outputs.add(inner.same(function.name() + "result" + i, tree.resolve(function, function.result(i))));
            }
        }
        return inner.build(inputs, outputs);
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
