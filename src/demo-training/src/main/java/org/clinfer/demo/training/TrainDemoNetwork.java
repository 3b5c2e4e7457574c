package org.clinfer.demo.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.imageio.ImageIO;

/**
 * Trains the demo network, prints how good it is on unseen scenes, and writes model, picture, labels and reference.
 * Arguments: number of training cycles, steps in a cycle, root folder of the repository, file for the trained parameters.
 * With 0 cycles the parameters are read from that file.
 */
final class TrainDemoNetwork {

    private static final int TRAINING_SIZE = 128;
    private static final int EXPORT_SIZE = 192;
    private static final int BATCH = 4;
    private static final int REPORT_EVERY = 250;
    private static final int HELD_OUT_SCENES = 200;
    /** Training scenes use the seeds from 0; held-out scenes and the picture come from far beyond them. */
    private static final long HELD_OUT_SEED = 1_000_000_000L;

    private static final long PICTURE_SEED = 2_000_000_004L;

    private TrainDemoNetwork() {}

    public static void main(String[] arguments) throws IOException {
        int cycles = Integer.parseInt(arguments[0]);
        int steps = Integer.parseInt(arguments[1]);
        Path root = Path.of(arguments[2]).normalize();
        Path parameters = Path.of(arguments[3]);
        for (int cycle = 0; cycle < cycles; cycle++) {
            trainCycle(cycle, steps, parameters);
        }
        try (Network network = Network.trained(1, parameters)) {
            for (int size : new int[] {TRAINING_SIZE, EXPORT_SIZE}) {
                Evaluation evaluation = Evaluation.of(network, size, HELD_OUT_SEED, HELD_OUT_SCENES);
                System.out.printf(
                        "%d held-out pictures of %dx%d: %s%n", HELD_OUT_SCENES, size, size, evaluation.report());
            }
            write(network, root);
        }
    }

    /** Lets the learning rate fall once from its top to almost nothing, on scenes no other cycle sees. */
    static void trainCycle(int cycle, int steps, Path parameters) throws IOException {
        try (Network network = cycle == 0 ? Network.untrained(steps) : Network.trained(steps, parameters)) {
            train(network, steps, (long) cycle * steps * BATCH);
            network.save(parameters);
        }
    }

    /** Trains on scenes of consecutive seeds; the next scenes are painted meanwhile. */
    private static void train(Network network, int steps, long firstSeed) {
        long start = System.nanoTime();
        double loss = 0;
        CompletableFuture<List<Scene>> painted = paint(firstSeed);
        for (int step = 1; step <= steps; step++) {
            List<Scene> scenes = painted.join();
            painted = paint(firstSeed + (long) step * BATCH);
            try (NDManager manager = network.newManager()) {
                loss += network.learn(Batch.of(manager, scenes));
            }
            if (step % REPORT_EVERY == 0) {
                double seconds = (System.nanoTime() - start) / 1e9;
                System.out.printf(Locale.ROOT, "step %d, loss %.4f, %.0f s%n", step, loss / REPORT_EVERY, seconds);
                loss = 0;
            }
        }
    }

    private static CompletableFuture<List<Scene>> paint(long firstSeed) {
        return CompletableFuture.supplyAsync(() -> LongStream.range(firstSeed, firstSeed + BATCH)
                .mapToObj(seed -> ScenePainter.paint(TRAINING_SIZE, seed))
                .toList());
    }

    private static void write(Network network, Path root) throws IOException {
        Path resources = Files.createDirectories(root.resolve("src/main/resources/org/clinfer/demo"));
        Path reference = Files.createDirectories(root.resolve("test-data/demo"));
        Files.write(resources.resolve("shapes.onnx"), OnnxExport.export(network.block(), "shapes", EXPORT_SIZE));
        Files.writeString(
                resources.resolve("labels.txt"),
                Arrays.stream(ShapeClass.values()).map(ShapeClass::label).collect(Collectors.joining("\n", "", "\n")));
        Scene scene = ScenePainter.paint(EXPORT_SIZE, PICTURE_SEED);
        ImageIO.write(scene.picture(), "png", resources.resolve("picture.png").toFile());
        try (NDManager manager = network.newManager()) {
            NDArray image = Batch.of(manager, List.of(scene)).images();
            NpyFile.write(reference.resolve("input_0.npy"), image);
            NpyFile.write(reference.resolve("output_0.npy"), network.scores(image));
        }
    }
}
