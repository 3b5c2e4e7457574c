package org.clinfer.importer.caffe;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.FieldCase;
import org.clinfer.importer.FieldsContract;
import org.clinfer.importer.caffe.proto.FillerParameter;
import org.clinfer.importer.caffe.proto.LayerParameter;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Every field that Caffe knows for a layer's parameters changes the result, or is refused by its name. */
class CaffeFieldsTest extends FieldsContract {

    /** Fields that change no result of any layer, each with the reason. */
    private static final Map<String, String> WITHOUT_EFFECT = Map.ofEntries(
            Map.entry("engine", "which library computes"),
            Map.entry("force_nd_im2col", "how it is computed"),
            Map.entry("cudnn_convolution_algo", "how it is computed"),
            Map.entry("cudnn_convolution_algo_seeker", "how it is computed"),
            Map.entry("stable_prod_grad", "how gradients are computed"),
            Map.entry("moving_average_fraction", "training"),
            Map.entry("momentum", "training"),
            Map.entry("frozen", "training"),
            Map.entry("update_global_stats", "training"),
            Map.entry("icnet", "how it is computed"),
            Map.entry("blobs_lr", "training"),
            Map.entry("weight_decay", "training"),
            Map.entry("weight_filler", "the weights are there"),
            Map.entry("bias_filler", "the weights are there"),
            Map.entry("scale_filler", "the weights are there"),
            Map.entry("shift_filler", "the weights are there"),
            Map.entry("slope_filler", "the weights are there"),
            Map.entry("filler", "the weights are there"),
            Map.entry("dropout_ratio", "nothing is dropped at inference"),
            Map.entry("do_abs", "it is for differences, which are refused"),
            Map.entry("debug_info", "what is logged"),
            Map.entry("save_output_param", "files beside the result"),
            Map.entry("visualize", "pictures beside the result"),
            Map.entry("visualize_threshold", "pictures beside the result"),
            Map.entry("save_file", "files beside the result"),
            Map.entry("augment_during_test", "it is for random changes, of which there are none"),
            Map.entry("max_multiplier", "it is for random changes, of which there are none"),
            Map.entry("write_augmented", "files beside the result"),
            Map.entry("write_mean", "files beside the result"));

    /** Fields that say what the weights, bottoms or programs must be, which are other ones then. */
    private static final Set<String> OF_SHAPES = Set.of(
            "Convolution num_output",
            "Convolution kernel_size",
            "Convolution kernel_h",
            "Convolution kernel_w",
            "ConvolutionDepthwise num_output",
            "ConvolutionDepthwise kernel_size",
            "DepthwiseConvolution num_output",
            "DepthwiseConvolution kernel_size",
            "Deconvolution num_output",
            "Deconvolution kernel_size",
            "Deconvolution group",
            "Embed num_output",
            "Embed input_dim",
            "Embed bias_term",
            "InnerProduct num_output",
            "InnerProduct axis",
            "LSTM num_output",
            "RNN num_output",
            "PReLU channel_shared",
            "Python module",
            "Python layer",
            "BatchNorm scale_bias",
            "Scale bias_term",
            "DetectionOutput share_location");

    /** Layers that stand for what the caller supplies. */
    private static final Set<String> OF_SOURCES = Set.of("input_param", "memory_data_param");

    CaffeFieldsTest() throws IOException {
        super("caffe");
    }

    /** The name of the message of a layer's parameters. */
    private static String param(FieldCase of) {
        return of.cells().get(0);
    }

    @Override
    protected String name(String field) {
        return field.replaceFirst("\\s*[:{].*", "");
    }

    @Override
    protected boolean isWithoutEffect(FieldCase of, String name) {
        return WITHOUT_EFFECT.containsKey(name);
    }

    @Override
    protected boolean isAbout(String refusal, FieldCase of, String field) {
        return super.isAbout(refusal, of, field)
                || refusal.contains("'" + param(of) + "'")
                || OF_SHAPES.contains(of.type() + " " + name(field));
    }

    @Override
    protected String foreign() {
        return "foreign: 1";
    }

    /** Boxes for layers that look at parts of pictures, otherwise numbers from {@code least} on, by 16 more at most. */
    private static float[] numbers(FieldCase layer, int input, long[] dims, float least) {
        float[] numbers = new float[elements(dims)];
        Random random = new Random(input + 3L);
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = least + 16 * random.nextFloat();
        }
        float[] corners = switch (layer.type() + input) {
            case "ROIPooling1", "PSROIPooling1" -> new float[] {0, 0, 0, 3, 3, 0, 1, 1, 5, 4};
            case "Embed0" -> new float[] {0, 2, 1, 2};
            case "Proposal2" -> new float[] {12, 12, 1};
            case "DetectionOutput0" -> new float[] {.1f, 0, .1f, 0, 0, .1f, 0, .1f, .1f, 0, 0, .1f, 0, .1f, .1f, 0};
            case "DetectionOutput1" -> new float[] {.2f, .5f, .3f, .1f, .6f, .3f, .3f, .4f, .3f, .1f, .2f, .7f};
            case "DetectionOutput2" ->
                new float[] {
                    .1f, .1f, .5f, .5f, .15f, .12f, .55f, .5f, .3f, .3f, .9f, .8f, .5f, .5f, 1.1f, .9f,
                    .1f, .1f, .2f, .2f, .1f, .1f, .2f, .2f, .1f, .1f, .2f, .2f, .1f, .1f, .2f, .2f
                };
            default -> numbers;
        };
        return corners;
    }

    private CaffeNet net(FieldCase layer, String fields, Map<String, Tensor> inputs) {
        StringBuilder text = new StringBuilder();
        StringBuilder bottoms = new StringBuilder();
        StringBuilder before = new StringBuilder();
        boolean masked = layer.cells().get(1).equals("mask");
        List<String> given = masked ? List.of("1,2,6,6") : layer.parts(1);
        for (int i = 0; i < given.size(); i++) {
            text.append("input: 'x").append(i).append("' input_shape {");
            LongStream.of(longs(given.get(i)))
                    .forEach(dim -> text.append(" dim: ").append(dim));
            text.append(" }\n");
            bottoms.append(" bottom: 'x").append(i).append('\'');
            float[] numbers = numbers(layer, i, longs(given.get(i)), -8);
            inputs.put("x" + i, Tensor.of(numbers, longs(given.get(i))));
        }
        if (masked) {
            before.append("layer { name: 'p' type: 'Pooling' bottom: 'x0' top: 'p' top: 'm'");
            before.append(" pooling_param { kernel_size: 2 stride: 2 } }\n");
            bottoms.setLength(0);
            bottoms.append(" bottom: 'p' bottom: 'm'");
        }
        if (layer.number(2) == 0) {
            before.append("layer { name: 'a' type: 'AbsVal' bottom: 'x0' top: 'a' }\n");
        }
        text.append(before)
                .append("layer { name: 'l' type: '")
                .append(layer.type())
                .append('\'')
                .append(bottoms);
        for (int i = 0; i < layer.number(2); i++) {
            text.append(" top: 'y").append(i).append('\'');
        }
        text.append(fields).append(" }\n");
        CaffeNet net = CaffeNet.of(text.toString());
        int number = 10;
        for (String blob : layer.parts(3)) {
            net.blob("l", numbers(layer, number++, longs(blob), .5f), longs(blob));
        }
        return net;
    }

    @Override
    protected String results(FieldCase of, List<String> fields) throws IOException {
        return results(of, fields, "");
    }

    private String results(FieldCase of, List<String> fields, String beside) throws IOException {
        Map<String, Tensor> inputs = new LinkedHashMap<>();
        Files.deleteIfExists(folder.resolve("net.caffemodel"));
        String given = fields.isEmpty() ? "" : " " + param(of) + " { " + String.join(" ", fields) + " }";
        return text(CaffeNet.run(engine(), net(of, given + beside, inputs).write(folder, "net"), inputs));
    }

    /** The fields of a message, and those of its messages. */
    private static Set<String> fields(Descriptor message) {
        Set<String> names = new TreeSet<>();
        for (FieldDescriptor field : message.getFields()) {
            names.add(field.getName());
            boolean own = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                    && !field.getMessageType().equals(FillerParameter.getDescriptor());
            if (own) {
                names.addAll(fields(field.getMessageType()));
            }
        }
        return names;
    }

    @Test
    void everyTypeAndEveryFieldOfTheFormatHasACase() {
        assertThat(types()).isEqualTo(CaffeTranslation.LAYERS.types());
        for (FieldDescriptor param : LayerParameter.getDescriptor().getFields()) {
            if (!param.getName().endsWith("_param") || OF_SOURCES.contains(param.getName())) {
                continue;
            }
            String tried = cases().stream()
                    .filter(layer -> param(layer).equals(param.getName()))
                    .flatMap(layer -> layer.others().stream())
                    .collect(Collectors.joining(" ", " ", ""));
            assertThat(fields(param.getMessageType()))
                    .as(param.getName())
                    .allMatch(field -> tried.contains(" " + field + ":") || tried.contains(" " + field + " {"));
        }
    }

    @Test
    void fieldsBesideTheParametersAreRefused() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (FieldCase each : cases()) {
            for (String beside : List.of(" foreign_param { axis: 1 }", " foreign: 1")) {
                try {
                    wrong.add(each.type() + beside + ": " + results(each, each.given(), beside));
                } catch (GraphException refusal) {
                    if (!isAbout(String.valueOf(refusal.getMessage()), each, foreign())) {
                        wrong.add(each.type() + beside + ": " + refusal.getMessage());
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void networksAndInputsHaveNoOtherFields() throws IOException {
        String net = "layer { name: 'x' type: 'Input' top: 'x' input_param { shape { dim: 2 } %s } } %s "
                + "layer { name: 'l' type: 'AbsVal' bottom: 'x' top: 'y' }";
        for (String text : List.of(
                net.formatted("foreign: 1", ""),
                net.formatted("", "foreign: 1"),
                net.formatted("shape { foreign: 1 }", ""))) {
            Files.deleteIfExists(folder.resolve("net.caffemodel"));
            Path file = CaffeNet.of(text).write(folder, "net");
            assertThat(refusal(file)).as(text).contains("foreign");
        }
    }

    private static String refusal(Path file) {
        try {
            CaffeNet.run(file, Map.of("x", Tensor.of(new float[2], 2)));
            return "";
        } catch (GraphException refusal) {
            return String.valueOf(refusal.getMessage());
        }
    }
}
