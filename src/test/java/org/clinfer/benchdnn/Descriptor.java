package org.clinfer.benchdnn;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A problem as benchdnn writes it: {@code g2mb4ic8ih13oc16oh7kh3sh2ph1n"net:conv1*3"}, entries in any order, each at most
 * once, {@code _} between them ignored, the name last. What is left out:
 *
 * <ul>
 *   <li>g is 1, mb is 2, a stride is 1, a dilation is 0, which means dense;
 *   <li>an output size follows from padding at both ends alike, which is 0 if it is left out too;
 *   <li>padding alone is the smaller half of what the sizes need;
 *   <li>an axis is there if anything is said of it; w as a whole is h where nothing is said of w, and both are d.
 * </ul>
 */
final class Descriptor {

    private static final Pattern ENTRY = Pattern.compile("_*(g|mb|[io]c|[iokspd][dhw])([0-9]+)_*");
    private static final List<String> AXIS_NAMES = List.of("d", "h", "w");

    private final String text;
    private final boolean transposed;
    private final Map<String, Long> entries = new HashMap<>();
    private String name = "";

    private Descriptor(String text, boolean transposed) {
        this.text = text;
        this.transposed = transposed;
        read();
    }

    /**
     * The problem that a descriptor means.
     *
     * @throws IllegalArgumentException if it means none
     */
    static Problem parse(String text, boolean transposed, String list) {
        Descriptor descriptor = new Descriptor(text, transposed);
        return descriptor.problem(list, descriptor.axes());
    }

    /**
     * The problem that other tools make of a descriptor: they complete axis by axis each field alone, so that a stride of
     * w becomes one of h.
     */
    static Problem parseFieldByField(String text, boolean transposed, String list) {
        Descriptor descriptor = new Descriptor(text, transposed);
        descriptor.copyFields();
        return descriptor.problem(list, descriptor.axes());
    }

    private void read() {
        Matcher matcher = ENTRY.matcher(text);
        int at = 0;
        while (at < text.length() && text.charAt(at) != 'n') {
            if (!matcher.region(at, text.length()).lookingAt()) {
                throw wrong("nothing known begins at '" + text.substring(at) + "'");
            }
            if (entries.put(matcher.group(1), Long.valueOf(matcher.group(2))) != null) {
                throw wrong(matcher.group(1) + " is given twice");
            }
            at = matcher.end();
        }
        if (at < text.length()) {
            name = unquoted(text.substring(at + 1));
        }
    }

    private String unquoted(String given) {
        if (given.length() >= 2 && given.startsWith("\"") && given.endsWith("\"")) {
            return given.substring(1, given.length() - 1);
        }
        throw wrong("the name is not in quotes");
    }

    private IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException(text + ": " + why);
    }

    private long entry(String key, long otherwise) {
        return entries.getOrDefault(key, otherwise);
    }

    private long positive(String key) {
        long value = entry(key, 0);
        if (value < 1) {
            throw wrong(key + " is missing or 0");
        }
        return value;
    }

    private Problem problem(String list, List<Axis> axes) {
        long groups = entry("g", 1);
        long in = positive("ic");
        long out = positive("oc");
        if (groups < 1 || in % groups != 0 || out % groups != 0) {
            throw wrong("g does not divide the channels");
        }
        return new Problem(transposed, list, name, entry("mb", 2), groups, in, out, axes);
    }

    private boolean isThere(String axis) {
        return entry("i" + axis, 0) != 0
                || entry("o" + axis, 0) != 0
                || entry("k" + axis, 0) != 0
                || entry("d" + axis, 0) != 0
                || entry("s" + axis, 1) != 1
                || entry("p" + axis, 0) != 0;
    }

    private List<Axis> axes() {
        boolean depth = isThere("d");
        boolean height = isThere("h");
        boolean width = isThere("w");
        if (depth && height != width) {
            throw wrong("of three axes, h and w are given both or not at all");
        }
        List<Axis> axes = new ArrayList<>();
        if (depth) {
            axes.add(axis("d"));
        }
        if (depth || height) {
            axes.add(axis(height ? "h" : "d"));
        }
        axes.add(axis(width ? "w" : height ? "h" : "d"));
        return axes;
    }

    private Axis axis(String axis) {
        long input = positive("i" + axis);
        long kernel = positive("k" + axis);
        long stride = entry("s" + axis, 1);
        if (stride < 1) {
            throw wrong("s" + axis + " is 0");
        }
        long dilation = entry("d" + axis, 0) + 1;
        long extent = dilation * (kernel - 1) + 1;
        long output = entry("o" + axis, 0);
        Long pad = entries.get("p" + axis);
        if (output == 0) {
            long both = pad == null ? 0 : 2 * pad;
            output = transposed ? (input - 1) * stride + extent - both : (input + both - extent) / stride + 1;
            if (output < 1 || (input + both < extent && !transposed)) {
                throw wrong("o" + axis + " would be less than 1");
            }
            return new Axis(input, output, kernel, stride, both / 2, dilation);
        }
        long needed = transposed ? (input - 1) * stride + extent - output : (output - 1) * stride + extent - input;
        return new Axis(input, output, kernel, stride, pad == null ? needed / 2 : pad, dilation);
    }

    /** Each field of an axis that lacks it is that of another axis; which axes there are stays as it is. */
    private void copyFields() {
        List<String> there = AXIS_NAMES.stream().filter(this::isThere).toList();
        for (String field : List.of("i", "o", "k", "s", "p", "d")) {
            OptionalLong other = there.stream()
                    .map(axis -> entries.get(field + axis))
                    .filter(Objects::nonNull)
                    .mapToLong(Long::longValue)
                    .findFirst();
            if (other.isPresent()) {
                there.forEach(axis -> entries.putIfAbsent(field + axis, other.getAsLong()));
            }
        }
    }
}
