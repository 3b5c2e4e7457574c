package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Networks of one operator, by a line each: its type, its operands, its options, and the types of its outputs.
 *
 * @param operands {@code p} with sizes is an input of random numbers, {@code n} one of numbers above 0, {@code w} a constant of
 *     random numbers, {@code i} a vector of whole numbers, {@code m} a matrix of them after {@code @} with sizes, {@code s} a
 *     whole number, {@code f} a number, {@code d} an input of whole numbers, {@code e} one of 0 and 1, {@code b} one of bools,
 *     {@code q}, {@code u} and {@code h} a quantized input of int8, uint8 and int16, {@code k} quantized weights, {@code c} a quantized bias, {@code v} a variable; {@code -} is left out
 * @param outputs data types of the outputs; {@code int8} and {@code uint8} are quantized, after {@code @} in another way
 */
record TfliteCases(String type, String operands, String options, String outputs) {

    /** The scale and zero point of quantized operands. */
    static final double SCALE = 0.05;

    static final long ZERO = 7;

    /** The scale and zero point of quantized outputs. */
    static final double OUTPUT_SCALE = 0.11;

    static final long OUTPUT_ZERO = -11;

    /** The scale of weights; each following channel has twice that of the one before, up to eight times. */
    static final double WEIGHT_SCALE = 0.01;

    static TfliteCases of(String type, String operands, String options) {
        return new TfliteCases(type, operands, options, "float32");
    }

    TfliteCases gives(String types) {
        return new TfliteCases(type, operands, options, types);
    }

    /** The same with one option changed. */
    TfliteCases with(String option) {
        String name = option.substring(0, option.indexOf('='));
        String others = String.join(
                " ",
                Stream.of(options.split(" ", -1))
                        .filter(each -> !each.startsWith(name + "="))
                        .toList());
        return new TfliteCases(type, operands, (others + " " + option).strip(), outputs);
    }

    /** The network and values for its inputs. */
    record Written(TfliteNet net, Map<String, Tensor> inputs) {}

    private static int[] sizes(String text) {
        return text.isEmpty()
                ? new int[0]
                : Arrays.stream(text.split(",", -1)).mapToInt(Integer::parseInt).toArray();
    }

    private static int count(int[] sizes) {
        return Arrays.stream(sizes).reduce(1, (a, b) -> a * b);
    }

    private static long[] wide(int[] sizes) {
        return Arrays.stream(sizes).asLongStream().toArray();
    }

    Written write() {
        TfliteNet net = new TfliteNet();
        Map<String, Tensor> inputs = new LinkedHashMap<>();
        List<Integer> from = new ArrayList<>();
        Random random = new Random(7);
        for (String operand : operands.split(" ", -1)) {
            from.add(operand.equals("-") ? -1 : operand(net, inputs, operand, from.size(), random));
        }
        List<Integer> to = new ArrayList<>();
        for (String output : outputs.split(" ", -1)) {
            to.add(output(net, output, to.size()));
        }
        int[] operandNumbers = from.stream().mapToInt(Integer::intValue).toArray();
        int[] resultNumbers = to.stream().mapToInt(Integer::intValue).toArray();
        return new Written(net.op(type, operandNumbers, resultNumbers, options), inputs);
    }

    /** An output of a type; after {@code @} with a scale and zero point of its own. */
    private static int output(TfliteNet net, String output, int position) {
        String[] parts = output.split("[@,]", -1);
        String dtype = parts[0];
        int tensor = net.value("y" + position, dtype);
        net.output(tensor);
        if (parts.length == 3) {
            net.quantized(tensor, Double.parseDouble(parts[1]), Long.parseLong(parts[2]));
        } else if (dtype.equals("int8") || dtype.equals("uint8")) {
            net.quantized(tensor, OUTPUT_SCALE, OUTPUT_ZERO + (dtype.equals("uint8") ? 128 : 0));
        }
        return tensor;
    }

    private static int operand(TfliteNet net, Map<String, Tensor> inputs, String operand, int position, Random random) {
        String name = "x" + position;
        String rest = operand.substring(1);
        return switch (operand.charAt(0)) {
            case 'p' -> input(net, inputs, name, "float32", sizes(rest), () -> random.nextDouble() * 4 - 2);
            case 'n' -> input(net, inputs, name, "float32", sizes(rest), () -> random.nextDouble() * 2 + 0.1);
            case 'd' -> input(net, inputs, name, "int32", sizes(rest), () -> random.nextInt(19) - 9);
            case 'e' -> input(net, inputs, name, "int32", sizes(rest), () -> random.nextInt(2));
            case 'b' -> input(net, inputs, name, "bool", sizes(rest), () -> random.nextInt(2));
            case 'q' -> {
                int tensor = input(net, inputs, name, "int8", sizes(rest), () -> random.nextInt(256) - 128);
                net.quantized(tensor, SCALE, ZERO);
                yield tensor;
            }
            case 'u' -> {
                int tensor = input(net, inputs, name, "uint8", sizes(rest), () -> random.nextInt(256));
                net.quantized(tensor, SCALE, ZERO + 128);
                yield tensor;
            }
            case 'h' -> {
                int tensor = input(net, inputs, name, "int16", sizes(rest), () -> random.nextInt(4000) - 2000);
                net.quantized(tensor, SCALE / 40, 0);
                yield tensor;
            }
            case 'w' -> {
                int[] sizes = sizes(rest);
                float[] values = new float[count(sizes)];
                for (int i = 0; i < values.length; i++) {
                    values[i] = random.nextFloat() * 2 - 1;
                }
                yield net.floats(name, values, sizes);
            }
            case 'k' -> weights(net, name, rest, random);
            case 'c' -> bias(net, name, Integer.parseInt(rest), random);
            case 'i' -> net.vector(name, sizes(rest));
            case 'm' ->
                net.ints(
                        name,
                        sizes(rest.substring(0, rest.indexOf('@'))),
                        sizes(rest.substring(rest.indexOf('@') + 1)));
            case 's' -> net.ints(name, new int[] {Integer.parseInt(rest)});
            case 'f' -> net.floats(name, new float[] {Float.parseFloat(rest)});
            case 'v' -> {
                int tensor = net.value(name, "float32", sizes(rest));
                net.variable(tensor);
                yield tensor;
            }
            default -> throw new IllegalArgumentException(operand);
        };
    }

    private static int input(
            TfliteNet net, Map<String, Tensor> inputs, String name, String type, int[] sizes, DoubleSupplier next) {
        double[] values = new double[count(sizes)];
        for (int i = 0; i < values.length; i++) {
            values[i] = next.getAsDouble();
        }
        inputs.put(name, TfliteNet.tensor(DType.of(type).orElseThrow(), values, wide(sizes)));
        return net.input(name, type, sizes);
    }

    static double weightScale(int channel) {
        return WEIGHT_SCALE * (1 << channel % 4);
    }

    /** Weights with a scale for each index of the axis after {@code @}. */
    private static int weights(TfliteNet net, String name, String text, Random random) {
        int[] sizes = sizes(text.substring(0, text.indexOf('@')));
        int axis = Integer.parseInt(text.substring(text.indexOf('@') + 1));
        byte[] values = new byte[count(sizes)];
        for (int i = 0; i < values.length; i++) {
            values[i] = (byte) (random.nextInt(255) - 127);
        }
        float[] scales = new float[sizes[axis]];
        for (int channel = 0; channel < scales.length; channel++) {
            scales[channel] = (float) weightScale(channel);
        }
        int tensor = net.bytes(name, "int8", values, sizes);
        net.quantized(tensor, axis, scales, new long[scales.length]);
        return tensor;
    }

    /** A bias in units of the scales of input and weights. */
    private static int bias(TfliteNet net, String name, int count, Random random) {
        int[] values = new int[count];
        float[] scales = new float[count];
        for (int channel = 0; channel < count; channel++) {
            values[channel] = random.nextInt(2000) - 1000;
            scales[channel] = (float) (SCALE * weightScale(channel));
        }
        int tensor = net.vector(name, values);
        net.quantized(tensor, 0, scales, new long[count]);
        return tensor;
    }
}
