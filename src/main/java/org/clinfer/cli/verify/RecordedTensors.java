package org.clinfer.cli.verify;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The recorded tensors among the files of a folder: {@code input_0.pb}, {@code output_0.npy}, {@code input.npy} …, all
 * with the same prefix. Where a tensor is there in both formats, {@code .pb} is taken.
 *
 * @param inputs in the order of their numbers
 * @param outputs in the order of their numbers
 */
record RecordedTensors(List<Path> inputs, List<Path> outputs) {

    private static final Pattern NAME = Pattern.compile("(input|output)(?:_([0-9]{1,6}))?\\.(pb|npy)");

    RecordedTensors {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    static RecordedTensors among(Collection<Path> files, String prefix) {
        SortedMap<Integer, Path> inputs = new TreeMap<>();
        SortedMap<Integer, Path> outputs = new TreeMap<>();
        for (Path file : files) {
            String name = file.getFileName().toString();
            Matcher matcher = NAME.matcher(name.startsWith(prefix) ? name.substring(prefix.length()) : "");
            if (!matcher.matches()) {
                continue;
            }
            int number = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
            SortedMap<Integer, Path> side = matcher.group(1).equals("input") ? inputs : outputs;
            side.merge(number, file, (one, other) -> one.toString().endsWith(".pb") ? one : other);
        }
        return new RecordedTensors(List.copyOf(inputs.values()), List.copyOf(outputs.values()));
    }

    /** {@return whether there is something to compare with} */
    boolean isCase() {
        return !outputs.isEmpty();
    }
}
