package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.text.Printable;

/** Reads a definition: a magic number, how many layers and blobs there are, and a line for each layer. */
final class NcnnParamReader {

    /** The start of every definition. */
    static final String MAGIC = "7767517";

    /** Lists have keys from here downwards. */
    private static final int FIRST_LIST = -23300;

    private static final int LAST_KEY = 99;

    private final String file;
    private final Set<String> names = new HashSet<>();
    private final Set<String> blobs = new HashSet<>();
    private int number;

    private NcnnParamReader(String file) {
        this.file = file;
    }

    /**
     * The layers, in order.
     *
     * @param file the file's name, for messages
     * @throws GraphException if the text is no definition
     */
    static List<NcnnLayer> read(String text, String file) {
        return new NcnnParamReader(file).layers(text);
    }

    private List<NcnnLayer> layers(String text) {
        List<NcnnLayer> layers = new ArrayList<>();
        boolean magic = false;
        long count = -1;
        for (String line : text.split("\n", -1)) {
            number++;
            List<String> words = List.of(line.strip().split("\\s+"));
            if (words.get(0).isEmpty()) {
                continue;
            }
            if (!magic) {
                if (!words.equals(List.of(MAGIC))) {
                    throw wrong("expected the number " + MAGIC + ", found '" + Printable.shortened(line.strip()) + "'");
                }
                magic = true;
            } else if (count < 0) {
                count = count(words);
            } else {
                layers.add(layer(words));
            }
        }
        if (layers.size() != count) {
            throw new GraphException(
                    new SourceRef(file, ""),
                    count < 0
                            ? "it ends before the number of its layers"
                            : "it says that it has " + count + " layers, but has " + layers.size());
        }
        return layers;
    }

    private long count(List<String> words) {
        if (words.size() != 2 || !isCount(words.get(0)) || !isCount(words.get(1))) {
            throw wrong("expected the numbers of layers and blobs, found '"
                    + Printable.shortened(String.join(" ", words)) + "'");
        }
        return Long.parseLong(words.get(0));
    }

    private static boolean isCount(String word) {
        return word.length() < 10 && !word.isEmpty() && word.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private GraphException wrong(String message) {
        return new GraphException(new SourceRef(file, "line " + number), message);
    }

    private NcnnLayer layer(List<String> words) {
        if (words.size() < 4 || !isCount(words.get(2)) || !isCount(words.get(3))) {
            throw wrong("expected a layer's type, its name, and how many blobs it takes and gives, found '"
                    + Printable.shortened(String.join(" ", words)) + "'");
        }
        String type = words.get(0);
        String name = words.get(1);
        SourceRef source = new SourceRef(
                file,
                "line " + number + ", layer '" + Printable.shortened(name) + "' (" + Printable.shortened(type) + ")");
        long inputs = Long.parseLong(words.get(2));
        long outputs = Long.parseLong(words.get(3));
        if (inputs + outputs > words.size() - 4) {
            throw new GraphException(
                    source,
                    "it takes " + inputs + " blobs and gives " + outputs + ", but the line ends after "
                            + (words.size() - 4) + " words");
        }
        if (!names.add(name)) {
            throw new GraphException(source, "there is a layer of this name before it");
        }
        int params = 4 + (int) (inputs + outputs);
        List<String> given = words.subList(4 + (int) inputs, params);
        for (String blob : given) {
            if (!blobs.add(blob)) {
                throw new GraphException(source, "the blob '" + Printable.shortened(blob) + "' is given twice");
            }
        }
        List<String> taken = words.subList(4, 4 + (int) inputs);
        return new NcnnLayer(type, name, taken, given, params(words.subList(params, words.size()), source), source);
    }

    private static Map<Integer, NcnnLayer.Param> params(List<String> words, SourceRef source) {
        Map<Integer, NcnnLayer.Param> params = new HashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            int key = equals < 0 ? Integer.MIN_VALUE : key(word.substring(0, equals));
            if (key == Integer.MIN_VALUE) {
                throw new GraphException(source, "expected NUMBER=VALUE, found '" + Printable.shortened(word) + "'");
            }
            String value = word.substring(equals + 1);
            boolean counted = key < 0;
            int id = counted ? FIRST_LIST - key : key;
            NcnnLayer.Param param = counted ? counted(id, value, source) : param(value);
            if (params.put(id, param) != null) {
                throw new GraphException(source, "the parameter " + id + " is given twice");
            }
        }
        return params;
    }

    private static int key(String word) {
        try {
            int key = Integer.parseInt(word);
            boolean list = key <= FIRST_LIST && key >= FIRST_LIST - LAST_KEY;
            return list || (key >= 0 && key <= LAST_KEY) ? key : Integer.MIN_VALUE;
        } catch (NumberFormatException none) {
            return Integer.MIN_VALUE;
        }
    }

    /** Newer files write lists without their length, and strings. */
    private static NcnnLayer.Param param(String value) {
        boolean text = value.startsWith("\"");
        List<String> words = text ? List.of(value) : List.of(value.split(",", -1));
        return new NcnnLayer.Param(words.size() > 1, words);
    }

    private static NcnnLayer.Param counted(int id, String value, SourceRef source) {
        List<String> words = List.of(value.split(",", -1));
        String count = words.get(0);
        if (!isCount(count) || Long.parseLong(count) != words.size() - 1) {
            throw new GraphException(
                    source,
                    "parameter " + id + ": a list of '" + Printable.shortened(count) + "' elements has "
                            + (words.size() - 1));
        }
        return new NcnnLayer.Param(true, words.subList(1, words.size()));
    }
}
