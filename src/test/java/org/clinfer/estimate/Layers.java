package org.clinfer.estimate;

import java.util.List;
import org.clinfer.graph.Graph;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.ops.PadMode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Builds a network of which sizes alone matter: its weights have no memory. Normalizations are in the weights, as converters
 * leave them.
 */
final class Layers {

    private final Ops ops;
    private int constants;

    Layers(String name) {
        ops = Ops.graph(name);
    }

    Edge input(long batch, long channels, long size) {
        return ops.input("image", TensorType.of(DType.FLOAT32, batch, channels, size, size));
    }

    /** The window of a convolution or pool. */
    record Window(int height, int width, int stride, PadMode pad) {

        static Window of(int size) {
            return new Window(size, size, 1, PadMode.SAME);
        }

        static Window of(int height, int width) {
            return new Window(height, width, 1, PadMode.SAME);
        }

        Window stride(int other) {
            return new Window(height, width, other, pad);
        }

        Window valid() {
            return new Window(height, width, stride, PadMode.VALID);
        }
    }

    static int channels(Edge x) {
        return (int) x.type().orElseThrow().shape().sizes()[1];
    }

    private Edge weights(long... sizes) {
        TensorType type = TensorType.of(DType.FLOAT32, sizes);
        return ops.constant("weights" + constants++, Tensor.deferred(type, bytes -> {
            while (bytes.hasRemaining()) {
                bytes.put((byte) 0);
            }
        }));
    }

    /** A convolution with a bias. */
    Edge convolution(Edge x, int channels, Window window) {
        return ops.conv2d(x, weights(channels, channels(x), window.height, window.width))
                .bias(weights(channels))
                .strides(window.stride, window.stride)
                .padMode(window.pad)
                .y();
    }

    /** A convolution of each channel by itself. */
    Edge depthwise(Edge x, Window window) {
        int channels = channels(x);
        return ops.conv2d(x, weights(channels, 1, window.height, window.width))
                .bias(weights(channels))
                .group(channels)
                .strides(window.stride, window.stride)
                .padMode(window.pad)
                .y();
    }

    Edge rectified(Edge x, int channels, Window window) {
        return ops.relu(convolution(x, channels, window));
    }

    Edge relu(Edge x) {
        return ops.relu(x);
    }

    Edge relu6(Edge x) {
        return ops.relu6(x);
    }

    Edge add(Edge one, Edge other) {
        return ops.add(one, other);
    }

    Edge concat(Edge... parts) {
        return ops.concat(List.of(parts)).y();
    }

    Edge maxPool(Edge x, int size, int stride, PadMode pad) {
        return ops.maxPool(x)
                .kernelSize(size, size)
                .strides(stride, stride)
                .padMode(pad)
                .y();
    }

    Edge averagePool(Edge x, int size, int stride) {
        return ops.avgPool(x)
                .kernelSize(size, size)
                .strides(stride, stride)
                .padMode(PadMode.SAME)
                .y();
    }

    Edge normalization(Edge x) {
        int channels = channels(x);
        return ops.batchNorm(x, weights(channels), weights(channels), weights(channels), weights(channels))
                .y();
    }

    Edge globalAverage(Edge x) {
        return ops.avgPool(x).isGlobal(true).y();
    }

    Edge dense(Edge x, int outputs) {
        long[] sizes = x.type().orElseThrow().shape().sizes();
        long inputs = 1;
        for (int axis = 1; axis < sizes.length; axis++) {
            inputs *= sizes[axis];
        }
        Edge flat = sizes.length == 2 ? x : ops.flatten(x).y();
        return ops.gemm(flat, weights(inputs, outputs)).c(weights(outputs)).y();
    }

    Graph network(Edge output) {
        ops.output("scores", output);
        return ops.build();
    }
}
