package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.clinfer.importer.Params;
import org.clinfer.text.Printable;

/** Vectors and numbers of axes in another order, as TensorFlow writes them where it changes the order of a graph's axes. */
final class TfFormatTranslators {

    private TfFormatTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "DataFormatVecPermute", TfFormatTranslators::vector,
                "DataFormatDimMap", TfFormatTranslators::axes);
    }

    private static String format(TfCall call, String attribute, String otherwise) {
        return call.node().text(attribute, otherwise);
    }

    /** For each axis of a format its number in another one. */
    private static long[] places(TfCall call, String of, String in) {
        boolean sameAxes = of.chars()
                .sorted()
                .boxed()
                .toList()
                .equals(in.chars().sorted().boxed().toList());
        if (!sameAxes || of.chars().distinct().count() != of.length()) {
            throw call.malformed("its formats are " + Printable.shortened(of) + " and " + Printable.shortened(in));
        }
        return of.chars().mapToLong(in::indexOf).toArray();
    }

    /** An element, or a pair of them, for each axis, or for each of the space. */
    private static void vector(TfCall call) {
        String from = format(call, "src_format", "NHWC");
        String to = format(call, "dst_format", "NCHW");
        places(call, to, from);
        long size = call.input(0).size(0).orElseThrow(() -> call.unsupportedUse("an input whose sizes are not known"));
        long[] sources = size == from.length() - 2L ? places(call, ofSpace(to), ofSpace(from)) : places(call, to, from);
        if (sources.length != size) {
            throw call.malformed("its input has " + size + " elements for " + from.length() + " axes");
        }
        call.give("Gather", List.of(call.plain(0), call.constant(sources)), new Params().put("axis", 0L));
    }

    private static String ofSpace(String format) {
        return format.chars()
                .filter(axis -> "DHW".indexOf(axis) >= 0)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    /** Numbers of axes; negative ones count from the end. */
    private static void axes(TfCall call) {
        long[] places = places(call, format(call, "src_format", "NHWC"), format(call, "dst_format", "NCHW"));
        String table = call.cast(call.constant(places), call.dtype(call.input(0)));
        call.give("Gather", List.of(table, call.plain(0)), new Params().put("axis", 0L));
    }
}
