package org.clinfer.importer.tensorflow.savedmodel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.clinfer.importer.tensorflow.functional.DataInputs;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.NodeDef;

/**
 * The functions of a node of control flow which data decide, as scopes. The branches of an If see what the node takes; so do
 * condition and body of a While, except for the states, which are other values in every iteration.
 *
 * @param first the branch that is taken if the condition holds, or the condition of a loop
 * @param second the other branch, or the body
 * @param states the numbers of the inputs of a loop that its iterations change; empty for a condition
 */
record ControlScopes(boolean isLoop, CallScope first, CallScope second, SortedSet<Integer> states) {

    static ControlScopes branches(CallScope yes, CallScope no) {
        return new ControlScopes(false, yes, no, new TreeSet<>());
    }

    /** A loop, all of whose inputs are states as long as nothing else is known. */
    static ControlScopes loop(NodeDef node, CallScope condition, CallScope body) {
        SortedSet<Integer> states = new TreeSet<>();
        List<DataType> types = node.getAttrOrDefault("T", AttrValue.getDefaultInstance())
                .getList()
                .getTypeList();
        int count = DataInputs.data(node).size();
        for (int i = 0; i < count; i++) {
            DataType type = i < types.size() ? types.get(i) : DataType.DT_INVALID;
            NodeDef placeholder = placeholder(body.name() + "state" + i, type);
            condition.feed(i, placeholder);
            body.feed(i, placeholder);
            states.add(i);
        }
        return new ControlScopes(true, condition, body, states);
    }

    /** A node that is fed, without a shape. */
    private static NodeDef placeholder(String name, DataType type) {
        AttrValue dtype = AttrValue.newBuilder().setType(type).build();
        return NodeDef.newBuilder()
                .setName(name)
                .setOp("Placeholder")
                .putAttr("dtype", dtype)
                .build();
    }

    /** The nodes that stand for the states. */
    List<NodeDef> placeholders() {
        List<NodeDef> nodes = new ArrayList<>();
        states.forEach(i -> second.state(i).ifPresent(nodes::add));
        return nodes;
    }

    /** Lets an input be the same value in every iteration, as the node takes it. */
    void fix(int input) {
        states.remove(input);
        first.release(input);
        second.release(input);
    }

    /** The input of a loop that one of its outputs is, since no iteration changes it. */
    Optional<Integer> passed(int port) {
        return isLoop && !states.contains(port) ? Optional.of(port) : Optional.empty();
    }
}
