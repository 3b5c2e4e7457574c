package org.clinfer.demo.training;

import ai.djl.Device;
import ai.djl.MalformedModelException;
import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Adam;
import ai.djl.training.tracker.Tracker;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A network under training; owns the library's model and trainer. */
final class Network implements AutoCloseable {

    private static final int WEIGHT_SEED = 20_240_229;
    private static final float LEARNING_RATE = 3e-3f;
    private static final float FINAL_LEARNING_RATE = 1e-5f;

    private final SegmentationBlock block = new SegmentationBlock(SegmentationNetwork.steps());
    private final Model model;
    private final Trainer trainer;

    private Network(int steps, Optional<Path> parameters) throws IOException {
        Engine.getInstance().setRandomSeed(WEIGHT_SEED);
        model = Model.newInstance("shapes", Device.cpu());
        model.setBlock(block);
        if (parameters.isPresent()) {
            load(parameters.get());
        }
        Tracker rate = Tracker.cosine()
                .setBaseValue(LEARNING_RATE)
                .optFinalValue(FINAL_LEARNING_RATE)
                .setMaxUpdates(steps)
                .build();
        // The loss is computed by learn(); the configuration only insists on having one.
        trainer = model.newTrainer(new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
                .optDevices(new Device[] {Device.cpu()})
                .optOptimizer(Adam.builder().optLearningRateTracker(rate).build()));
        int side = SegmentationNetwork.GRANULARITY;
        trainer.initialize(new Shape(1, 3, side, side));
    }

    /** An untrained network whose learning rate falls over the given number of steps. */
    static Network untrained(int steps) throws IOException {
        return new Network(steps, Optional.empty());
    }

    /** The network with saved parameters, and a learning rate that falls anew over the given number of steps. */
    static Network trained(int steps, Path parameters) throws IOException {
        return new Network(steps, Optional.of(parameters));
    }

    SegmentationBlock block() {
        return block;
    }

    NDManager newManager() {
        return trainer.getManager().newSubManager();
    }

    /** Takes one step towards the targets; returns the mean cross entropy per pixel before it. */
    float learn(Batch batch) {
        float loss;
        try (GradientCollector collector = trainer.newGradientCollector()) {
            NDArray scores = trainer.forward(new NDList(batch.images())).singletonOrThrow();
            NDArray entropy = scores.maximum(1e-7f)
                    .log()
                    .mul(batch.targets())
                    .sum(new int[] {1})
                    .mean()
                    .neg();
            collector.backward(entropy);
            loss = entropy.getFloat();
        }
        trainer.step();
        return loss;
    }

    /** Scores of each class at each pixel, batch x classes x size x size. */
    NDArray scores(NDArray images) {
        return trainer.evaluate(new NDList(images)).singletonOrThrow();
    }

    void save(Path file) throws IOException {
        try (DataOutputStream stream = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            block.saveParameters(stream);
        }
    }

    /** Reads saved parameters; only before the trainer takes them over. */
    private void load(Path file) throws IOException {
        try (DataInputStream stream = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            block.loadParameters(model.getNDManager(), stream);
        } catch (MalformedModelException e) {
            throw new IOException(file + ": not the parameters of this network", e);
        }
    }

    @Override
    public void close() {
        trainer.close();
        model.close();
    }
}
