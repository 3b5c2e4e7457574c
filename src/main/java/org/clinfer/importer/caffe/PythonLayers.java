package org.clinfer.importer.caffe;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.text.Printable;

/** Layers that are programs in Python: those of well-known networks, by the names of their modules and classes. */
final class PythonLayers {

    static final String TYPE = "Python";

    private static final Map<String, Program> PROGRAMS = Map.of(
            "rpn.proposal_layer.ProposalLayer", PythonLayers::proposals,
            "yolov2.darknet_reorg", (call, none) -> List.of(CaffeResizingLayers.reorganize(call, 2, false)),
            "pad.PadTensor", (call, arguments) -> List.of(pad(call, arguments)));

    private PythonLayers() {}

    private interface Program {
        List<Value> translate(CaffeLayerCall call, Arguments arguments);
    }

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.several(TYPE, PythonLayers::translate);
    }

    private static List<Value> translate(CaffeLayerCall call) {
        CaffeFields python = call.params("python_param");
        String program = Stream.of("module", "layer")
                .map(python::text)
                .flatMap(Optional::stream)
                .collect(Collectors.joining("."));
        Program known = Optional.ofNullable(PROGRAMS.get(program))
                .orElseThrow(() -> LayerTable.unknown(
                        call.type(),
                        call.source(),
                        program.isEmpty() ? "" : " '" + Printable.shortened(program) + "'"));
        Arguments arguments = new Arguments(call, python.text("param_str").orElse(""));
        List<Value> results = known.translate(call, arguments);
        arguments.requireAllRead();
        return results;
    }

    /** The layer of py-faster-rcnn with what its configuration for tests says. */
    private static List<Value> proposals(CaffeLayerCall call, Arguments arguments) {
        Params network = new Params();
        arguments.whole("feat_stride").ifPresent(stride -> network.put("feat_stride", stride));
        arguments.numbers("scales").ifPresent(scales -> network.put("scale", scales));
        return CaffeDetectionLayers.proposals(call, network);
    }

    private static Value pad(CaffeLayerCall call, Arguments arguments) {
        if (!arguments.word("pad_mode").orElse("constant").equals("constant")) {
            throw call.unsupportedUse("another 'pad_mode' than 'constant'");
        }
        long[] widths = Stream.of("pad_t", "pad_b", "pad_l", "pad_r")
                .mapToLong(side -> arguments.whole(side).orElse(0L))
                .toArray();
        if (call.input().rank() != 4 || Arrays.stream(widths).anyMatch(width -> width < 0)) {
            throw call.malformed("it takes a picture, and widths from 0");
        }
        long[] all = {0, 0, 0, 0, widths[0], widths[1], widths[2], widths[3]};
        return call.add("Pad", List.of(call.input()), new Params().put("pad_with", all));
    }

    /** The arguments of a program: pairs of a name and a value, as YAML or JSON. */
    private static final class Arguments {

        private static final Pattern PAIR = Pattern.compile(
                "['\"]?(\\w{1,40})['\"]?\\s{0,9}:\\s{0,9}(?:!!python/tuple\\s{0,9})?(\\[[^\\]]*+\\]|[^,}\\s]++)");
        private static final Pattern BETWEEN = Pattern.compile("[{},\\s]*+");

        private final CaffeLayerCall call;
        private final Map<String, String> given = new HashMap<>();
        private final Set<String> read = new HashSet<>();

        Arguments(CaffeLayerCall call, String text) {
            this.call = call;
            Matcher pair = PAIR.matcher(text);
            int end = 0;
            while (pair.find()) {
                requireNothing(text.substring(end, pair.start()));
                given.put(pair.group(1), pair.group(2));
                end = pair.end();
            }
            requireNothing(text.substring(end));
        }

        private void requireNothing(String text) {
            if (!BETWEEN.matcher(text).matches()) {
                throw call.malformed("param_str: expected NAME: VALUE, found '" + Printable.shortened(text) + "'");
            }
        }

        Optional<String> word(String name) {
            read.add(name);
            return Optional.ofNullable(given.get(name)).map(value -> value.replaceAll("['\"]", ""));
        }

        Optional<Long> whole(String name) {
            return word(name).map(value -> {
                try {
                    return Long.parseLong(value);
                } catch (NumberFormatException none) {
                    throw wrong(name, "a whole number", value);
                }
            });
        }

        private GraphException wrong(String name, String expected, String found) {
            return call.malformed(
                    "param_str: " + name + ": expected " + expected + ", found '" + Printable.shortened(found) + "'");
        }

        /** One number, or several in brackets. */
        Optional<double[]> numbers(String name) {
            return word(name).map(value -> {
                try {
                    return Arrays.stream(value.replaceAll("[\\[\\]]", "").split(",", -1))
                            .mapToDouble(Double::parseDouble)
                            .toArray();
                } catch (NumberFormatException none) {
                    throw wrong(name, "numbers", value);
                }
            });
        }

        void requireAllRead() {
            given.keySet().stream()
                    .filter(name -> !read.contains(name))
                    .sorted()
                    .findFirst()
                    .ifPresent(name -> {
                        throw call.unsupportedUse("'" + Printable.shortened(name) + "'");
                    });
        }
    }
}
