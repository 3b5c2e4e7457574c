package org.clinfer.importer.tflite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Networks of one operator give what TensorFlow Lite gave for them. {@code test-data/tflite} has its results and the program
 * that recorded them; {@code -Dtflite.cases=DIR} writes the networks and inputs for it.
 */
class TfliteRecordedTest {

    private static final Path RECORDED = Path.of("test-data/tflite/recorded.txt");

    /** Of float32, relative to the largest result, or to 1: sums are added in another order. */
    private static final double REAL = 1e-5;

    /** TensorFlow Lite rounds quantized numbers twice, halves away from zero; Clinfer once, halves to even. */
    private static final double STEP = 1;

    private static final String ONES = "stride_w=1 stride_h=1";

    private static TfliteCases of(String type, String operands, String options, String outputs) {
        return new TfliteCases(type, operands, options, outputs);
    }

    /** Operators on quantized tensors: what they give has another scale, or the same one. */
    private static final List<TfliteCases> QUANTIZED = List.of(
            of("ABS", "q2,9", "", "int8"),
            of("ADD", "q1,3,3,2 q1,3,3,2", "", "int8"),
            of("ADD", "q1,3,3,2 q1,3,3,2", "fused_activation_function=1", "int8"),
            of("ADD", "q1,3,3,2 q1,1,1,2", "fused_activation_function=3", "int8"),
            of("ADD", "u1,3,3,2 u1,3,3,2", "", "uint8"),
            of("ADD", "h2,3 h2,3", "", "int16@0.002,0"),
            of("ARG_MAX", "q2,9 s1", "output_type=2", "int32"),
            of("AVERAGE_POOL_2D", "q1,6,6,2", ONES + " filter_width=3 filter_height=3", "int8@0.05,7"),
            of(
                    "AVERAGE_POOL_2D",
                    "u1,6,6,2",
                    ONES + " filter_width=3 filter_height=3 fused_activation_function=1",
                    "uint8@0.05,135"),
            of("BATCH_MATMUL", "q2,3,3 q2,3,3", "", "int8"),
            of("CONCATENATION", "q1,2,2,2 q1,2,2,2", "axis=3", "int8@0.05,7"),
            of("CONV_2D", "q1,6,6,2 k4,3,3,2@0 c4", ONES, "int8"),
            of("CONV_2D", "q1,6,6,2 k4,3,3,2@0 c4", ONES + " fused_activation_function=1", "int8"),
            of(
                    "CONV_2D",
                    "q1,6,6,2 k4,3,3,2@0 c4",
                    "stride_w=2 stride_h=2 padding=1 fused_activation_function=3",
                    "int8"),
            of("CONV_2D", "q1,6,6,2 k4,3,3,2@0 c4", ONES + " dilation_w_factor=2 dilation_h_factor=2", "int8"),
            of("DEPTH_TO_SPACE", "q1,2,2,8", "block_size=2", "int8@0.05,7"),
            of("DEPTHWISE_CONV_2D", "q1,6,6,2 k1,3,3,4@3 c4", ONES + " depth_multiplier=2", "int8"),
            of(
                    "DEPTHWISE_CONV_2D",
                    "q1,6,6,2 k1,3,3,4@3 c4",
                    "stride_w=2 stride_h=2 depth_multiplier=2 fused_activation_function=1",
                    "int8"),
            of("ELU", "q2,9", "", "int8"),
            of("FULLY_CONNECTED", "q2,3 k4,3@0 c4", "", "int8"),
            of("GATHER", "q3,4 i2,0", "axis=0", "int8@0.05,7"),
            of("HARD_SWISH", "q2,9", "", "int8"),
            of("L2_NORMALIZATION", "q2,9", "", "int8@0.0078125,0"),
            of("LEAKY_RELU", "q2,3", "alpha=0.1", "int8"),
            of("LESS", "q2,9 q2,9", "", "bool"),
            of("LOGISTIC", "q2,10", "", "int8@0.00390625,-128"),
            of("LOG_SOFTMAX", "q2,9", "", "int8@0.0625,127"),
            of("MAXIMUM", "q2,3 q2,3", "", "int8@0.05,7"),
            of(
                    "MAX_POOL_2D",
                    "q1,6,6,2",
                    ONES + " filter_width=3 filter_height=3 fused_activation_function=3",
                    "int8@0.05,7"),
            of("MEAN", "q1,4,4,3 i1,2", "keep_dims=1", "int8"),
            of("MEAN", "q1,4,4,3 i1,2", "", "int8@0.05,7"),
            of("MINIMUM", "q2,3 q2,3", "", "int8@0.05,7"),
            of("MIRROR_PAD", "q2,3 m0,1,1,1@2,2", "mode=0", "int8@0.05,7"),
            of("MUL", "q1,3,3,2 q1,3,3,2", "fused_activation_function=1", "int8"),
            of("MUL", "u1,3,3,2 u1,3,3,2", "", "uint8"),
            of("MUL", "h2,3 h2,3", "", "int16@0.002,0"),
            of("PACK", "q2,3 q2,3", "values_count=2", "int8@0.05,7"),
            of("PAD", "q1,2,2,3 m0,0,1,2,2,1,0,0@4,2", "", "int8@0.05,7"),
            of("PRELU", "q1,2,2,3 q1,1,3", "", "int8"),
            of("QUANTIZE", "u2,30", "", "int8"),
            of("REDUCE_MAX", "q1,4,4,3 i1,2", "", "int8@0.05,7"),
            of("RELU", "q2,3", "", "int8"),
            of("RELU6", "q2,3", "", "int8"),
            of("RESHAPE", "q2,3 i3,2", "", "int8@0.05,7"),
            of("RESIZE_BILINEAR", "q1,3,4,2 i5,7", "half_pixel_centers=1", "int8@0.05,7"),
            of("RESIZE_NEAREST_NEIGHBOR", "q1,3,4,2 i5,7", "", "int8@0.05,7"),
            of("SCATTER_ND", "m0,2,2@3,1 q3,2 i4,2", "", "int8@0.05,7"),
            of("SOFTMAX", "q2,10", "beta=1", "int8@0.00390625,-128"),
            of("SPACE_TO_BATCH_ND", "q1,3,4,2 i2,2 m0,1,1,1@2,2", "", "int8@0.05,7"),
            of("SPACE_TO_DEPTH", "q1,4,4,3", "block_size=2", "int8@0.05,7"),
            of("SPLIT", "s1 q2,4,3", "num_splits=2", "int8@0.05,7 int8@0.05,7"),
            of("SQUARED_DIFFERENCE", "q2,9 q2,9", "", "int8"),
            of("STRIDED_SLICE", "q4,5,6 i1,2,3 i3,4,5 i1,1,1", "", "int8@0.05,7"),
            of("SUB", "q1,3,3,2 q1,3,3,2", "", "int8"),
            of("SUM", "q1,4,4,3 i1,2", "", "int8@0.5,0"),
            of("TANH", "q2,10", "", "int8@0.0078125,0"),
            of("TILE", "q2,3 i2,2", "", "int8@0.05,7"),
            of("TRANSPOSE", "q2,3,4 i2,0,1", "", "int8@0.05,7"),
            of("TRANSPOSE_CONV", "i1,6,9,4 k4,3,3,2@0 q1,3,3,2 c4", "stride_w=3 stride_h=2", "int8"));

    /** Options that came after the recording version, which passes over them; and a type that it takes from the options alone. */
    private static final List<String> NOT_THERE_YET = List.of(
            "TRANSPOSE_CONV .*fused_activation_function=1 .*",
            "STRIDED_SLICE .*offset=1 .*",
            "UNIDIRECTIONAL_SEQUENCE_LSTM .*diagonal_recurrent_tensors=1 .*",
            "ARG_MIN .*output_type=2 .*");

    @TempDir
    Path folder;

    private static List<TfliteCases> cases() {
        return Stream.concat(TfliteOptionsTest.networks().stream(), QUANTIZED.stream())
                .filter(network -> NOT_THERE_YET.stream().noneMatch(key(network)::matches))
                .toList();
    }

    /** One line of the file: the network, and of each output the type, the shape and some elements, each so many apart. */
    private record Recording(String network, List<String> results) {

        static Recording of(String line) {
            String[] parts = line.split(" => ", -1);
            return new Recording(parts[0], List.of(parts[1].split(" ; ", -1)));
        }
    }

    private static String key(TfliteCases network) {
        return network.type() + " | " + network.operands() + " | " + network.options() + " | " + network.outputs();
    }

    @Test
    void networksGiveWhatTensorFlowLiteGave() throws IOException {
        if (System.getProperty("tflite.cases") != null) {
            write(Path.of(System.getProperty("tflite.cases")));
        }
        List<Recording> recordings =
                Files.readAllLines(RECORDED).stream().map(Recording::of).toList();
        int compared = 0;
        for (TfliteCases network : cases()) {
            for (Recording recording : recordings) {
                if (recording.network().equals(key(network))) {
                    compare(network, recording);
                    compared++;
                }
            }
        }
        assertThat(compared).isEqualTo(recordings.size()).isGreaterThan(250);
    }

    private void compare(TfliteCases network, Recording recording) throws IOException {
        TfliteCases.Written written = network.write();
        List<Tensor> results =
                new ArrayList<>(TfliteNet.run(written.net().write(folder), new DeviceChoice.Cpu(), written.inputs())
                        .values());
        assertThat(results).as(key(network)).hasSameSizeAs(recording.results());
        for (int i = 0; i < results.size(); i++) {
            compare(key(network), results.get(i), recording.results().get(i));
        }
    }

    private static void compare(String network, Tensor result, String recorded) {
        String[] parts = recorded.split(" ", -1);
        assertThat(result.type().toString()).as(network).isEqualTo(parts[0]);
        int apart = Integer.parseInt(parts[1]);
        double[] wanted =
                Stream.of(parts).skip(2).mapToDouble(Double::parseDouble).toArray();
        double largest = 1;
        for (double value : wanted) {
            largest = Math.max(largest, Math.abs(value));
        }
        DType dtype = result.dtype();
        double tolerance = dtype.isFloating() ? REAL * largest : dtype.bits() <= 16 && dtype != DType.BOOL ? STEP : 0;
        assertThat(result.elements()).as(network).isBetween((wanted.length - 1L) * apart, (long) wanted.length * apart);
        for (int i = 0; i < wanted.length; i++) {
            assertThat(Math.abs(result.getDouble((long) i * apart) - wanted[i]))
                    .as(
                            "%s: element %s is %s, but was %s",
                            network, i * apart, result.getDouble((long) i * apart), wanted[i])
                    .isLessThanOrEqualTo(tolerance);
        }
    }

    /** Writes every network as a folder: the network, its inputs as they lie in memory, and its line. */
    private static void write(Path root) throws IOException {
        int number = 0;
        for (TfliteCases network : cases()) {
            Path own = Files.createDirectories(root.resolve(String.format("%03d", number++)));
            TfliteCases.Written written = network.write();
            Files.writeString(own.resolve("case.txt"), key(network));
            Files.write(own.resolve("net.tflite"), written.net().bytes());
            int input = 0;
            for (Tensor tensor : written.inputs().values()) {
                byte[] bytes = new byte[tensor.bytes().remaining()];
                tensor.bytes().get(0, bytes);
                Files.write(own.resolve("input_" + input++ + ".bin"), bytes);
            }
        }
    }
}
