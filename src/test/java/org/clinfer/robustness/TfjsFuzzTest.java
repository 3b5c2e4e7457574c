package org.clinfer.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.importer.tfjs.TfjsModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged TensorFlow.js models are refused as such or run, and so are those with damaged weights; the same cases every
 * time. {@code -Dfuzz.seconds=N} makes it longer and starts with a new seed, {@code -Dseed=N} begins with one.
 */
class TfjsFuzzTest {

    private static final int CASES = 1500;
    private static final boolean EXPLORING = Integer.getInteger("fuzz.seconds") != null;
    private static final int SECONDS = Integer.getInteger("fuzz.seconds", 15);

    static final List<String> VALUES = List.of(
            "[null,2,2]",
            "\"channels_first\"",
            "\"channels_last\"",
            "\"same\"",
            "\"valid\"",
            "\"causal\"",
            "\"relu\"",
            "\"softmax\"",
            "\"InputLayer\"",
            "\"Sequential\"",
            "\"Functional\"",
            "\"Conv2D\"",
            "\"Conv3DTranspose\"",
            "\"Dense\"",
            "\"Flatten\"",
            "\"GroupNormalization\"",
            "\"int32\"",
            "\"uint8\"",
            "\"../w.bin\"");

    private static final JsonMutator MUTATOR = new JsonMutator(VALUES);

    @TempDir
    Path folder;

    @Test
    @Timeout(value = 1000, unit = TimeUnit.SECONDS)
    void damagedModels() throws IOException {
        int refused = 0;
        int ran = 0;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        Path weights = folder.resolve(TfjsModel.WEIGHTS);
        Path file = folder.resolve("model.json");
        List<TfjsModel> models = models();
        try (Engine engine = FuzzTest.engine(new DeviceChoice.Cpu())) {
            Trial trial = new Trial(engine);
            for (TfjsModel model : models) {
                Trial.Outcome sound = trial.of(model.write(folder));
                assertThat(sound.refusal()).isEmpty();
                assertThat(sound.defect()).isEmpty();
            }
            long first = Long.getLong("seed", EXPLORING ? System.nanoTime() % 1_000_000_000 : 0);
            long last = EXPLORING ? Long.MAX_VALUE : first + CASES;
            for (long seed = first; seed < last && System.nanoTime() < end; seed++) {
                Random random = new Random(seed);
                TfjsModel model = models.get((int) (seed % models.size()));
                byte[] json = model.json().getBytes(StandardCharsets.UTF_8);
                Files.write(weights, seed % 7 == 0 ? new ModelMutator(seed).damage(model.data()) : model.data());
                Files.write(file, seed % 5 == 0 ? new ModelMutator(seed).damage(json) : MUTATOR.change(json, random));
                Trial.Outcome outcome = trial.of(file);
                assertThat(outcome.defect()).as("seed " + seed).isEmpty();
                if (outcome.refusal().isPresent()) {
                    refused++;
                } else {
                    ran++;
                }
            }
        }
        System.out.println("fuzz of TensorFlow.js models: " + refused + " refused, " + ran + " ran");
        assertThat(refused).isPositive();
        assertThat(ran).isPositive();
    }

    /** Small models that between them have every family of layers. */
    static List<TfjsModel> models() {
        return List.of(
                new TfjsModel()
                        .input("x", -1, 6, 5, 2)
                        .weight("c/kernel", 3, 3, 2, 4)
                        .weight("c/bias", 4)
                        .weight("n/gamma", 4)
                        .weight("n/beta", 4)
                        .weight("n/moving_mean", 4)
                        .weight("n/moving_variance", 4)
                        .weight("d/kernel", 24, 3)
                        .weight("d/bias", 3)
                        .layer("Conv2D", "c", "'filters':4,'kernel_size':[3,3],'strides':[1,1],'padding':'same'", "x")
                        .layer("BatchNormalization", "n", "'axis':[3],'epsilon':0.001", "c")
                        .layer("ReLU", "r", "'max_value':6.0,'negative_slope':0.0,'threshold':0.0", "n")
                        .layer("MaxPooling2D", "p", "'pool_size':[2,2],'strides':[2,2],'padding':'valid'", "r")
                        .layer("Flatten", "f", "'data_format':'channels_last'", "p")
                        .layer("Dropout", "o", "'rate':0.5", "f")
                        .layer("Dense", "d", "'units':3,'activation':'softmax'", "o"),
                new TfjsModel()
                        .input("x", -1, 4, 4, 3, 2)
                        .weight("c/kernel", 2, 2, 2, 2, 3)
                        .weight("t/kernel", 2, 2, 2, 2, 3)
                        .weight("t/bias", 2)
                        .layer(
                                "Conv3D",
                                "c",
                                "'filters':3,'kernel_size':[2,2,2],'strides':[2,2,2],'use_bias':false",
                                "x")
                        .layer("Activation", "a", "'activation':'gelu'", "c")
                        .layer("Conv3DTranspose", "t", "'filters':2,'kernel_size':[2,2,2],'strides':[2,2,2]", "a")
                        .layer("Cropping3D", "k", "'cropping':[[1,0],[0,0],[0,0]]", "t")
                        .layer("GlobalAveragePooling3D", "g", "", "k"),
                new TfjsModel()
                        .input("x", -1, 4, 4, 4)
                        .input("y", -1, 4)
                        .weight("s/depthwise_kernel", 3, 3, 4, 1)
                        .weight("s/pointwise_kernel", 1, 1, 4, 4)
                        .weight("s/bias", 4)
                        .weight("w/depthwise_kernel", 3, 3, 4, 1)
                        .weight("g/gamma", 4)
                        .weight("g/beta", 4)
                        .layer("SeparableConv2D", "s", "'kernel_size':3,'padding':'same','filters':4", "x")
                        .layer("DepthwiseConv2D", "w", "'kernel_size':3,'padding':'same','use_bias':false", "s")
                        .layer("GroupNormalization", "g", "'groups':2,'axis':-1", "w")
                        .layer("Multiply", "m", "", "g", "y")
                        .layer("Concatenate", "j", "'axis':-1", "m", "x")
                        .layer("ZeroPadding2D", "z", "'padding':[[1,0],[2,1]]", "j")
                        .layer("UpSampling2D", "u", "'size':[2,1],'interpolation':'bilinear'", "z")
                        .layer("Reshape", "r", "'target_shape':[-1,8]", "u")
                        .layer("Permute", "p", "'dims':[2,1]", "r")
                        .outputs("p", "m"));
    }
}
