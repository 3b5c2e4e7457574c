package org.clinfer.cli;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.clinfer.image.Channels;
import org.clinfer.image.Fit;
import org.clinfer.image.ImageLayout;
import org.clinfer.image.Preprocessing;
import org.clinfer.image.Resampling;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options for making tensors of pictures given as inputs. */
final class ImageOptions {

    private static final Set<String> NAMES = Set.of(
            "--resize",
            "--resample",
            "--shortest-side",
            "--padding",
            "--scale",
            "--mean",
            "--std",
            "--color",
            "--invert",
            "--layout");

    @Option(
            names = "--resize",
            paramLabel = "stretch|crop|letterbox|none",
            description =
                    "How a picture is brought to the model's size (default: stretch): each side on its own, scaled"
                            + " and cut at the centre, scaled with bars, or not at all.")
    private Fit fit = Preprocessing.defaults().fit();

    @Option(
            names = "--resample",
            paramLabel = "antialiased|bilinear",
            description = "How its pixels are (default: antialiased, as Pillow does; bilinear is as OpenCV does).")
    private Resampling resampling = Preprocessing.defaults().resampling();

    @Option(
            names = "--shortest-side",
            paramLabel = "PIXELS",
            description = "With --resize crop: the shortest side before the cut (default: as short as can be).")
    private Optional<Integer> shortestSide = Optional.empty();

    @Option(
            names = "--padding",
            paramLabel = "P",
            description = "With --resize letterbox: the pixel value of the bars, 0 to 255 (default: 0).")
    private Optional<Float> padding = Optional.empty();

    @Option(
            names = "--scale",
            paramLabel = "S",
            description = "Pixels (0 to 255) become (pixel * S - mean) / std; default: 1/255, for integers 1.")
    private Optional<Float> scale = Optional.empty();

    @Option(
            names = "--mean",
            split = ",",
            paramLabel = "M",
            description = "One number, or one per channel in the model's order (default: 0).")
    private List<Float> mean = Preprocessing.defaults().mean();

    @Option(names = "--std", split = ",", paramLabel = "D", description = "As --mean (default: 1).")
    private List<Float> deviation = Preprocessing.defaults().std();

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

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    /** Refuses options that nothing would heed, for there is no picture among the inputs. */
    void requirePictures(boolean hasPictures) {
        if (hasPictures) {
            return;
        }
        command.commandLine().getParseResult().matchedOptions().stream()
                .map(option -> option.longestName())
                .filter(NAMES::contains)
                .findFirst()
                .ifPresent(name -> {
                    throw new UsageException(name + " is for pictures, and no input is one");
                });
    }

    Preprocessing recipe() {
        if (shortestSide.isPresent() && fit != Fit.CROP) {
            throw new UsageException("--shortest-side needs --resize crop");
        }
        if (padding.isPresent() && fit != Fit.LETTERBOX) {
            throw new UsageException("--padding needs --resize letterbox");
        }
        Preprocessing defaults = Preprocessing.defaults();
        Preprocessing sized = accepted(
                "--shortest-side",
                () -> shortestSide.map(defaults::withShortestSide).orElse(defaults));
        Preprocessing padded =
                accepted("--padding", () -> padding.map(sized::withPadding).orElse(sized));
        return accepted(
                "--std",
                () -> new Preprocessing(
                        fit,
                        resampling,
                        padded.shortestSide(),
                        padded.padding(),
                        channels,
                        layout,
                        scale,
                        mean,
                        deviation,
                        invert));
    }

    private static Preprocessing accepted(String option, Supplier<Preprocessing> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException wrong) {
            throw new UsageException(option + ": " + wrong.getMessage());
        }
    }
}
