package org.clinfer.importer.tensorflow;

import java.util.Arrays;
import org.clinfer.importer.tensorflow.proto.AttrValue;

/** Parts of graphs with control flow, as TensorFlow 1 writes it. */
public final class TfControlGraphs {

    private TfControlGraphs() {}

    /** A map over two elements by arrays, each of which is computed in one of two ways. */
    public static TfGraph mapped() {
        TfGraph graph =
                new TfGraph().input("x", 2).integer("two", 2).integer("0", 0).integer("1", 1);
        array(array(graph, "in"), "out")
                .node("Range", "all", "0 two 1")
                .node("TensorArrayScatterV3", "scatter", "in all x in:1", "T=float");
        state(counting(graph, "map", "two"), "map", "flow", "out:1");
        entered(entered(entered(graph, "map", "in", "in"), "map", "out", "out"), "map", "scatter", "scatter")
                .node("TensorArrayReadV3", "map/read", "map/in map/i map/scatter", "dtype=float")
                .number("map/zero", 0)
                .with(node -> node.addInput("^map/i"))
                .node("Greater", "map/positive", "map/read map/zero");
        taken(pivots(graph, "map/cond", "map/positive"), "map/cond", "x", "map/read")
                .node("Neg", "map/cond/Neg", "map/cond/x")
                .node("Exp", "map/cond/Exp", "map/cond/x:1")
                .node("Merge", "map/cond/Merge", "map/cond/Neg map/cond/Exp", "N=2")
                .node("TensorArrayWriteV3", "map/write", "map/out map/i map/cond/Merge map/flow", "T=float");
        next(graph, "map", "flow", "map/write")
                .node("TensorArraySizeV3", "size", "out map/flow/Exit")
                .node("Range", "each", "0 size 1")
                .node("TensorArrayGatherV3", "y", "out each map/flow/Exit", "dtype=float");
        return graph;
    }
    /** The nodes by which a condition says which of its branches is taken. */
    static TfGraph pivots(TfGraph graph, String scope, String predicate) {
        return graph.node("Identity", scope + "/pred_id", predicate)
                .node("Switch", scope + "/Switch", predicate + " " + predicate)
                .node("Identity", scope + "/switch_t", scope + "/Switch:1")
                .node("Identity", scope + "/switch_f", scope + "/Switch");
    }

    /** A value that a branch takes. */
    static TfGraph taken(TfGraph graph, String scope, String name, String value) {
        return graph.node("Switch", scope + "/" + name, value + " " + scope + "/pred_id");
    }

    /** A constant that only the branch says to be its own. */
    static TfGraph constant(TfGraph graph, String name, String branch, float... values) {
        return graph.floats(name, new long[] {2}, values).with(node -> node.addInput("^" + branch));
    }

    /** A state of a loop: the nodes before its body. */
    static TfGraph state(TfGraph graph, String loop, String name, String first) {
        String at = loop + "/" + name;
        return graph.node("Enter", at + "/Enter", first, "frame_name=" + loop)
                .node("Merge", at + "/Merge", at + "/Enter " + at + "/Next", "N=2")
                .node("Switch", at + "/Switch", at + "/Merge " + loop + "/LoopCond")
                .node("Identity", at, at + "/Switch:1")
                .node("Exit", at + "/Exit", at + "/Switch");
    }

    static TfGraph next(TfGraph graph, String loop, String name, String value) {
        return graph.node("NextIteration", loop + "/" + name + "/Next", value);
    }

    /** A value that no iteration changes. */
    static TfGraph entered(TfGraph graph, String loop, String name, String value) {
        return graph.node("Enter", loop + "/" + name, value, "frame_name=" + loop, "is_constant=true");
    }

    /** A loop whose first state counts to a number. */
    static TfGraph counting(TfGraph graph, String loop, String count) {
        graph.integer(loop + "/first", 0);
        entered(state(graph, loop, "i", loop + "/first"), loop, "count", count)
                .node("Less", loop + "/Less", loop + "/i/Merge " + loop + "/count")
                .node("LoopCond", loop + "/LoopCond", loop + "/Less")
                .integer(loop + "/one", 1)
                .with(node -> node.addInput("^" + loop + "/i"))
                .node("AddV2", loop + "/i/add", loop + "/i " + loop + "/one");
        return next(graph, loop, "i", loop + "/i/add");
    }

    static TfGraph array(TfGraph graph, String name, String... attributes) {
        return graph.node("TensorArrayV3", name, "two", "dtype=float")
                .with(node -> Arrays.stream(attributes)
                        .forEach(each -> node.putAttr(
                                each, AttrValue.newBuilder().setB(true).build())));
    }
}
