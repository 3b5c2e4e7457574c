package org.clinfer.demo.training;

import java.util.ArrayList;
import java.util.List;

/**
 * What the network computes: from the picture down to an eighth of its size and back, with one residual sum, one skip
 * connection and two transposed convolutions.
 *
 * <pre>
 * image - conv1 /2 - conv2 - pool1 /4 - conv3 - conv4 -+- pool2 /8 - conv5 -+- conv6 - add - up1 /4 - concat - conv7 - up2 /1
 *                                                      |                    +----------+                |
 *                                                      +------------------------------------------------+
 * </pre>
 */
final class SegmentationNetwork {

    static final String INPUT = "image";
    static final String OUTPUT = "scores";
    /** Pictures must be a multiple of this many pixels high and wide. */
    static final int GRANULARITY = 8;

    private static final Step.Window SAME = new Step.Window(3, 1, 1);

    private final List<Step> steps = new ArrayList<>();

    private SegmentationNetwork() {}

    /** The steps in the order in which they are computed; the last makes {@link #OUTPUT}. */
    static List<Step> steps() {
        SegmentationNetwork network = new SegmentationNetwork();
        network.encode();
        network.decode(ShapeClass.values().length);
        return List.copyOf(network.steps);
    }

    private void encode() {
        normalisedConv("1", INPUT, new Step.Window(5, 2, 2), 3, 16);
        normalisedConv("2", "relu1", SAME, 16, 24);
        steps.add(new Step.MaxPool("pool1", "relu2"));
        normalisedConv("3", "pool1", SAME, 24, 32);
        normalisedConv("4", "relu3", SAME, 32, 32);
        steps.add(new Step.MaxPool("pool2", "relu4"));
        normalisedConv("5", "pool2", SAME, 32, 48);
        steps.add(new Step.Conv("conv6", "relu5", SAME, 48, 48, true));
        steps.add(new Step.Add("add6", List.of("relu5", "conv6")));
        steps.add(new Step.Relu("relu6", "add6"));
    }

    private void decode(int classes) {
        steps.add(new Step.TransposedConv("up1", "relu6", new Step.Window(4, 2, 1), 48, 32));
        steps.add(new Step.Relu("up1_relu", "up1"));
        steps.add(new Step.Concat("concat", List.of("up1_relu", "relu4")));
        steps.add(new Step.Conv("conv7", "concat", SAME, 64, 32, true));
        steps.add(new Step.Relu("relu7", "conv7"));
        steps.add(new Step.TransposedConv("up2", "relu7", new Step.Window(8, 4, 2), 32, classes));
        steps.add(new Step.Softmax(OUTPUT, "up2"));
    }

    /** Convolution without bias, normalisation and rectifier: conv{@code N}, norm{@code N}, relu{@code N}. */
    private void normalisedConv(String number, String input, Step.Window window, int channelsIn, int channelsOut) {
        steps.add(new Step.Conv("conv" + number, input, window, channelsIn, channelsOut, false));
        steps.add(new Step.Norm("norm" + number, "conv" + number, channelsOut));
        steps.add(new Step.Relu("relu" + number, "norm" + number));
    }
}
