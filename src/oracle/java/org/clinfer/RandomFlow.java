package org.clinfer;

import static org.clinfer.robustness.OnnxModel.integer;
import static org.clinfer.robustness.OnnxModel.ints;
import static org.clinfer.robustness.OnnxModel.text;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.clinfer.RandomNetwork.Value;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.robustness.OnnxModel;

/** Branches that data choose, loops that data end, scans, recurrent layers, and attention over what was there before. */
final class RandomFlow {

    private static final int MOST_INNER_NODES = 4;
    private static final int MOST_HIDDEN = 9;

    private RandomFlow() {}

    /** Two branches of element-wise nodes that read a value of the network; the first may have branches within. */
    static void branch(RandomNetwork network) {
        branch(network, network.pick(value -> true).orElseThrow(), 1);
    }

    private static void branch(RandomNetwork network, Value x, int depth) {
        String condition = condition(network, x, network.one(-0.3, 0.05, 0.7));
        RandomNetwork first = network.inner(x);
        elements(first);
        if (depth > 0 && network.chance(0.3)) {
            branch(first, x, depth - 1);
        }
        RandomNetwork second = network.inner(x);
        elements(second);
        AttributeProto yes = first.graph("then_branch", first.newest().name());
        AttributeProto no = second.graph("else_branch", second.newest().name());
        network.node("If", condition, x.sizes(), yes, no);
    }

    private static void elements(RandomNetwork network) {
        int nodes = network.between(1, MOST_INNER_NODES);
        for (int i = 0; i < nodes; i++) {
            RandomElements.activation(network);
        }
    }

    private static String condition(RandomNetwork network, Value x, double limit) {
        String mean = network.aside("ReduceMean", x.name(), integer("keepdims", 0));
        return network.aside("Less", mean + "," + network.scalar(limit));
    }

    /** A state that changes until data or a number of iterations end the loop, and the sum of what the iterations list. */
    static void loop(RandomNetwork network) {
        Value x = network.pick(value -> true).orElseThrow();
        RandomNetwork body = network.inner();
        body.input(body.freshName(), OnnxModel.INT64);
        body.input(body.freshName(), OnnxModel.BOOL);
        String state = body.freshName();
        body.input(state, OnnxModel.FLOAT, x.sizes());
        Value sum = body.node("Add", state + "," + x.name(), x.sizes());
        Value next = body.node(network.one("Tanh", "Softplus", "Relu", "Identity"), sum.name(), x.sizes());
        String goesOn = condition(body, next, network.one(-0.2, 0.3, 1.5));
        Value listed = body.node("Mul", next.name() + "," + state, x.sizes());
        AttributeProto graph = body.graph("body", goesOn, next.name(), listed.name());
        List<String> made = network.several("Loop", network.longs(network.between(1, 5)) + ",," + x.name(), 2, graph);
        network.node("Identity", made.get(0), x.sizes());
        network.node("ReduceSum", made.get(1) + "," + network.longs(0), x.sizes(), integer("keepdims", 0));
    }

    /** Sums along the first axis, in either direction. */
    static void scan(RandomNetwork network) {
        Optional<Value> suited = network.pick(value -> value.rank() > 1 && value.size(0) < 20);
        if (suited.isEmpty()) {
            return;
        }
        Value x = suited.get();
        long[] each = Arrays.copyOfRange(x.sizes(), 1, x.rank());
        RandomNetwork body = network.inner();
        String state = body.freshName();
        String element = body.freshName();
        body.input(state, OnnxModel.FLOAT, each);
        body.input(element, OnnxModel.FLOAT, each);
        Value sum = body.node("Add", state + "," + element, each);
        Value next = body.node("Tanh", sum.name(), each);
        Value listed = body.node("Sub", next.name() + "," + element, each);
        List<String> made = network.several(
                "Scan",
                network.weights(1, each) + "," + x.name(),
                2,
                body.graph("body", next.name(), listed.name()),
                integer("num_scan_inputs", 1),
                ints("scan_input_directions", network.between(0, 1)),
                ints("scan_output_directions", network.between(0, 1)));
        network.node("Identity", made.get(0), each);
        network.node("Identity", made.get(1), x.sizes());
    }

    /** LSTM, GRU or RNN over the first axis, or over the second one of a batch, which is turned. */
    static void recurrent(RandomNetwork network) {
        Optional<Value> suited = network.pick(value -> value.rank() == 3 && value.size(1) < 48);
        if (suited.isEmpty()) {
            return;
        }
        Value x = suited.get();
        Value steps = network.chance(0.5)
                ? x
                : network.node(
                        "Transpose", x.name(), new long[] {x.size(1), x.size(0), x.size(2)}, ints("perm", 1, 0, 2));
        String op = network.one("LSTM", "GRU", "RNN");
        String direction = network.one("forward", "reverse", "bidirectional");
        long directions = direction.equals("bidirectional") ? 2 : 1;
        long hidden = network.between(1, MOST_HIDDEN);
        long gates = switch (op) {
            case "LSTM" -> 4;
            case "GRU" -> 3;
            default -> 1;
        };
        if (!RandomNetwork.isSmall(gates * (hidden + steps.size(2)), steps.size(0), steps.size(1), hidden)) {
            return;
        }
        String inputs = steps.name() + ","
                + network.weights(RandomNetwork.scale(steps.size(2)), directions, gates * hidden, steps.size(2)) + ","
                + network.weights(RandomNetwork.scale(hidden), directions, gates * hidden, hidden);
        if (network.chance(0.7)) {
            inputs += "," + network.weights(0.3, directions, 2 * gates * hidden);
        }
        long[] sizes = {steps.size(0), directions, steps.size(1), hidden};
        AttributeProto size = integer("hidden_size", hidden);
        if (op.equals("GRU") && network.chance(0.5)) {
            network.node(op, inputs, sizes, size, text("direction", direction), integer("linear_before_reset", 1));
        } else {
            network.node(op, inputs, sizes, size, text("direction", direction));
        }
    }

    /** Attention of the newest positions over those of a cache and themselves, in heads. */
    static void attentionOverPast(RandomNetwork network) {
        Optional<Value> suited = network.pick(value -> value.rank() == 3 && value.size(2) % 2 == 0);
        if (suited.isEmpty()) {
            return;
        }
        Value x = suited.get();
        long batch = x.size(0);
        long length = x.size(1);
        long width = x.size(2);
        long past = network.between(1, 7);
        long heads = width % 4 == 0 ? network.one(1L, 2L, 4L) : network.one(1L, 2L);
        if (!RandomNetwork.isSmall(width, batch, heads, length, length + past)) {
            return;
        }
        Value query = heads(network, x, heads);
        Value keys = joined(network, heads(network, x, heads), past);
        Value values = joined(network, heads(network, x, heads), past);
        long each = width / heads;
        Value turned = network.node(
                "Transpose", keys.name(), new long[] {batch, heads, each, length + past}, ints("perm", 0, 1, 3, 2));
        long[] scores = {batch, heads, length, length + past};
        Value products = network.node("MatMul", query.name() + "," + turned.name(), scores);
        Value scaled = network.node("Mul", products.name() + "," + network.scalar(RandomNetwork.scale(each)), scores);
        Value shares = network.node("Softmax", scaled.name(), scores, integer("axis", -1));
        network.node("MatMul", shares.name() + "," + values.name(), new long[] {batch, heads, length, each});
    }

    private static Value heads(RandomNetwork network, Value x, long heads) {
        long each = x.size(2) / heads;
        String sizes = network.longs(0, 0, heads, each);
        Value split = network.node("Reshape", x.name() + "," + sizes, new long[] {x.size(0), x.size(1), heads, each});
        return network.node(
                "Transpose", split.name(), new long[] {x.size(0), heads, x.size(1), each}, ints("perm", 0, 2, 1, 3));
    }

    private static Value joined(RandomNetwork network, Value newest, long past) {
        String cache = network.weights(1, newest.size(0), newest.size(1), past, newest.size(3));
        return network.node(
                "Concat", cache + "," + newest.name(), newest.sizesWith(2, past + newest.size(2)), integer("axis", 2));
    }
}
