package org.clinfer.demo.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.AbstractBlock;
import ai.djl.nn.Parameter;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.nn.pooling.Pool;
import ai.djl.training.ParameterStore;
import ai.djl.training.initializer.ConstantInitializer;
import ai.djl.training.initializer.Initializer;
import ai.djl.training.initializer.NormalInitializer;
import ai.djl.util.PairList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The network's steps with their parameters, as the training library runs them. */
final class SegmentationBlock extends AbstractBlock {

    static final float EPSILON = 1e-5f;

    private static final float NORM_MOMENTUM = 0.95f;
    private static final Shape NO_DILATION = new Shape(1, 1);
    private static final Shape NO_PADDING = new Shape(0, 0);

    private final List<Step> steps;

    SegmentationBlock(List<Step> steps) {
        this.steps = steps;
        steps.forEach(this::addParameters);
    }

    List<Step> steps() {
        return steps;
    }

    /** Trained values of a parameter. */
    NDArray parameter(String name) {
        return getDirectParameters().get(name).getArray();
    }

    private void addParameters(Step step) {
        if (step instanceof Step.Conv conv) {
            int kernel = conv.window().kernel();
            Initializer initial = normal(conv.channelsIn() * kernel * kernel);
            addParameter(conv.name() + "_weights", initial, conv.channelsOut(), conv.channelsIn(), kernel, kernel);
            if (conv.hasBias()) {
                addParameter(conv.name() + "_bias", Initializer.ZEROS, conv.channelsOut());
            }
        } else if (step instanceof Step.TransposedConv conv) {
            int kernel = conv.window().kernel();
            int taps = kernel / conv.window().stride();
            Initializer initial = normal(conv.channelsIn() * taps * taps);
            addParameter(conv.name() + "_weights", initial, conv.channelsIn(), conv.channelsOut(), kernel, kernel);
            addParameter(conv.name() + "_bias", Initializer.ZEROS, conv.channelsOut());
        } else if (step instanceof Step.Norm norm) {
            addParameter(norm.name() + "_scale", Initializer.ONES, norm.channels());
            addParameter(norm.name() + "_shift", Initializer.ZEROS, norm.channels());
            addStatistic(norm.name() + "_mean", Parameter.Type.RUNNING_MEAN, 0, norm.channels());
            addStatistic(norm.name() + "_variance", Parameter.Type.RUNNING_VAR, 1, norm.channels());
        }
    }

    /** Random weights that keep the variance of a rectified sum of that many terms. */
    private static Initializer normal(int terms) {
        return new NormalInitializer((float) Math.sqrt(2.0 / terms));
    }

    private void addParameter(String name, Initializer initial, long... shape) {
        addParameter(Parameter.builder()
                .setName(name)
                .setType(Parameter.Type.OTHER)
                .optInitializer(initial)
                .optShape(new Shape(shape))
                .build());
    }

    private void addStatistic(String name, Parameter.Type type, float initial, int channels) {
        addParameter(Parameter.builder()
                .setName(name)
                .setType(type)
                .optInitializer(new ConstantInitializer(initial))
                .optShape(new Shape(channels))
                .optRequiresGrad(false)
                .build());
    }

    @Override
    protected NDList forwardInternal(
            ParameterStore store, NDList inputs, boolean training, PairList<String, Object> unused) {
        Map<String, NDArray> values = new HashMap<>();
        values.put(SegmentationNetwork.INPUT, inputs.singletonOrThrow());
        getDirectParameters()
                .forEach(parameter -> values.put(
                        parameter.getKey(),
                        store.getValue(
                                parameter.getValue(), inputs.singletonOrThrow().getDevice(), training)));
        for (Step step : steps) {
            values.put(step.name(), compute(step, values, training));
        }
        return new NDList(values.get(SegmentationNetwork.OUTPUT));
    }

    private static NDArray compute(Step step, Map<String, NDArray> values, boolean training) {
        NDArray input = values.get(step.inputs().get(0));
        NDArray weights = values.get(step.name() + "_weights");
        NDArray bias = values.get(step.name() + "_bias");
        if (step instanceof Step.Conv conv) {
            Shape stride = square(conv.window().stride());
            Shape padding = square(conv.window().padding());
            return Conv2d.conv2d(input, weights, bias, stride, padding, NO_DILATION, 1)
                    .singletonOrThrow();
        }
        if (step instanceof Step.TransposedConv conv) {
            return PolyphaseTransposedConv.apply(input, weights, bias, conv.window());
        }
        if (step instanceof Step.Norm) {
            return normalise(step.name(), input, values, training);
        }
        if (step instanceof Step.MaxPool) {
            Shape window = square(Step.MaxPool.SIZE);
            return Pool.maxPool2d(input, window, window, NO_PADDING, false);
        }
        if (step instanceof Step.Add) {
            return input.add(values.get(step.inputs().get(1)));
        }
        if (step instanceof Step.Concat) {
            return NDArrays.concat(new NDList(input, values.get(step.inputs().get(1))), 1);
        }
        if (step instanceof Step.Relu) {
            return ai.djl.nn.Activation.relu(input);
        }
        return input.softmax(1);
    }

    private static NDArray normalise(String name, NDArray input, Map<String, NDArray> values, boolean training) {
        return BatchNorm.batchNorm(
                        input,
                        values.get(name + "_mean"),
                        values.get(name + "_variance"),
                        values.get(name + "_scale"),
                        values.get(name + "_shift"),
                        1,
                        NORM_MOMENTUM,
                        EPSILON,
                        training)
                .singletonOrThrow();
    }

    private static Shape square(int side) {
        return new Shape(side, side);
    }

    @Override
    public Shape[] getOutputShapes(Shape[] inputs) {
        Shape image = inputs[0];
        return new Shape[] {new Shape(image.get(0), ShapeClass.values().length, image.get(2), image.get(3))};
    }
}
