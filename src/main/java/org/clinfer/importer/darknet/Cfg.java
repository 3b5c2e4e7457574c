package org.clinfer.importer.darknet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.text.Printable;

/** The sections of a file: the network's own first, then its layers. */
record Cfg(Section net, List<Section> layers) {

    private static final int MOST_LAYERS = 100_000;

    Cfg {
        layers = List.copyOf(layers);
    }

    /** {@return whether a line begins a network} */
    static boolean isStart(String line) {
        return line.equals("[net]") || line.equals("[network]");
    }

    /** A line without blanks, which mean nothing; empty for comments. */
    static String cleaned(String line) {
        String bare = line.replace("\uFEFF", "").strip();
        return bare.isEmpty() || "#;".indexOf(bare.charAt(0)) >= 0 ? "" : bare;
    }

    /**
     * Reads a file's text.
     *
     * @throws GraphException if a line is neither section, option nor comment
     */
    static Cfg read(String text, String file) {
        List<Section> sections = new ArrayList<>();
        String type = "";
        Map<String, String> options = new LinkedHashMap<>();
        int number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            String bare = cleaned(line);
            SourceRef at = new SourceRef(file, "line " + number);
            if (bare.startsWith("[")) {
                if (!bare.endsWith("]")) {
                    throw new GraphException(at, "expected [NAME], found '" + Printable.shortened(bare) + "'");
                }
                add(sections, type, options, file);
                type = bare.substring(1, bare.length() - 1).strip().toLowerCase(Locale.ROOT);
                options = new LinkedHashMap<>();
            } else if (!bare.isEmpty()) {
                int equals = bare.indexOf('=');
                if (equals <= 0 || type.isEmpty()) {
                    throw new GraphException(
                            at, "expected NAME=VALUE in a section, found '" + Printable.shortened(bare) + "'");
                }
                String value = bare.substring(equals + 1);
                int comment = value.indexOf('#');
                // of two with the same name the first one counts
                options.putIfAbsent(
                        bare.substring(0, equals).strip(), (comment < 0 ? value : value.substring(0, comment)).strip());
            }
        }
        add(sections, type, options, file);
        if (sections.isEmpty() || !isStart("[" + sections.get(0).type() + "]")) {
            throw new GraphException(new SourceRef(file, ""), "not a darknet network: it does not begin with [net]");
        }
        return new Cfg(sections.get(0), sections.subList(1, sections.size()));
    }

    private static void add(List<Section> sections, String type, Map<String, String> options, String file) {
        if (type.isEmpty()) {
            return;
        }
        if (sections.size() > MOST_LAYERS) {
            throw new GraphException(new SourceRef(file, ""), "the network has more than " + MOST_LAYERS + " layers");
        }
        String element = sections.isEmpty()
                ? "[" + Printable.shortened(type) + "]"
                : "layer " + (sections.size() - 1) + " [" + Printable.shortened(type) + "]";
        sections.add(new Section(Printable.shortened(type), options, new SourceRef(file, element)));
    }
}
