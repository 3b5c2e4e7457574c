package org.clinfer.importer.darknet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.importer.FieldCase;
import org.clinfer.importer.FieldsContract;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Every option that darknet knows for a layer changes the result, is refused by its name, or is one of training. */
class OptionsTest extends FieldsContract {

    /** Options of layers that matter in training and for what is drawn of the result. */
    private static final Set<String> OF_TRAINING = Set.of(
            "absolute",
            "angle",
            "beta_nms",
            "bias_match",
            "class_scale",
            "cls_normalizer",
            "delta_normalizer",
            "coord_scale",
            "counters_per_class",
            "dropblock",
            "dropblock_size_abs",
            "dropblock_size_rel",
            "exposure",
            "flip",
            "focal_loss",
            "forced",
            "ignore_thresh",
            "iou_loss",
            "iou_normalizer",
            "iou_thresh",
            "iou_thresh_kind",
            "jitter",
            "label_smooth_eps",
            "log",
            "map",
            "max",
            "max_boxes",
            "max_delta",
            "nms_kind",
            "noloss",
            "noobj",
            "noobject_scale",
            "obj_normalizer",
            "object_scale",
            "objectness_smooth",
            "probability",
            "random",
            "ratio",
            "reorg",
            "rescore",
            "resize",
            "saturation",
            "shift",
            "smooth",
            "sqrt",
            "stopbackward",
            "truth_thresh",
            "type",
            "uc_normalizer");

    OptionsTest() throws IOException {
        super("darknet");
    }

    @Override
    protected String name(String option) {
        return option.substring(0, option.indexOf('='));
    }

    /** Whether the option is one that the layer has with another value, which may not fit what it is given. */
    private boolean isGiven(FieldCase of, String name) {
        return of.given().stream().anyMatch(given -> name(given).equals(name));
    }

    @Override
    protected boolean isWithoutEffect(FieldCase of, String name) {
        // the anchors count themselves, but those of detection, which has none
        return OF_TRAINING.contains(name) || (name.equals("num") && !of.type().equals("detection"));
    }

    @Override
    protected boolean isAbout(String refusal, FieldCase of, String option) {
        return super.isAbout(refusal, of, option) || isGiven(of, name(option));
    }

    @Override
    protected String foreign() {
        return "foreign=1";
    }

    private static String net(FieldCase of, List<String> options) {
        int side = of.type().equals("detection") ? 2 : 4;
        // scale_channels multiplies its input by what comes before: one number for each channel
        String before = of.type().equals("scale_channels") ? "[avgpool]\n" : "[activation]\nactivation=tanh\n";
        // what is kept of the state before the first step, which is 0, shows in the second one
        String steps = of.type().matches("c?rnn|conv_lstm") ? "time_steps=2\n" : "";
        return "[net]\n" + steps + "channels=" + of.number(0) + "\nheight=" + side + "\nwidth=" + side
                + "\n[activation]\nactivation=tanh\n" + before + "[" + of.type() + "]\n" + String.join("\n", options)
                + "\n";
    }

    /** The result with random weights. */
    @Override
    protected String results(FieldCase of, List<String> options) throws IOException {
        Path file = Files.writeString(folder.resolve("net.cfg"), net(of, options));
        Path weights = folder.resolve("net.weights");
        Files.deleteIfExists(weights);
        Files.write(weights, weights(Importers.builtIn().read(file)));
        try (Model model = engine().load(file);
                Session session = model.session();
                Result result = session.run(Map.of("data", picture(model.graph())))) {
            return text(result.outputs());
        }
    }

    /** As many numbers as are unknown without them. */
    private static byte[] weights(Graph graph) {
        long count = graph.nodes().stream()
                .filter(node -> node.op().equals("ConstantOfShape"))
                .map(node -> graph.constants().get(node.inputs().get(0)))
                .mapToLong(sizes -> Arrays.stream(Objects.requireNonNull(sizes).toLongArray())
                        .reduce(1, (a, b) -> a * b))
                .sum();
        ByteBuffer bytes = ByteBuffer.allocate(20 + 4 * Math.toIntExact(count)).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(0).putInt(2).putInt(0).putLong(0);
        Random random = new Random(7);
        while (bytes.hasRemaining()) {
            bytes.putFloat(0.5f + random.nextFloat());
        }
        return bytes.array();
    }

    private static Tensor picture(Graph graph) {
        Tensor x = Tensor.allocate(graph.inputs().get(0).type());
        Random random = new Random(5);
        for (long i = 0; i < x.elements(); i++) {
            x.setDouble(i, 4 * random.nextDouble() - 2);
        }
        return x;
    }

    @Test
    void shortcutsWeighWhatTheyAdd() throws IOException {
        Path file = Files.writeString(folder.resolve("net.cfg"), """
                [net]
                channels=1
                height=1
                width=2
                [activation]
                activation=relu
                [activation]
                activation=hardtan
                [shortcut]
                from=-2
                alpha=3
                beta=0.5
                """);
        try (Model model = engine().load(file);
                Session session = model.session();
                Result result = session.run(Map.of("data", Tensor.of(new float[] {4, 0.5f}, 1, 1, 1, 2)))) {
            // 3 times the layer before, and half of the one before that
            assertThat(result.outputs().values())
                    .singleElement()
                    .satisfies(y -> assertThat(y.toFloatArray()).containsExactly(5, 1.75f));
        }
    }
}
