package org.clinfer.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.cli.image.ImageFile;
import org.clinfer.cli.image.Overlay;
import org.clinfer.cli.io.UnfinishedFiles;
import org.clinfer.image.Picture;
import org.clinfer.image.Preprocessing;
import org.clinfer.image.Segmentation;
import org.clinfer.report.TextTable;
import org.clinfer.tensor.Tensor;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the network that comes with the program on the picture that comes with it. */
@Command(
        name = "demo",
        description = "Finds shapes in a picture with the network that comes along, and paints what it found.")
final class DemoCommand implements Callable<Integer> {

    private static final String FOLDER = "/org/clinfer/demo/";
    private static final int REPEATS = 20;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Where to write the painted picture (default: clinfer-demo.png).")
    private Path output = Path.of("clinfer-demo.png");

    @Mixin
    private EngineSelection engines = new EngineSelection();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        Path folder = UnfinishedFiles.folder("clinfer-demo");
        try {
            Path model = unpack("shapes.onnx", folder);
            Picture picture = Picture.of(unpack("picture.png", folder));
            List<String> labels = Files.readAllLines(unpack("labels.txt", folder)).stream()
                    .filter(line -> !line.isBlank())
                    .toList();
            try (Engine engine = engines.open();
                    Model loaded = engine.load(model);
                    Session session = loaded.session()) {
                out().println(engine.deviceNote());
                show(session, loaded, picture, labels);
            }
        } finally {
            UnfinishedFiles.delete(folder);
        }
        return ExitCode.OK;
    }

    private void show(Session session, Model model, Picture picture, List<String> labels) throws IOException {
        Tensor image =
                Preprocessing.defaults().tensor(picture, model.inputs().get(0).type());
        Map<String, Tensor> inputs = Map.of(model.inputs().get(0).name(), image);
        long start = System.nanoTime();
        try (Result result = session.run(inputs)) {
            double first = milliseconds(start);
            Segmentation found = Segmentation.of(result.get(model.outputs().get(0)));
            PlacementText.lines(session.placement(), Screen.of(spec).width()).forEach(out()::println);
            found(found, labels).forEach(out()::println);
            out().println(String.format(
                    Locale.ROOT,
                    "first run %.1f ms, median of %d more %.2f ms",
                    first,
                    REPEATS,
                    median(session, inputs)));
            ImageFile.writePng(output, Overlay.paint(picture, found, labels));
            out().println("wrote " + output);
        }
    }

    private static List<String> found(Segmentation segmentation, List<String> labels) {
        TextTable table = new TextTable().row("found", "of the picture");
        double[] shares = segmentation.shares();
        for (int number = 0; number < shares.length; number++) {
            if (shares[number] > 0) {
                table.row("  " + Overlay.label(labels, number), Overlay.percent(shares[number]));
            }
        }
        return table.lines();
    }

    private static double median(Session session, Map<String, Tensor> inputs) {
        double[] times = new double[REPEATS];
        for (int i = 0; i < REPEATS; i++) {
            long start = System.nanoTime();
            session.run(inputs).close();
            times[i] = milliseconds(start);
        }
        Arrays.sort(times);
        return (times[REPEATS / 2 - 1] + times[REPEATS / 2]) / 2;
    }

    private static double milliseconds(long start) {
        return (System.nanoTime() - start) / 1e6;
    }

    private static Path unpack(String name, Path folder) throws IOException {
        try (InputStream resource = DemoCommand.class.getResourceAsStream(FOLDER + name)) {
            if (resource == null) {
                throw new IOException("this build has no " + FOLDER + name);
            }
            Path file = folder.resolve(name);
            Files.copy(resource, file, StandardCopyOption.REPLACE_EXISTING);
            return file;
        }
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
