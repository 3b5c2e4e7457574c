package org.clinfer.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.clinfer.report.TextTable;
import org.clinfer.tensor.Tensor;

/** The outputs of a run as lines for people. */
final class OutputText {

    private static final int NAME_WIDTH = 100;

    private OutputText() {}

    /** One line per output: name, type, least, largest and mean value. */
    static List<String> summary(Map<String, Tensor> outputs) {
        TextTable table = new TextTable();
        outputs.forEach((name, tensor) ->
                table.row(TextTable.shortened(name, NAME_WIDTH), tensor.type().toString(), statistics(tensor)));
        return table.lines();
    }

    private static String statistics(Tensor tensor) {
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        double sum = 0;
        long notNumbers = 0;
        long elements = tensor.elements();
        for (long i = 0; i < elements; i++) {
            double value = tensor.getDouble(i);
            if (Double.isNaN(value)) {
                notNumbers++;
                continue;
            }
            least = Math.min(least, value);
            most = Math.max(most, value);
            sum += value;
        }
        long numbers = elements - notNumbers;
        String range = numbers == 0
                ? "no numbers"
                : String.format(Locale.ROOT, "min %.6g  max %.6g  mean %.6g", least, most, sum / numbers);
        return notNumbers == 0 ? range : range + "  NaN " + notNumbers;
    }

    /**
     * The {@code count} largest elements of the last output that is a vector (one dimension besides those of 1), with
     * their labels.
     *
     * @throws UsageException if no output is a vector, or it has more elements than there are labels
     */
    static List<String> largest(Map<String, Tensor> outputs, int count, List<String> labels) {
        Map.Entry<String, Tensor> vector = outputs.entrySet().stream()
                .filter(entry -> isVector(entry.getValue()))
                .reduce((earlier, later) -> later)
                .orElseThrow(() -> new UsageException("--top: no output is a vector"));
        Tensor scores = vector.getValue();
        if (!labels.isEmpty() && labels.size() < scores.elements()) {
            throw new UsageException("--labels: the file has " + labels.size() + " lines, but output '"
                    + vector.getKey() + "' has " + scores.elements() + " elements");
        }
        Comparator<Integer> byScore = Comparator.comparingDouble(index -> scores.getDouble(index));
        PriorityQueue<Integer> best = new PriorityQueue<>(byScore.thenComparing(Comparator.reverseOrder()));
        for (int i = 0; i < scores.elements(); i++) {
            if (!Double.isNaN(scores.getDouble(i))) {
                best.add(i);
            }
            if (best.size() > count) {
                best.remove();
            }
        }
        List<String> lines = new ArrayList<>();
        TextTable table = new TextTable();
        List<Integer> ranked = best.stream()
                .sorted(byScore.reversed().thenComparing(Comparator.naturalOrder()))
                .toList();
        for (int index : ranked) {
            String label = index < labels.size() ? labels.get(index) : "";
            table.row(
                    "  " + index,
                    String.format(Locale.ROOT, "%.6g", scores.getDouble(index)),
                    TextTable.shortened(label, NAME_WIDTH));
        }
        lines.add("largest of " + TextTable.shortened(vector.getKey(), NAME_WIDTH) + ":");
        lines.addAll(table.lines());
        return lines;
    }

    private static boolean isVector(Tensor tensor) {
        Optional<Long> largest =
                java.util.stream.LongStream.of(tensor.shape().sizes()).boxed().max(Comparator.naturalOrder());
        return largest.isPresent() && largest.get() > 1 && largest.get() == tensor.elements();
    }
}
