package org.clinfer.importer.openvino;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.importer.FieldCase;
import org.clinfer.importer.FieldsContract;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Every attribute that OpenVINO knows for a layer changes the result, or is refused by its name. */
class IrAttributesTest extends FieldsContract {

    /** Attributes that change no result, each with the reason. */
    private static final Map<String, String> WITHOUT_EFFECT = Map.of(
            "DetectionOutput input_height", "it counts for boxes in pixels, which are refused",
            "DetectionOutput input_width", "as input_height",
            "DetectionOutput objectness_score", "it counts for two more inputs, which are refused",
            "RegionYolo anchors", "they are for those who read the result",
            "MaxPool axis", "it counts for the places of the maxima, which are not computed",
            "MaxPool index_element_type", "it is the type of the places, which are not computed",
            "Proposal clip_after_nms", "what was clipped before stays as it is",
            "TopK stable", "equal elements are in their order anyway",
            "ScatterElementsUpdate use_init_val",
                    "without a reduction it counts nothing, and with one false is refused");

    /** Attributes of all recurrent layers: their usual functions have no parameters. */
    private static final List<String> OF_FUNCTIONS = List.of("activations_alpha", "activations_beta");

    IrAttributesTest() throws IOException {
        super("openvino");
    }

    /** The type of a layer without its opset. */
    private static String kind(FieldCase of) {
        return of.type().replaceFirst(":.*", "");
    }

    @Override
    protected String name(String attribute) {
        return attribute.replaceFirst("!?=.*", "");
    }

    @Override
    protected boolean isWithoutEffect(FieldCase of, String name) {
        boolean isRecurrent = kind(of).endsWith("Cell") || kind(of).endsWith("Sequence");
        return WITHOUT_EFFECT.containsKey(kind(of) + " " + name) || (isRecurrent && OF_FUNCTIONS.contains(name));
    }

    @Override
    protected String foreign() {
        return "foreign=1";
    }

    private static float[] floats(String list) {
        float[] floats = new float[list.split(",", -1).length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = Float.parseFloat(list.split(",", -1)[i]);
        }
        return floats;
    }

    private static Out operand(IrNet net, String operand, int number) {
        String what = operand.substring(1);
        return switch (operand.charAt(0)) {
            case 'p' -> net.parameter("f32", what);
            case 'w' -> net.floats(what, IrNet.random(number, longs(what)).toFloatArray());
            case 'v' -> {
                String[] parts = what.split("@", -1);
                yield net.floats(parts[1], floats(parts[0]));
            }
            case 'z' -> truths(net, what);
            case 'u' -> net.bytes("u1", what, 0xA7, 0x31, 0x5C, 0x0F, 0xE2, 0x99, 0x46, 0xD0, 0x3B);
            case 'f' -> net.floats("", Float.parseFloat(what));
            case 's' -> net.whole(Long.parseLong(what));
            default -> {
                String[] parts = what.split("@", -1);
                yield parts.length == 1 ? net.longs(longs(what)) : net.longs(parts[1], longs(parts[0]));
            }
        };
    }

    /** True and false in turn. */
    private static Out truths(IrNet net, String dims) {
        int[] truths = new int[elements(longs(dims))];
        for (int i = 0; i < truths.length; i++) {
            truths[i] = i % 2;
        }
        return net.bytes("boolean", dims, truths);
    }

    @Override
    protected String results(FieldCase of, List<String> fields) throws IOException {
        IrNet net = new IrNet();
        List<Out> operands = new ArrayList<>();
        List<Tensor> inputs = new ArrayList<>();
        for (String operand : of.parts(0)) {
            operands.add(operand(net, operand, operands.size()));
            if (operand.startsWith("p")) {
                inputs.add(IrNet.random(inputs.size() + 3L, longs(operand.substring(1))));
            }
        }
        String[] both = String.join(" ", fields).replace("!=", "=").split(" > ", -1);
        String outputs = both.length > 1 ? both[1] : of.cells().get(1);
        List<Out> results = net.layer(of.type(), both[0], operands, outputs.split(" ", -1));
        // the scores of boxes are a second output, which is not computed
        boolean boxes = kind(of).equals("NonMaxSuppression");
        Out[] read = results.stream()
                .filter(each -> !boxes || each.port() != operands.size() + 1)
                .toArray(Out[]::new);
        return IrNet.run(engine(), net.results(read).write(folder), inputs.toArray(Tensor[]::new)).stream()
                .map(y -> y + Arrays.toString(y.toDoubleArray()))
                .collect(Collectors.joining());
    }

    @Test
    void everyTypeHasACase() {
        assertThat(cases().stream().map(IrAttributesTest::kind).collect(Collectors.toSet()))
                .isEqualTo(OpenVinoTranslation.LAYERS.types());
    }

    @Test
    void attributesThatAreMissingAreRefused() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (FieldCase each : cases()) {
            for (String required : each.given()) {
                if (required.contains("!=")) {
                    String without = outcome(each, without(each, Set.of(name(required))));
                    if (!without.contains("attribute '" + name(required) + "' is missing")) {
                        wrong.add(each.type() + " without " + name(required) + ": " + without);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void whatIsNoOperatorHasNoOtherAttributes() throws IOException {
        IrNet parameter = new IrNet();
        parameter.results(parameter.add("Parameter", "element_type=f32 shape=1 foreign=1", "f32:1"));
        parameter.refused(folder, "foreign");
        IrNet constant = new IrNet();
        constant.floats("1", 1);
        constant.results(constant.add("Const", "element_type=f32 shape=1 offset=0 size=4 foreign=1", "f32:1"));
        constant.refused(folder, "foreign");
        IrNet result = new IrNet();
        result.layer("Result", "foreign=1", List.of(result.parameter("f32", "1")));
        result.refused(folder, "foreign");
    }
}
