package org.clinfer.networks;

import static org.clinfer.networks.NetworkWriter.ADDED;
import static org.clinfer.networks.NetworkWriter.LINEAR;
import static org.clinfer.networks.NetworkWriter.RECTIFIED;
import static org.clinfer.networks.NetworkWriter.integer;
import static org.clinfer.networks.NetworkWriter.integers;

import java.util.List;

/** Networks of attention. Their normalizations and activations are written in parts, as PyTorch exports them. */
final class Transformers {

    private static final int PATCH = 16;
    private static final int DEPTH = 12;
    private static final int HEADS = 3;
    private static final double EPSILON = 1e-6;

    private final NetworkWriter net;
    private final int width;
    private final int tokens;

    private Transformers(NetworkWriter net) {
        this.net = net;
        this.width = net.width(192);
        int side = net.imageSize() / PATCH;
        this.tokens = side * side + 1;
    }

    /** The vision transformer (Dosovitskiy et al. 2021) of the size DeiT-Ti (Touvron et al. 2021). */
    static void deitTiny(NetworkWriter net) {
        new Transformers(net).write();
    }

    private void write() {
        Value patches = net.convolution(net.image(), new Filter(width, PATCH, PATCH, 0, 1), LINEAR);
        String flat = net.node("Reshape", List.of(patches.name(), net.numbers(net.batch(), width, tokens - 1)));
        String sequence = net.node("Transpose", List.of(flat), integers("perm", 0, 2, 1));
        String token =
                net.node("Expand", List.of(net.trained("token", 1, 1, 1, width), net.numbers(net.batch(), 1, width)));
        String x = net.node("Concat", List.of(token, sequence), integer("axis", 1));
        x = net.node("Add", List.of(x, net.trained("positions", 0.5, 1, tokens, width)));
        for (int block = 0; block < DEPTH; block++) {
            x = net.node("Add", List.of(x, attention(normalized(x))));
            x = net.node("Add", List.of(x, perceptron(normalized(x))));
        }
        String first = net.node("Gather", List.of(normalized(x), net.index(0)), integer("axis", 1));
        net.output(net.dense(new Value(first, width, 1, 1), 1000, LINEAR));
    }

    private String normalized(String x) {
        List<String> scale = net.trainedScale(width);
        String mean = net.node("ReduceMean", List.of(x), integers("axes", -1));
        String centred = net.node("Sub", List.of(x, mean));
        String squares = net.node("Pow", List.of(centred, net.number(2)));
        String variance = net.node("ReduceMean", List.of(squares), integers("axes", -1));
        String deviation = net.node("Sqrt", List.of(net.node("Add", List.of(variance, net.number(EPSILON)))));
        String y = net.node("Div", List.of(centred, deviation));
        return net.node("Add", List.of(net.node("Mul", List.of(y, scale.get(0))), scale.get(1)));
    }

    private String attention(String x) {
        int each = width / HEADS;
        String all = net.linear(x, width, 3 * width, LINEAR);
        String split = net.node("Reshape", List.of(all, net.numbers(net.batch(), tokens, 3, HEADS, each)));
        String heads = net.node("Transpose", List.of(split), integers("perm", 2, 0, 3, 1, 4));
        String queries = net.node("Gather", List.of(heads, net.index(0)), integer("axis", 0));
        String keys = net.node("Gather", List.of(heads, net.index(1)), integer("axis", 0));
        String values = net.node("Gather", List.of(heads, net.index(2)), integer("axis", 0));
        String turned = net.node("Transpose", List.of(keys), integers("perm", 0, 1, 3, 2));
        String products = net.node("MatMul", List.of(queries, turned));
        String scores = net.node("Mul", List.of(products, net.number(1 / Math.sqrt(each))));
        String shares = net.node("Softmax", List.of(scores), integer("axis", -1));
        String context = net.node("MatMul", List.of(shares, values));
        String rows = net.node("Transpose", List.of(context), integers("perm", 0, 2, 1, 3));
        String joined = net.node("Reshape", List.of(rows, net.numbers(net.batch(), tokens, width)));
        return net.linear(joined, width, width, ADDED);
    }

    private String perceptron(String x) {
        String wide = net.linear(x, width, 4 * width, RECTIFIED);
        String erf = net.node("Erf", List.of(net.node("Div", List.of(wide, net.number(Math.sqrt(2))))));
        String raised = net.node("Add", List.of(erf, net.number(1)));
        String gelu = net.node("Mul", List.of(net.node("Mul", List.of(wide, raised)), net.number(0.5)));
        return net.linear(gelu, 4 * width, width, ADDED);
    }
}
