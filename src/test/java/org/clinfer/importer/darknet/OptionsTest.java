package org.clinfer.importer.darknet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every option that darknet knows for a layer changes the result, is refused by its name, or is one of training. */
class OptionsTest {

    /** Options of layers that matter in training and for what is drawn of the result. */
    private static final Set<String> OF_TRAINING = Set.of(
            "absolute",
            "angle",
            "beta_nms",
            "bias_match",
            "class_scale",
            "cls_normalizer",
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
            "num",
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
            "type");

    /** A layer with what it needs, the channels it takes, and other values of all its options. */
    private record Layer(String type, String given, int channels, List<String> others) {
        Layer(String type, String given, int channels, String... others) {
            this(type, given, channels, List.of(others));
        }
    }

    private static final List<Layer> LAYERS = List.of(
            new Layer(
                    "convolutional",
                    "filters=4\nsize=3\npad=1\nactivation=linear",
                    4,
                    "filters=2",
                    "size=1",
                    "stride=2",
                    "stride_x=2",
                    "stride_y=2",
                    "dilation=2",
                    "groups=2",
                    "pad=0",
                    "batch_normalize=1",
                    "activation=leaky",
                    "binary=1",
                    "xnor=1",
                    "flipped=1",
                    "antialiasing=1",
                    "dot=1",
                    "share_index=0",
                    "deform=1",
                    "rotate=1",
                    "assisted_excitation=1",
                    "normalize_channels=1",
                    "stopbackward=1"),
            new Layer("convolutional", "filters=4\nsize=3\nactivation=linear", 4, "padding=1"),
            new Layer(
                    "connected",
                    "output=3\nactivation=linear",
                    4,
                    "output=2",
                    "activation=relu",
                    "batch_normalize=1",
                    "flipped=1"),
            new Layer(
                    "local",
                    "filters=2\nsize=3\npad=1\nactivation=linear",
                    4,
                    "filters=1",
                    "size=1",
                    "stride=2",
                    "pad=0",
                    "activation=relu"),
            new Layer(
                    "maxpool",
                    "size=2\nstride=2",
                    4,
                    "size=3",
                    "stride=1",
                    "stride_x=1",
                    "stride_y=1",
                    "padding=3",
                    "maxpool_depth=1",
                    "out_channels=2",
                    "antialiasing=1"),
            new Layer("avgpool", "", 4, "antialiasing=1", "size=2"),
            new Layer("upsample", "stride=2", 4, "stride=3", "scale=2"),
            new Layer("route", "layers=-1", 4, "layers=-1,-1", "groups=2", "stream=1"),
            new Layer("route", "layers=-1\ngroups=2", 4, "group_id=1"),
            new Layer(
                    "shortcut",
                    "from=-1\nactivation=linear",
                    4,
                    "alpha=2",
                    "beta=2",
                    "activation=relu",
                    "weights_type=per_feature",
                    "weights_normalization=softmax",
                    "assisted_excitation=1"),
            new Layer("sam", "from=-1\nactivation=linear", 4, "activation=logistic"),
            new Layer("scale_channels", "from=-1", 4, "scale_wh=1", "activation=logistic"),
            new Layer("reorg", "stride=2", 16, "stride=1", "reverse=1", "flatten=1", "extra=1"),
            new Layer("dropout", "probability=.5", 4, "probability=.1", "dropblock=1", "dropblock_size_abs=2"),
            new Layer(
                    "softmax",
                    "groups=1",
                    4,
                    "groups=2",
                    "temperature=2",
                    "tree=a.tree",
                    "spatial=1",
                    "noloss=1",
                    "joint=1"),
            new Layer(
                    "crop",
                    "crop_height=2\ncrop_width=2",
                    4,
                    "crop_height=1",
                    "crop_width=1",
                    "noadjust=1",
                    "flip=1",
                    "angle=9",
                    "saturation=2",
                    "exposure=2",
                    "shift=1"),
            new Layer("cost", "", 4, "type=L1", "ratio=1", "noobj=1", "smooth=1"),
            new Layer("activation", "activation=relu", 4, "activation=tanh"),
            new Layer(
                    "detection",
                    "classes=2\nside=2\nnum=1\ncoords=3",
                    6,
                    "softmax=1",
                    "rescore=1",
                    "sqrt=1",
                    "object_scale=2",
                    "noobject_scale=2",
                    "class_scale=2",
                    "coord_scale=2",
                    "jitter=1",
                    "forced=1",
                    "random=1",
                    "max=9",
                    "reorg=1",
                    "absolute=1",
                    "classes=1",
                    "side=1",
                    "num=2",
                    "coords=4"),
            new Layer(
                    "region",
                    "classes=2\nnum=1\nanchors=1,2",
                    7,
                    "softmax=1",
                    "anchors=2,2",
                    "classes=1",
                    "coords=5",
                    "background=1",
                    "tree=a.tree",
                    "mask=0",
                    "bias_match=1",
                    "jitter=1",
                    "rescore=1",
                    "object_scale=2",
                    "noobject_scale=2",
                    "class_scale=2",
                    "coord_scale=2",
                    "absolute=1",
                    "random=1",
                    "log=1",
                    "sqrt=1"),
            new Layer(
                    "yolo",
                    "classes=2\nnum=2\nanchors=1,2, 3,3\nmask=0",
                    7,
                    "anchors=2,2, 3,3",
                    "mask=1",
                    "classes=1",
                    "thresh=0",
                    "scale_x_y=1.5",
                    "new_coords=1",
                    "track_history_size=1",
                    "embedding_layer=1",
                    "truth_thresh=1",
                    "ignore_thresh=.5",
                    "iou_thresh=.5",
                    "iou_loss=ciou",
                    "iou_normalizer=2",
                    "obj_normalizer=2",
                    "cls_normalizer=2",
                    "max_delta=1",
                    "nms_kind=greedynms",
                    "beta_nms=.6",
                    "label_smooth_eps=.1",
                    "objectness_smooth=1",
                    "focal_loss=1",
                    "counters_per_class=1,2",
                    "jitter=1",
                    "resize=2",
                    "random=1",
                    "max=9",
                    "map=a.map"));

    private static final String REFUSED = "refused: ";

    @TempDir
    Path folder;

    /** Whether the option is one that the layer has with another value, which may not fit what it is given. */
    private static boolean isStructural(Layer layer, String option) {
        return List.of(layer.given().split("\n", -1)).stream().anyMatch(given -> given.startsWith(name(option) + "="));
    }

    private static String name(String option) {
        return option.substring(0, option.indexOf('='));
    }

    private static String net(Layer layer, String options) {
        int side = layer.type().equals("detection") ? 2 : 4;
        // scale_channels multiplies its input by what comes before: one number for each channel
        String before = layer.type().equals("scale_channels") ? "[avgpool]\n" : "[activation]\nactivation=linear\n";
        return "[net]\nchannels=" + layer.channels() + "\nheight=" + side + "\nwidth=" + side
                + "\n[activation]\nactivation=tanh\n" + before + "[" + layer.type() + "]\n" + options + "\n";
    }

    /** The result with random weights, or the refusal. */
    private String outcome(String text) throws IOException {
        try {
            return result(Files.writeString(folder.resolve("net.cfg"), text));
        } catch (GraphException refusal) {
            return REFUSED + refusal.getMessage();
        }
    }

    private String result(Path file) throws IOException {
        Path weights = folder.resolve("net.weights");
        Files.deleteIfExists(weights);
        Files.write(weights, weights(Importers.builtIn().read(file)));
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(file);
                Session session = model.session();
                Result result = session.run(Map.of("data", picture(model.graph())))) {
            return result.outputs().values().stream()
                    .map(y -> y + " " + Arrays.toString(y.toFloatArray()))
                    .toList()
                    .toString();
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
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(file);
                Session session = model.session();
                Result result = session.run(Map.of("data", Tensor.of(new float[] {4, 0.5f}, 1, 1, 1, 2)))) {
            // 3 times the layer before, and half of the one before that
            assertThat(result.outputs().values())
                    .singleElement()
                    .satisfies(y -> assertThat(y.toFloatArray()).containsExactly(5, 1.75f));
        }
    }

    @Test
    void everyOptionChangesTheResultOrIsRefused() throws IOException {
        List<String> ignored = new ArrayList<>();
        for (Layer layer : LAYERS) {
            String before = outcome(net(layer, layer.given()));
            assertThat(before).as(layer.type()).doesNotStartWith(REFUSED);
            for (String other : layer.others()) {
                String rest = Stream.of(layer.given().split("\n", -1))
                        .filter(option -> !option.startsWith(name(other) + "="))
                        .reduce("", (a, b) -> a + b + "\n");
                String after = outcome(net(layer, rest + other));
                boolean isTold = after.startsWith(REFUSED)
                        ? after.contains(name(other)) || isStructural(layer, other)
                        : !after.equals(before);
                if (!isTold && !OF_TRAINING.contains(name(other))) {
                    ignored.add(layer.type() + " " + other + ": " + after);
                }
            }
        }
        assertThat(ignored).isEmpty();
    }
}
