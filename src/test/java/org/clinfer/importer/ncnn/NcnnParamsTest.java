package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.importer.FieldCase;
import org.clinfer.importer.FieldsContract;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Every parameter that ncnn knows for a layer changes the result, or is refused. */
class NcnnParamsTest extends FieldsContract {

    private static final String CONVOLUTION = "0=4 1=3 4=1 5=1 6=144";

    private static final String DETECTIONS = "DetectionOutput[0=3 1=.6 2=16 3=20 4=-9.]";

    /** Parameters that change no result, each with the reason. */
    private static final Map<String, String> WITHOUT_EFFECT = Map.ofEntries(
            Map.entry("Convolution[" + CONVOLUTION + "] 17", "which algorithm computes"),
            Map.entry("Gemm[] 12", "how elements lie in memory"),
            Map.entry("Gemm[] 13", "in which type elements are kept"),
            Map.entry("Gemm[] 20", "tiles"),
            Map.entry("Gemm[] 21", "tiles"),
            Map.entry("Gemm[] 22", "tiles"),
            Map.entry("Convolution[" + CONVOLUTION + "] 10", "numbers of a function that is not there, as in ncnn"),
            Map.entry("Gemm[5=1 6=1 7=3 8=3 9=3 10=4] 7", "rows are counted where they are constant"),
            Map.entry("BinaryOp[] 2", "ncnn passes over the number where there is a second blob"),
            Map.entry(DETECTIONS + " 5", "variances of priors that have none, as MXNet has them"),
            Map.entry(DETECTIONS + " 6", "a variance as 5"),
            Map.entry(DETECTIONS + " 7", "a variance as 5"),
            Map.entry(DETECTIONS + " 8", "a variance as 5"),
            Map.entry("Softmax[1=1] 1", "which version of the converter wrote the axis"));

    NcnnParamsTest() throws IOException {
        super("ncnn");
    }

    /** The number of a parameter, which a list has behind -233. */
    @Override
    protected String name(String param) {
        int id = Integer.parseInt(param.substring(0, param.indexOf('=')));
        return String.valueOf(id <= -23300 ? -23300 - id : id);
    }

    @Override
    protected Set<String> replaced(String other) {
        return Stream.of(other.replaceFirst(" ~ .*", "").split(" ", -1))
                .map(this::name)
                .collect(Collectors.toSet());
    }

    @Override
    protected boolean isWithoutEffect(FieldCase of, String name) {
        return WITHOUT_EFFECT.containsKey(of.type() + "[" + String.join(" ", of.given()) + "] " + name);
    }

    @Override
    protected boolean isAbout(String refusal, FieldCase of, String param) {
        String said = param.contains(" ~ ") ? param.replaceFirst(".* ~ ", "") : "parameter " + name(param);
        return said.equals("*") || refusal.contains(said);
    }

    @Override
    protected String foreign() {
        return "29=1";
    }

    /** Numbers from .2 to 4.2 as weights, so that they may be variances, and from -2 to 2 otherwise. */
    private static float[] weights(long seed, int count) {
        float[] values = NcnnNet.random(seed, count);
        for (int i = 0; i < count; i++) {
            values[i] += 2.2f;
        }
        return values;
    }

    /** A region or the size of a picture for layers that take one, otherwise numbers from -2 to 2. */
    private static float[] numbers(FieldCase of, int input, int count) {
        return switch (of.type() + input) {
            case "ROIPooling1", "PSROIPooling1", "ROIAlign1" -> new float[] {1, 2, 8, 9};
            case "Proposal2" -> new float[] {60, 80, 1};
            default -> NcnnNet.random(input + 3L, count);
        };
    }

    @Override
    protected String results(FieldCase of, List<String> fields) throws IOException {
        NcnnNet net = new NcnnNet();
        Map<String, Tensor> inputs = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        for (String sizes : of.parts(0)) {
            String name = "x" + names.size();
            long[] dims = longs(sizes);
            int[] ids = dims.length == 4 ? new int[] {2, 11, 1, 0} : new int[] {2, 1, 0};
            StringBuilder line = new StringBuilder("Input " + name + " 0 1 " + name);
            for (int i = 0; i < dims.length; i++) {
                line.append(' ')
                        .append(ids[ids.length - dims.length + i])
                        .append('=')
                        .append(dims[i]);
            }
            net.line(line.toString());
            long[] batch =
                    LongStream.concat(LongStream.of(1), LongStream.of(dims)).toArray();
            int count = elements(dims);
            inputs.put(name, Tensor.of(numbers(of, names.size(), count), batch));
            names.add(name);
        }
        StringBuilder line = new StringBuilder(of.type() + " l " + names.size() + " " + of.number(1));
        names.forEach(name -> line.append(' ').append(name));
        for (int i = 0; i < of.number(1); i++) {
            line.append(" y").append(i);
        }
        net.line(line + " " + String.join(" ", fields).replaceFirst(" ~ .*", ""));
        int number = 10;
        for (String each : of.parts(2)) {
            float[] values = weights(number++, Integer.parseInt(each.substring(1)));
            net = each.startsWith("t") ? net.tagged(values) : net.raw(values);
        }
        return text(NcnnNet.run(engine(), net.write(folder), inputs));
    }

    @Test
    void everyTypeHasACase() {
        assertThat(types()).isEqualTo(NcnnTranslation.LAYERS.types());
    }
}
