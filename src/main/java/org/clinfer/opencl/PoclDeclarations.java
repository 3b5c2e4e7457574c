package org.clinfer.opencl;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.clinfer.device.DeviceFacts;

/**
 * Declarations of the functions of OpenCL C that a program mentions. PoCL puts a header with all of them, 10,000, before
 * each program; to parse it takes a tenth of a second, longer than to compile most kernels. A program with declarations of
 * its own and {@link #OPTIONS} has the same meaning: each function has all its types, so that no call finds another one.
 *
 * <p>A function that is not known here is not declared, and the compiler refuses the program, which is then to be built
 * with the header.
 */
final class PoclDeclarations {

    /** The macro by which Clang's header sees that it was read before. */
    static final String OPTIONS = "-D_OPENCL_H_";

    /** Macros, and behind the names of functions the text that declares them. */
    private static final String FILE = "pocl.h";

    private static final Pattern LINE = Pattern.compile("([a-z]\\w*): (.*)");
    private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");
    private static final Pattern CONVERSION = Pattern.compile("convert_([a-z]+)(|2|3|4|8|16)(?:_sat)?(?:_rt[enpz])?");

    /** The beginning of the names of conversions; a macro that joins them from parts has it as a word. */
    private static final String CONVERT = "convert_";

    private static final List<String> SATURATED_TYPES =
            List.of("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong");

    private static final PoclDeclarations ALL = read();

    private final String macros;
    private final Map<String, String> functions;

    private PoclDeclarations(String macros, Map<String, String> functions) {
        this.macros = macros;
        this.functions = functions;
    }

    static boolean areFor(DeviceFacts facts) {
        return KnownDrivers.isPocl(facts);
    }

    /** The program with declarations before it; its lines keep their numbers in the compiler's messages. */
    static String declared(String source) {
        return ALL.of(source) + "#line 1\n" + source;
    }

    private String of(String source) {
        StringBuilder declarations = new StringBuilder(macros);
        Set<String> words = new TreeSet<>();
        WORD.matcher(source).results().forEach(word -> words.add(word.group()));
        for (String word : words) {
            String function = functions.get(word);
            if (function != null) {
                declarations.append(function).append('\n');
            } else if (word.equals(CONVERT)) {
                joinedConversions()
                        .filter(name -> !words.contains(name))
                        .forEach(name -> declarations.append(conversion(name)));
            } else if (word.startsWith(CONVERT)) {
                declarations.append(conversion(word));
            }
        }
        return declarations.toString();
    }

    private static Stream<String> joinedConversions() {
        return SATURATED_TYPES.stream()
                .flatMap(type -> Stream.of("", "4").map(lanes -> CONVERT + type + lanes + "_sat"));
    }

    private static String conversion(String name) {
        Matcher parts = CONVERSION.matcher(name);
        return parts.matches() ? "CONVERSION_(" + name + ", " + parts.group(1) + ", " + parts.group(2) + ")\n" : "";
    }

    private static PoclDeclarations read() {
        StringBuilder macros = new StringBuilder();
        Map<String, String> functions = new LinkedHashMap<>();
        for (String line : text().split("\n", -1)) {
            Matcher function = LINE.matcher(line);
            if (function.matches()) {
                functions.put(function.group(1), function.group(2));
            } else {
                macros.append(line).append('\n');
            }
        }
        return new PoclDeclarations(macros.toString(), Map.copyOf(functions));
    }

    private static String text() {
        try (InputStream stream = PoclDeclarations.class.getResourceAsStream(FILE)) {
            if (stream == null) {
                throw new IllegalStateException(FILE + " is missing beside " + PoclDeclarations.class);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
