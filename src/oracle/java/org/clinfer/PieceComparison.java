package org.clinfer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.clinfer.RandomPieces.Rounding;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Compares a network piece by piece with ONNX Runtime, which is given what Clinfer found where a piece begins.
 *
 * <p>Codes of both sides have to be what rounding makes of the real numbers before it, which may lie within their error of
 * a tie. So a code may be another one only where this is so, and only by one.
 */
final class PieceComparison {

    /** Of one rounding to float32. */
    private static final double ROUNDING = 0x1p-24;

    private static final double HALF_ROUNDING = 0x1p-11;

    /** Numbers that rounding leaves of differences of small numbers. */
    private static final double NOTHING = ROUNDING * NetworkPeers.SMALLEST;

    /** Below it a float16 number has fewer digits. */
    private static final double SMALLEST_HALF = 0x1p-14;

    private final RandomNetwork network;
    private final Map<String, Tensor> found;
    private final Map<String, Tensor> expected;
    private final Map<String, Tensor> given;
    private long codes;
    private long otherCodes;

    /**
     * @param found what Clinfer computed, with all cuts
     * @param expected what ONNX Runtime made of the pieces
     * @param given the network's inputs
     */
    PieceComparison(
            RandomNetwork network, Map<String, Tensor> found, Map<String, Tensor> expected, Map<String, Tensor> given) {
        this.network = network;
        this.found = found;
        this.expected = expected;
        this.given = given;
    }

    /** What differs, the name of the value in front. */
    List<String> differences() {
        List<String> differences = new ArrayList<>();
        for (Map.Entry<String, Tensor> entry : found.entrySet()) {
            String name = entry.getKey();
            boolean isCut = network.pieces().cuts().contains(name);
            Tensor wanted = Objects.requireNonNull(expected.get(isCut ? RandomPieces.made(name) : name));
            Optional<Rounding> rounding = isCut ? network.pieces().rounding(name) : Optional.empty();
            Optional<String> difference;
            if (rounding.isPresent()) {
                difference = codes(rounding.orElseThrow(), entry.getValue(), wanted);
            } else if (network.pieces()
                    .scaled(name)
                    .map(this::tensor)
                    .filter(PieceComparison::isNothing)
                    .isPresent()) {
                difference = scaleOfZeros(entry.getValue(), wanted);
            } else if (wanted.dtype() == DType.FLOAT16) {
                difference = halves(name, entry.getValue(), wanted);
            } else {
                difference = NetworkPeers.difference(entry.getValue(), wanted);
            }
            difference.ifPresent(text -> differences.add(name + " " + text));
        }
        return differences;
    }

    /** How many codes were compared. */
    long codes() {
        return codes;
    }

    /** How many codes were others than ONNX Runtime's. */
    long otherCodes() {
        return otherCodes;
    }

    /** Each side may round what a node of the piece gives or takes, and it may not. */
    private Optional<String> halves(String name, Tensor actual, Tensor wanted) {
        double largest = SMALLEST_HALF;
        long nodes = 0;
        for (NodeProto node : network.pieces().makers(name)) {
            nodes += node.getOpType().equals("Cast") ? 0 : 1;
            List<String> values = new ArrayList<>(node.getInputList());
            values.removeIf(
                    input -> input.isEmpty() || network.constantOf(input).isPresent());
            values.addAll(node.getOutputList());
            for (String value : values) {
                for (double element : tensor(value).toDoubleArray()) {
                    largest = Math.max(largest, Double.isFinite(element) ? Math.abs(element) : 0);
                }
            }
        }
        return NetworkPeers.difference(actual, wanted, 2 * Math.max(1, nodes) * HALF_ROUNDING, largest, 0);
    }

    /** {@return whether all numbers are 0, or what rounding leaves where they should be} */
    private static boolean isNothing(Tensor tensor) {
        return Arrays.stream(tensor.toDoubleArray()).allMatch(value -> Math.abs(value) <= NOTHING);
    }

    /** ONNX's formula gives 0, ONNX Runtime 1; all codes are 0 in both. */
    private static Optional<String> scaleOfZeros(Tensor actual, Tensor wanted) {
        double other = wanted.getDouble(0);
        return actual.getDouble(0) <= NOTHING && (other == 1 || other <= NOTHING)
                ? Optional.empty()
                : Optional.of("is " + actual.getDouble(0) + ", in ONNX Runtime " + wanted.getDouble(0));
    }

    private Optional<String> codes(Rounding rounding, Tensor actual, Tensor wanted) {
        if (!actual.type().equals(wanted.type())) {
            return Optional.of("is " + actual.type() + " instead of " + wanted.type());
        }
        Tensor real = tensor(rounding.real());
        double scale = rounding.scale().isEmpty() ? 1 : tensor(rounding.scale()).getDouble(0);
        long zero = rounding.zero().isEmpty() ? 0 : tensor(rounding.zero()).getLong(0);
        double largest = NetworkPeers.SMALLEST;
        for (double value : real.toDoubleArray()) {
            largest = Math.max(largest, Math.abs(value));
        }
        double error = (rounding.error().roundings() * ROUNDING * largest
                        + rounding.error().absolute())
                / scale;
        for (long i = 0; i < actual.elements(); i++) {
            codes++;
            otherCodes += actual.getLong(i) == wanted.getLong(i) ? 0 : 1;
            double quotient = real.getDouble(i) / scale;
            long least = code(quotient - error, zero, actual.dtype());
            long most = code(quotient + error, zero, actual.dtype());
            if (actual.getLong(i) < least || actual.getLong(i) > most) {
                return Optional.of("is " + actual.getLong(i) + " for " + quotient + " + " + zero + " at " + i + " of "
                        + actual.type() + ", in ONNX Runtime " + wanted.getLong(i));
            }
            if (wanted.getLong(i) < least || wanted.getLong(i) > most) {
                return Optional.of("is right, ONNX Runtime's is " + wanted.getLong(i) + " for " + quotient + " + "
                        + zero + " at " + i + " of " + actual.type());
            }
        }
        return Optional.empty();
    }

    private static long code(double quotient, long zero, DType type) {
        double least = type == DType.INT8 ? -128 : 0;
        return (long) Math.max(least, Math.min(least + 255, Math.rint(quotient) + zero));
    }

    private Tensor tensor(String name) {
        return network.constantOf(name)
                .or(() -> Optional.ofNullable(given.get(name)))
                .or(() -> Optional.ofNullable(found.get(name)))
                .orElseGet(() -> expected.get(name));
    }
}
