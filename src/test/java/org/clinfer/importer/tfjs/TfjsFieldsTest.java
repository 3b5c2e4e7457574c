package org.clinfer.importer.tfjs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.importer.FieldCase;
import org.clinfer.importer.FieldsContract;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Every field that Keras knows for a layer's configuration changes the result, or is refused by its name. */
class TfjsFieldsTest extends FieldsContract {

    /** Fields that change no result of any layer, each with the reason. */
    private static final Map<String, String> WITHOUT_EFFECT = Map.ofEntries(
            Map.entry("momentum", "training"),
            Map.entry("renorm", "training"),
            Map.entry("renorm_clipping", "training"),
            Map.entry("renorm_momentum", "training"),
            Map.entry("virtual_batch_size", "training"),
            Map.entry("synchronized", "training"),
            Map.entry("fused", "how it is computed"),
            Map.entry("kernel_initializer", "training"),
            Map.entry("kernel_regularizer", "training"),
            Map.entry("kernel_constraint", "training"),
            Map.entry("shared_axes", "the slopes have their shape"),
            Map.entry("filters DepthwiseConv2D", "channels and depth_multiplier tell them"),
            Map.entry("rate", "nothing is dropped at inference"),
            Map.entry("stddev", "no noise at inference"),
            Map.entry("seed", "nothing is random at inference"),
            Map.entry("noise_shape", "nothing is dropped at inference"),
            Map.entry("l1", "training"),
            Map.entry("l2", "training"));

    /** Fields that say what weights or inputs must be, which are other ones then. */
    private static final Set<String> OF_SHAPES =
            Set.of("data_format", "axis", "groups", "target_shape", "dims", "center", "scale");

    TfjsFieldsTest() throws IOException {
        super("tfjs");
    }

    @Override
    protected String name(String field) {
        return field.substring(1, field.indexOf('\'', 1));
    }

    @Override
    protected boolean isWithoutEffect(FieldCase of, String name) {
        return WITHOUT_EFFECT.containsKey(name) || WITHOUT_EFFECT.containsKey(name + " " + of.type());
    }

    @Override
    protected boolean isAbout(String refusal, FieldCase of, String field) {
        return super.isAbout(refusal, of, field) || OF_SHAPES.contains(name(field));
    }

    @Override
    protected String foreign() {
        return "'foreign':1";
    }

    private static Tensor numbers(int seed, long[] sizes, float least) {
        float[] numbers = new float[elements(sizes)];
        Random random = new Random(seed);
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = least + 4 * random.nextFloat();
        }
        return Tensor.of(numbers, sizes);
    }

    @Override
    protected String results(FieldCase of, List<String> fields) throws IOException {
        TfjsModel model = new TfjsModel();
        Map<String, Tensor> inputs = new LinkedHashMap<>();
        for (String sizes : of.parts(0)) {
            String name = "x" + inputs.size();
            model.input(name, longs(sizes));
            inputs.put(name, numbers(inputs.size() + 3, longs(sizes), -2));
        }
        model.layer(of.type(), "l", String.join(",", fields), inputs.keySet().toArray(String[]::new));
        int number = 10;
        for (String weight : of.parts(1)) {
            String[] both = weight.split(":", -1);
            model.weight("l/" + both[0], numbers(number++, longs(both[1]), .2f));
        }
        try (Model loaded = engine().load(model.write(folder));
                Session session = loaded.session();
                Result result = session.run(inputs)) {
            return text(result.outputs());
        }
    }

    @Test
    void everyKindHasACase() {
        assertThat(types()).isEqualTo(TfjsTranslation.LAYERS.types());
    }

    @Test
    void fieldsThatNoFunctionHasAreRefused() throws IOException {
        FieldCase activation = new FieldCase("Activation", "1,4", "");
        String function = "'activation':{'class_name':'LeakyReLU','config':{'alpha':0.5,%s}}";

        assertThat(outcome(activation, List.of(function.formatted("'foreign':1"))))
                .startsWith(REFUSED)
                .contains("foreign");
        assertThat(outcome(activation, List.of(function.formatted("'negative_slope':0.1"))))
                .startsWith(REFUSED)
                .contains("negative_slope");
    }
}
