package org.clinfer.demo.training;

import ai.djl.ndarray.NDArray;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Turns a trained network into an ONNX model; field numbers are those of onnx.proto. */
final class OnnxExport {

    private static final int IR_VERSION = 7;
    private static final int OPSET = 13;
    private static final int ELEMENT_FLOAT = 1;
    private static final int ATTRIBUTE_FLOAT = 1;
    private static final int ATTRIBUTE_INT = 2;
    private static final int ATTRIBUTE_INTS = 7;

    private final SegmentationBlock block;
    private final ProtoMessage graph = new ProtoMessage();

    private OnnxExport(SegmentationBlock block) {
        this.block = block;
    }

    /** The model file for one square RGB picture of the given size. */
    static byte[] export(SegmentationBlock block, String name, int size) {
        OnnxExport export = new OnnxExport(block);
        block.steps().forEach(export::addNode);
        export.graph.text(2, name);
        block.steps().forEach(export::addInitializers);
        export.graph
                .message(11, value(SegmentationNetwork.INPUT, 1, 3, size, size))
                .message(12, value(SegmentationNetwork.OUTPUT, 1, ShapeClass.values().length, size, size));
        return new ProtoMessage()
                .integer(1, IR_VERSION)
                .text(2, "clinfer-demo-training")
                .text(3, "1.0")
                .message(7, export.graph)
                .message(8, new ProtoMessage().text(1, "").integer(2, OPSET))
                .toByteArray();
    }

    private void addNode(Step step) {
        ProtoMessage node = new ProtoMessage();
        step.inputs().forEach(input -> node.text(1, input));
        parameters(step).forEach(parameter -> node.text(1, parameter));
        node.text(2, step.name()).text(3, step.name()).text(4, operator(step));
        attributes(step).forEach(attribute -> node.message(5, attribute));
        graph.message(1, node);
    }

    private static String operator(Step step) {
        if (step instanceof Step.TransposedConv) {
            return "ConvTranspose";
        }
        return step instanceof Step.Norm
                ? "BatchNormalization"
                : step.getClass().getSimpleName();
    }

    /** Names of the step's parameters in the order of the operator's inputs. */
    private static List<String> parameters(Step step) {
        String name = step.name();
        if (step instanceof Step.Conv conv && !conv.hasBias()) {
            return List.of(name + "_weights");
        }
        if (step instanceof Step.Conv || step instanceof Step.TransposedConv) {
            return List.of(name + "_weights", name + "_bias");
        }
        if (step instanceof Step.Norm) {
            return List.of(name + "_scale", name + "_shift", name + "_mean", name + "_variance");
        }
        return List.of();
    }

    private static List<ProtoMessage> attributes(Step step) {
        if (step instanceof Step.Conv conv) {
            return window(conv.window());
        }
        if (step instanceof Step.TransposedConv conv) {
            return window(conv.window());
        }
        if (step instanceof Step.MaxPool) {
            return window(new Step.Window(Step.MaxPool.SIZE, Step.MaxPool.SIZE, 0));
        }
        if (step instanceof Step.Norm) {
            return List.of(new ProtoMessage()
                    .text(1, "epsilon")
                    .real(2, SegmentationBlock.EPSILON)
                    .integer(20, ATTRIBUTE_FLOAT));
        }
        if (step instanceof Step.Concat || step instanceof Step.Softmax) {
            return List.of(new ProtoMessage().text(1, "axis").integer(3, 1).integer(20, ATTRIBUTE_INT));
        }
        return List.of();
    }

    private static List<ProtoMessage> window(Step.Window window) {
        int padding = window.padding();
        return List.of(
                integers("kernel_shape", window.kernel(), window.kernel()),
                integers("pads", padding, padding, padding, padding),
                integers("strides", window.stride(), window.stride()));
    }

    private static ProtoMessage integers(String name, int... values) {
        ProtoMessage attribute = new ProtoMessage().text(1, name);
        for (int value : values) {
            attribute.integer(8, value);
        }
        return attribute.integer(20, ATTRIBUTE_INTS);
    }

    private void addInitializers(Step step) {
        for (String name : parameters(step)) {
            NDArray parameter = block.parameter(name);
            float[] values = parameter.toFloatArray();
            ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            bytes.asFloatBuffer().put(values);
            ProtoMessage tensor = new ProtoMessage();
            for (long dim : parameter.getShape().getShape()) {
                tensor.integer(1, dim);
            }
            graph.message(5, tensor.integer(2, ELEMENT_FLOAT).text(8, name).blob(9, bytes.array()));
        }
    }

    private static ProtoMessage value(String name, int... dims) {
        ProtoMessage shape = new ProtoMessage();
        for (int dim : dims) {
            shape.message(1, new ProtoMessage().integer(1, dim));
        }
        ProtoMessage tensor = new ProtoMessage().integer(1, ELEMENT_FLOAT).message(2, shape);
        return new ProtoMessage().text(1, name).message(2, new ProtoMessage().message(1, tensor));
    }
}
