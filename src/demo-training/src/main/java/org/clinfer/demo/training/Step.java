package org.clinfer.demo.training;

import java.util.List;

/** One operator of the network; its result is named after it. */
sealed interface Step {

    String name();

    /** Names of the values it takes: results of earlier steps, or the network's input. */
    List<String> inputs();

    /** A square kernel with its stride and padding. */
    record Window(int kernel, int stride, int padding) {}

    /** Convolution, weights outputs x inputs x kernel x kernel, and a bias if it has one. */
    record Conv(String name, String input, Window window, int channelsIn, int channelsOut, boolean hasBias)
            implements Step {
        @Override
        public List<String> inputs() {
            return List.of(input);
        }
    }

    /** Transposed convolution with bias, weights inputs x outputs x kernel x kernel. */
    record TransposedConv(String name, String input, Window window, int channelsIn, int channelsOut) implements Step {
        @Override
        public List<String> inputs() {
            return List.of(input);
        }
    }

    /** Batch normalisation over the channels. */
    record Norm(String name, String input, int channels) implements Step {
        @Override
        public List<String> inputs() {
            return List.of(input);
        }
    }

    /** Rectifier. */
    record Relu(String name, String input) implements Step {
        @Override
        public List<String> inputs() {
            return List.of(input);
        }
    }

    /** Maximum over windows of 2 x 2, stride 2. */
    record MaxPool(String name, String input) implements Step {
        static final int SIZE = 2;

        @Override
        public List<String> inputs() {
            return List.of(input);
        }
    }

    /** Element-wise sum. */
    record Add(String name, List<String> inputs) implements Step {}

    /** Joins along the channels. */
    record Concat(String name, List<String> inputs) implements Step {}

    /** Probabilities over the channels. */
    record Softmax(String name, String input) implements Step {
        @Override
        public List<String> inputs() {
            return List.of(input);
        }
    }
}
