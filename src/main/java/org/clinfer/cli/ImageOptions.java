package org.clinfer.cli;

import java.util.List;
import org.clinfer.cli.image.Channels;
import org.clinfer.cli.image.Fit;
import org.clinfer.cli.image.ImageLayout;
import org.clinfer.cli.image.ImageRecipe;
import picocli.CommandLine.Option;

/** Options for making tensors of pictures given as inputs. */
final class ImageOptions {

    @Option(
            names = "--resize",
            paramLabel = "stretch|crop|letterbox|none",
            description =
                    "How a picture is brought to the model's size (default: stretch): each side on its own, scaled"
                            + " and cut at the centre, scaled with black bars, or not at all.")
    private Fit fit = ImageRecipe.DEFAULT.fit();

    @Option(
            names = "--scale",
            paramLabel = "S",
            description = "Pixels (0 to 255) become (pixel * S - mean) / std; default: 1/255.")
    private float scale = ImageRecipe.DEFAULT.scale();

    @Option(
            names = "--mean",
            split = ",",
            paramLabel = "M",
            description = "One number, or one per channel in the model's order (default: 0).")
    private List<Float> mean = ImageRecipe.DEFAULT.mean();

    @Option(names = "--std", split = ",", paramLabel = "D", description = "As --mean (default: 1).")
    private List<Float> deviation = ImageRecipe.DEFAULT.deviation();

    @Option(
            names = "--color",
            paramLabel = "rgb|bgr|gray",
            description = "Colours the model expects (default: gray for one channel, rgb for three).")
    private Channels channels = Channels.AUTO;

    @Option(names = "--invert", description = "Replace each pixel by 255 minus itself first.")
    private boolean invert;

    @Option(
            names = "--layout",
            paramLabel = "auto|nchw|nhwc",
            description = "Where the channels stand (default: auto, told from the input's shape).")
    private ImageLayout layout = ImageLayout.AUTO;

    ImageRecipe recipe() {
        try {
            return new ImageRecipe(fit, channels, layout, scale, mean, deviation, invert);
        } catch (IllegalArgumentException wrong) {
            throw new UsageException("--mean, --std: " + wrong.getMessage());
        }
    }
}
