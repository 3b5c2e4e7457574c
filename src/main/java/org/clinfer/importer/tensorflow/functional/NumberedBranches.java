package org.clinfer.importer.tensorflow.functional;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.TensorProto;

/**
 * Turns the lowered form of a Case into conditions within each other's last branch.
 *
 * <pre>
 * value, number ─► _SwitchN ─► 3 branches ─► Merge
 *
 * value, number == 0 ─► Switch ─► a branch ───────────────────────────────────► Merge
 *                              └► Switch (number == 1) ─► 2 branches ─► Merge ─┘
 * </pre>
 *
 * A number without a branch takes the last one, as in TensorFlow.
 */
final class NumberedBranches {

    /** The operator that gives its value to one of several branches. */
    static final String SWITCH = "_SwitchN";

    private static final long MOST_BRANCHES = 256;

    private final NodeMap graph;

    /** The new names of outputs, by the name and number of the old one. */
    private final Map<String, String> outputs = new HashMap<>();

    private final Map<String, String> conditions = new HashMap<>();

    NumberedBranches(NodeMap graph) {
        this.graph = graph;
    }

    void replace() {
        List<NodeDef> switches = graph.all(node -> node.getOp().equals(SWITCH));
        if (switches.isEmpty()) {
            return;
        }
        switches.forEach(this::nameOutputs);
        for (NodeDef node : graph.all()) {
            NodeDef.Builder changed = node.toBuilder().clearInput();
            node.getInputList().forEach(input -> changed.addInput(output(input)));
            graph.put(changed.build());
        }
        switches.forEach(node -> replaceSwitch(graph.node(node.getName())));
        graph.all(node -> node.getOp().equals("Merge") && NodeMap.data(node).size() > 2)
                .forEach(this::replaceMerge);
    }

    private String output(String input) {
        if (NodeMap.isControl(input)) {
            return input;
        }
        String numbered = input.indexOf(':') < 0 ? input + ":0" : input;
        return outputs.getOrDefault(numbered, input);
    }

    private static int branches(NodeDef node) {
        long count = node.getAttrOrDefault("num_outs", AttrValue.getDefaultInstance())
                .getI();
        if (count < 2 || count > MOST_BRANCHES) {
            throw new NotFunctional();
        }
        return (int) count;
    }

    /** The Switch that gives its value to a branch, or to those behind it. */
    private static String part(String name, int branch) {
        return branch == 0 ? name : name + "/rest" + branch;
    }

    private void nameOutputs(NodeDef node) {
        int last = branches(node) - 1;
        for (int branch = 0; branch < last; branch++) {
            outputs.put(node.getName() + ":" + branch, part(node.getName(), branch) + ":1");
        }
        outputs.put(node.getName() + ":" + last, part(node.getName(), last - 1) + ":0");
    }

    private void replaceSwitch(NodeDef node) {
        String value = NodeMap.data(node, 0);
        for (int branch = 0; branch < branches(node) - 1; branch++) {
            String at = part(node.getName(), branch);
            if (branch > 0 && graph.has(at)) {
                throw new NotFunctional();
            }
            graph.put(node.toBuilder()
                    .setName(at)
                    .setOp("Switch")
                    .removeAttr("num_outs")
                    .clearInput()
                    .addInput(value)
                    .addInput(condition(NodeMap.data(node, 1), branch))
                    .build());
            value = at + ":0";
        }
    }

    /** The condition that a number is that of a branch. */
    private String condition(String number, int branch) {
        return conditions.computeIfAbsent(number + " " + branch, none -> {
            String stem = NodeMap.name(number) + "/is" + branch;
            TensorProto value = TensorProto.newBuilder()
                    .setDtype(DataType.DT_INT32)
                    .addIntVal(branch)
                    .build();
            String constant = graph.free(stem + "/number");
            graph.put(NodeDef.newBuilder()
                    .setName(constant)
                    .setOp("Const")
                    .putAttr(
                            "dtype",
                            AttrValue.newBuilder().setType(DataType.DT_INT32).build())
                    .putAttr("value", AttrValue.newBuilder().setTensor(value).build())
                    .build());
            String equal = graph.free(stem);
            graph.put(NodeDef.newBuilder()
                    .setName(equal)
                    .setOp("Equal")
                    .addInput(number)
                    .addInput(constant)
                    .build());
            return equal;
        });
    }

    /** Results of one Case have names that begin alike, and so have those of the conditions in it. */
    private void replaceMerge(NodeDef merge) {
        List<String> inputs = new ArrayList<>(NodeMap.data(merge));
        int cut = merge.getName().lastIndexOf('/') + 1;
        String scope = merge.getName().substring(0, cut);
        String name = merge.getName().substring(cut);
        String last = inputs.remove(inputs.size() - 1);
        for (int branch = inputs.size() - 1; branch >= 0; branch--) {
            String at = branch == 0 ? merge.getName() : graph.free(scope + "rest" + branch + "/" + name);
            graph.put(merge.toBuilder()
                    .setName(at)
                    .putAttr("N", AttrValue.newBuilder().setI(2).build())
                    .clearInput()
                    .addInput(inputs.get(branch))
                    .addInput(last)
                    .build());
            last = at;
        }
    }
}
