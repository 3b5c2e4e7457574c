package org.clinfer.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.image.Labels;
import org.clinfer.image.Preprocessing;
import org.clinfer.image.ValueRange;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a network once. */
@Command(name = "run", description = "Runs a network on files and shows or stores what comes out.")
final class RunCommand implements Callable<Integer> {

    private static final int DEFAULT_TOP = 5;

    @Parameters(paramLabel = "MODEL", description = "Model file, or a folder with one.")
    private Path model = Path.of("");

    @Option(
            names = "--input",
            paramLabel = "[NAME=]FILE",
            description =
                    "An input: .npy, .pb (ONNX TensorProto), a picture (.png .jpg .bmp .gif .pgm .ppm .tif .webp), or"
                            + " [1x3x224x224:]random[:SEED], zeros or a number for all elements. NAME may be left out if the"
                            + " model has one input; random, zeros or a number without NAME is for all that are not named. An open batch"
                            + " is 1.")
    private List<String> inputs = List.of();

    @Mixin
    private ImageOptions imageOptions = new ImageOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description = "Store each output as NAME.npy, and as NAME.png where it is a picture.")
    private Optional<Path> folder = Optional.empty();

    @Option(
            names = "--image-range",
            paramLabel = "auto|0..1|0..255|-1..1|minmax",
            description = "Values shown as black and white in pictures (default: auto, told from the values).")
    private ValueRange range = ValueRange.AUTO;

    @Option(names = "--top", paramLabel = "K", description = "Print the K largest elements of the last vector.")
    private Optional<Integer> top = Optional.empty();

    @Option(
            names = "--labels",
            paramLabel = "FILE",
            description = "Names for --top, one a line; without --top for the 5 largest.")
    private Optional<Path> labels = Optional.empty();

    @Option(names = "--time", description = "Print how long loading, planning and the first run took.")
    private boolean time;

    @Option(names = "--placement", description = "Print where each node runs, and why not on the device.")
    private boolean placement;

    @Mixin
    private PrecisionSelection engines = new PrecisionSelection();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        Path file = ModelPath.require(model);
        if (top.isPresent() && top.get() < 1) {
            throw new UsageException("--top must be at least 1, but is " + top.get());
        }
        List<String> names = labels.isPresent() ? Labels.read(labels.get()).names() : List.of();
        Preprocessing recipe = imageOptions.recipe();
        long start = System.nanoTime();
        try (Engine engine = engines.open();
                Model loaded = engine.load(file)) {
            long ready = System.nanoTime();
            if (folder.isPresent()) {
                OutputFiles.requireApart(folder.get(), loaded.outputs(), OutputPlaces.inputs(spec));
            }
            InputArguments arguments = new InputArguments(loaded, recipe);
            Map<String, Tensor> tensors = arguments.read(inputs);
            imageOptions.requirePictures(arguments.hasPictures());
            if (engines.isTraced()) { // shares of both are told in the trace
                engine.deviceSpeed();
                engines.tellHostPeak();
            }
            try (Session session = loaded.session()) {
                double loading = milliseconds(start, ready);
                run(
                        session,
                        loaded.isStaged() || loaded.graph().specializations().isPresent(),
                        tensors,
                        names,
                        loading);
                if (engines.isTraced() && engine.device().isPresent()) {
                    session.profile(tensors); // and in it the nodes of chains one by one
                }
            }
            if (time) {
                out().println(engine.deviceNote());
            }
        }
        return ExitCode.OK;
    }

    private void run(Session session, boolean staged, Map<String, Tensor> tensors, List<String> names, double loading)
            throws IOException {
        long start = System.nanoTime();
        Map<String, TensorType> types = new LinkedHashMap<>();
        tensors.forEach((name, tensor) -> types.put(name, tensor.type()));
        if ((time || placement) && !staged) {
            session.placement(types);
        }
        long planned = System.nanoTime();
        try (Result result = result(session, tensors)) {
            long finished = System.nanoTime();
            try { // whatever cannot be shown, the rest of what was computed is given
                show(result.outputs(), names);
            } finally {
                if (placement) {
                    PlacementText.lines(session.placement(), Screen.of(spec).width())
                            .forEach(out()::println);
                }
                if (time) {
                    out().println(String.format(
                            Locale.ROOT,
                            "load %.1f ms, plan %.1f ms, first run %.1f ms",
                            loading,
                            milliseconds(start, planned),
                            milliseconds(planned, finished)));
                }
            }
        }
    }

    private Result result(Session session, Map<String, Tensor> tensors) {
        try (Progress progress = Progress.of(spec)) {
            progress.show(model.toString());
            return session.run(tensors);
        }
    }

    private void show(Map<String, Tensor> outputs, List<String> names) throws IOException {
        OutputText.summary(outputs).forEach(out()::println);
        try {
            if (top.isPresent() || labels.isPresent()) {
                OutputText.largest(outputs, top.orElse(DEFAULT_TOP), names).forEach(out()::println);
            }
        } finally {
            if (folder.isPresent()) {
                for (Path file : OutputFiles.write(folder.get(), outputs, range)) {
                    out().println("wrote " + file);
                }
            }
        }
    }

    private static double milliseconds(long from, long to) {
        return (to - from) / 1e6;
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
