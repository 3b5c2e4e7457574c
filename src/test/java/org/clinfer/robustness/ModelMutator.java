package org.clinfer.robustness;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.TensorShapeProto;

/** Damages models: bytes of the file, or single facts of the parsed model. */
final class ModelMutator {

    private static final long[] SIZES = {
        0, 1, 2, 3, 4, 5, 7, 8, 17, 64, 1000, 1 << 16, 1L << 31, (1L << 31) - 1, 1L << 32, 1L << 40, 1L << 62
    };
    private static final long[] NUMBERS = {
        -1,
        -2,
        -3,
        -7,
        -64,
        Integer.MIN_VALUE,
        -(1L << 31) - 1,
        -(1L << 40),
        -(1L << 62),
        Long.MIN_VALUE,
        Long.MIN_VALUE + 1,
        Long.MAX_VALUE,
        Long.MAX_VALUE - 1
    };
    private static final float[] REALS = {
        0,
        -0f,
        1,
        -1,
        0.5f,
        3,
        1e-30f,
        1e30f,
        1e9f,
        -1e9f,
        Float.NaN,
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY,
        Float.MIN_VALUE
    };
    private static final List<String> TEXTS = List.of(
            "",
            "SAME_UPPER",
            "SAME_LOWER",
            "VALID",
            "NOTSET",
            "constant",
            "reflect",
            "edge",
            "wrap",
            "linear",
            "nearest",
            "cubic",
            "asymmetric",
            "align_corners",
            "half_pixel",
            "pytorch_half_pixel",
            "floor",
            "ceil",
            "DCR",
            "CRD",
            "tf_crop_and_resize",
            "\u0000\n\uFFFF");

    private final Random random;

    ModelMutator(long seed) {
        this(new Random(seed));
    }

    ModelMutator(Random random) {
        this.random = random;
    }

    /** A damaged copy of the file's bytes: some flipped, or the end cut off. */
    byte[] damage(byte[] file) {
        byte[] copy = file.clone();
        if (random.nextInt(6) == 0) {
            return java.util.Arrays.copyOf(copy, random.nextInt(copy.length));
        }
        for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
            int at = random.nextInt(copy.length);
            copy[at] = random.nextBoolean() ? (byte) random.nextInt(256) : (byte) (copy[at] ^ 1 << random.nextInt(8));
        }
        return copy;
    }

    /** A model with one to three facts changed. */
    ModelProto change(ModelProto model) {
        ModelProto.Builder changed = model.toBuilder();
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            change(changed);
        }
        return changed.build();
    }

    private void change(ModelProto.Builder model) {
        GraphProto.Builder graph = model.getGraphBuilder();
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> changeAttribute(anyNode(graph));
            case 4, 5, 6 -> changeInitializer(graph);
            case 7, 8 -> changeInput(graph);
            case 9 -> changeWiring(graph);
            case 10 ->
                anyNode(graph)
                        .setOpType(graph.getNode(random.nextInt(graph.getNodeCount()))
                                .getOpType());
            default -> model.getOpsetImportBuilder(0).setVersion(random.nextInt(24));
        }
    }

    private NodeProto.Builder anyNode(GraphProto.Builder graph) {
        return graph.getNodeBuilder(random.nextInt(graph.getNodeCount()));
    }

    private void changeAttribute(NodeProto.Builder node) {
        if (node.getAttributeCount() == 0) {
            return;
        }
        int at = random.nextInt(node.getAttributeCount());
        AttributeProto.Builder attribute = node.getAttributeBuilder(at);
        if (random.nextInt(12) == 0) {
            node.removeAttribute(at);
            return;
        }
        switch (attribute.getType()) {
            case INT -> attribute.setI(number());
            case FLOAT -> attribute.setF(REALS[random.nextInt(REALS.length)]);
            case STRING -> attribute.setS(ByteString.copyFromUtf8(TEXTS.get(random.nextInt(TEXTS.size()))));
            case INTS -> {
                List<Long> values = new ArrayList<>(attribute.getIntsList());
                changeList(values);
                attribute.clearInts().addAllInts(values);
            }
            default -> attribute.clearName();
        }
    }

    private void changeList(List<Long> values) {
        switch (random.nextInt(8)) {
            case 0 -> values.add(number());
            case 1 -> {
                if (!values.isEmpty()) {
                    values.remove(random.nextInt(values.size()));
                }
            }
            case 2 -> Collections.fill(values, number());
            default -> {
                if (!values.isEmpty()) {
                    values.set(random.nextInt(values.size()), number());
                }
            }
        }
    }

    private void changeInitializer(GraphProto.Builder graph) {
        if (graph.getInitializerCount() == 0) {
            return;
        }
        TensorProto.Builder tensor = graph.getInitializerBuilder(random.nextInt(graph.getInitializerCount()));
        if (tensor.getInt64DataCount() > 0) {
            List<Long> values = new ArrayList<>(tensor.getInt64DataList());
            changeList(values);
            tensor.clearInt64Data().addAllInt64Data(values).clearDims().addDims(values.size());
        } else if (tensor.getFloatDataCount() > 0) {
            tensor.setFloatData(random.nextInt(tensor.getFloatDataCount()), REALS[random.nextInt(REALS.length)]);
        } else {
            reshape(tensor);
        }
    }

    /** Other dims for the same data, or dims which are not those of the data. */
    private void reshape(TensorProto.Builder tensor) {
        List<Long> dims = new ArrayList<>(tensor.getDimsList());
        switch (random.nextInt(5)) {
            case 0 -> dims.add(random.nextInt(dims.size() + 1), 1L);
            case 1 -> Collections.shuffle(dims, random);
            case 2 -> {
                int empty = random.nextInt(dims.size());
                dims.set(empty, 0L);
                tensor.setRawData(ByteString.EMPTY);
            }
            case 3 -> {
                long product = dims.stream().reduce(1L, (a, b) -> a * b);
                dims = new ArrayList<>(List.of(product));
            }
            default -> dims.set(random.nextInt(dims.size()), number());
        }
        tensor.clearDims().addAllDims(dims);
    }

    private void changeInput(GraphProto.Builder graph) {
        var type = graph.getInputBuilder(random.nextInt(graph.getInputCount()))
                .getTypeBuilder()
                .getTensorTypeBuilder();
        TensorShapeProto.Builder shape = type.getShapeBuilder();
        switch (random.nextInt(8)) {
            case 0 -> type.setElemType(1 + random.nextInt(16));
            case 1 -> shape.addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(1 + random.nextInt(3)));
            case 2 -> {
                if (shape.getDimCount() > 0) {
                    shape.removeDim(random.nextInt(shape.getDimCount()));
                }
            }
            case 3 -> type.clearShape();
            case 4 -> {
                if (shape.getDimCount() > 0) {
                    shape.getDimBuilder(random.nextInt(shape.getDimCount())).setDimParam("k" + random.nextInt(2));
                }
            }
            default -> {
                if (shape.getDimCount() > 0) {
                    shape.getDimBuilder(random.nextInt(shape.getDimCount())).setDimValue(number());
                }
            }
        }
    }

    private void changeWiring(GraphProto.Builder graph) {
        NodeProto.Builder node = anyNode(graph);
        if (node.getInputCount() == 0) {
            return;
        }
        int at = random.nextInt(node.getInputCount());
        switch (random.nextInt(5)) {
            case 0 -> node.setInput(at, "");
            case 1 -> node.addInput(node.getInput(at));
            case 2 -> node.addOutput("extra");
            case 3 -> node.setInput(at, anyNode(graph).getOutput(0));
            default ->
                node.setInput(
                        at,
                        graph.getInput(random.nextInt(graph.getInputCount())).getName());
        }
    }

    private long number() {
        return random.nextInt(3) == 0 ? NUMBERS[random.nextInt(NUMBERS.length)] : SIZES[random.nextInt(SIZES.length)];
    }
}
