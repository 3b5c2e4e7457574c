package org.clinfer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;

/** Networks of one operator with random sizes and parameters, on both sides of what devices allow; not all are sound. */
final class RandomOperators {

    private static final List<DType> TYPES = List.of(DType.FLOAT16, DType.FLOAT16, DType.FLOAT32, DType.INT8);
    private static final List<String> ELEMENTWISE =
            List.of("Relu", "Relu6", "LeakyRelu", "Sigmoid", "Tanh", "Softmax", "Exp", "HardSwish", "Elu", "Lrn");
    private static final List<String> BINARY = List.of("Add", "Mul", "Sub", "Div", "Max");

    private final Random random;

    RandomOperators(Random random) {
        this.random = random;
    }

    Graph next() {
        return switch (random.nextInt(9)) {
            case 0, 1 -> convolution();
            case 2, 3 -> transposed();
            case 4 -> pool();
            case 5 -> elementwise();
            case 6 -> joined();
            case 7 -> product();
            default -> resized();
        };
    }

    /** Mostly small, sometimes near a power of two, where limits are. */
    private long size(long most) {
        if (random.nextInt(4) == 0) {
            long power = 1L << random.nextInt(64 - Long.numberOfLeadingZeros(most));
            return Math.max(1, Math.min(most, power + random.nextInt(3) - 1));
        }
        return random.nextLong(1, Math.min(most, 40) + 1);
    }

    private DType dtype() {
        return TYPES.get(random.nextInt(TYPES.size()));
    }

    private static GraphBuilder builder() {
        return new GraphBuilder("net", new SourceRef("net", ""));
    }

    private Map<String, Attribute> window(long kernelHeight, long kernelWidth) {
        Map<String, Attribute> params = new HashMap<>();
        params.put("strides", Attribute.ofInts(size(70), size(70)));
        params.put(
                "padding",
                Attribute.ofInts(
                        random.nextLong(kernelHeight + 1),
                        random.nextLong(kernelHeight + 1),
                        random.nextLong(kernelWidth + 1),
                        random.nextLong(kernelWidth + 1)));
        if (random.nextInt(3) == 0) {
            params.put("dilation", Attribute.ofInts(size(20), size(20)));
        }
        return params;
    }

    private Graph convolution() {
        boolean isDepthwise = random.nextInt(3) == 0;
        long channels = size(4100);
        long outputs = isDepthwise ? channels : size(600);
        long kernelHeight = size(40);
        long kernelWidth = random.nextBoolean() ? kernelHeight : size(40);
        DType dtype = dtype();
        Map<String, Attribute> params = window(kernelHeight, kernelWidth);
        params.put("group", Attribute.of(isDepthwise ? channels : 1));
        return builder()
                .input("x", dtype, 1, channels, size(4100), size(4100))
                .input("w", dtype, outputs, isDepthwise ? 1 : channels, kernelHeight, kernelWidth)
                .node("Conv2d", List.of("x", "w"), List.of("y"), params)
                .output("y")
                .build();
    }

    private Graph transposed() {
        long channels = size(600);
        long kernelHeight = size(70);
        long kernelWidth = random.nextBoolean() ? kernelHeight : size(70);
        DType dtype = dtype();
        return builder()
                .input("x", dtype, 1, channels, size(600), size(600))
                .input("w", dtype, channels, size(100), kernelHeight, kernelWidth)
                .node("Conv2dTranspose", List.of("x", "w"), List.of("y"), window(kernelHeight, kernelWidth))
                .output("y")
                .build();
    }

    private Graph pool() {
        long kernelHeight = size(300);
        long kernelWidth = random.nextBoolean() ? kernelHeight : size(300);
        Map<String, Attribute> params = window(kernelHeight, kernelWidth);
        params.put("kernel_size", Attribute.ofInts(kernelHeight, kernelWidth));
        return builder()
                .input("x", dtype(), size(3), size(600), size(1100), size(1100))
                .node(random.nextBoolean() ? "MaxPool" : "AvgPool", List.of("x"), List.of("y"), params)
                .output("y")
                .build();
    }

    private Graph elementwise() {
        String op = ELEMENTWISE.get(random.nextInt(ELEMENTWISE.size()));
        Map<String, Attribute> params = new HashMap<>();
        if (op.equals("Lrn")) {
            params.put("size", Attribute.of(size(12)));
        }
        return builder()
                .input("x", dtype(), size(3), size(9000), size(100), size(100))
                .node(op, List.of("x"), List.of("y"), params)
                .output("y")
                .build();
    }

    private Graph joined() {
        long channels = size(9000);
        long height = size(100);
        DType dtype = dtype();
        if (random.nextBoolean()) {
            return builder()
                    .input("a", dtype, 1, channels, height, 7)
                    .input("b", dtype, 1, random.nextBoolean() ? channels : 1, height, 7)
                    .node(BINARY.get(random.nextInt(BINARY.size())), List.of("a", "b"), List.of("y"), Map.of())
                    .output("y")
                    .build();
        }
        GraphBuilder builder = builder();
        List<String> inputs = new ArrayList<>();
        for (int i = 0; i < size(40); i++) {
            inputs.add("x" + i);
            builder.input("x" + i, dtype, 1, channels, height, 7);
        }
        if (inputs.isEmpty()) {
            return elementwise();
        }
        return builder.node("Concat", inputs, List.of("y"), Map.of("axis", Attribute.of(random.nextInt(4))))
                .output("y")
                .build();
    }

    private Graph product() {
        long inner = size(40000);
        DType dtype = dtype();
        return builder()
                .input("a", dtype, size(300), inner)
                .input("b", dtype, inner, size(40000))
                .node(random.nextBoolean() ? "Gemm" : "MatMul", List.of("a", "b"), List.of("y"), Map.of())
                .output("y")
                .build();
    }

    private Graph resized() {
        Map<String, Attribute> params = new HashMap<>();
        params.put("scale", Attribute.ofInts(size(40), size(40)));
        params.put("mode", Attribute.of(random.nextBoolean() ? "NEAREST" : "BILINEAR"));
        return builder()
                .input("x", dtype(), 1, size(4100), size(100), size(100))
                .node("Upsample", List.of("x"), List.of("y"), params)
                .output("y")
                .build();
    }
}
