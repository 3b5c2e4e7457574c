package org.clinfer.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parameters of a kernel entry point, read from its source, so that arguments can be bound by name on every device,
 * also where a program comes from a binary.
 */
public record KernelSignature(String entry, List<Parameter> parameters) {

    /** The kind of argument that a parameter takes. */
    public enum Kind {
        BUFFER,
        LOCAL,
        SCALAR
    }

    /**
     * One parameter.
     *
     * @param type the element or scalar type without qualifiers: {@code float}, {@code int8}
     */
    public record Parameter(String name, Kind kind, String type) {}

    private static final String KERNEL = "kernel";
    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Set<String> QUALIFIERS = Set.of(
            "__global",
            "global",
            "__constant",
            "constant",
            "__local",
            "local",
            "__private",
            "private",
            "const",
            "restrict",
            "__restrict",
            "volatile");

    public KernelSignature {
        parameters = List.copyOf(parameters);
    }

    /**
     * Finds an entry point in preprocessed-free source text.
     *
     * @throws IllegalArgumentException if there is no such entry point or its parameters cannot be read
     */
    public static KernelSignature of(String source, String entry) {
        return find(withoutComments(source), entry)
                .orElseThrow(
                        () -> new IllegalArgumentException("the kernel source has no entry point '" + entry + "'"));
    }

    /**
     * The same in text without comments; empty where it has no such entry point.
     *
     * @throws IllegalArgumentException if its parameters cannot be read
     */
    static Optional<KernelSignature> find(String text, String entry) {
        Matcher head = Pattern.compile("\\b(?:__)?kernel\\b[^;{}]*?\\b" + Pattern.quote(entry) + "\\s*\\(")
                .matcher(text)
                .useTransparentBounds(true);
        for (int at = text.indexOf(KERNEL); at >= 0; at = text.indexOf(KERNEL, at + 1)) {
            int start = text.startsWith("__", at - 2) ? at - 2 : at;
            if (head.region(start, text.length()).lookingAt()) {
                int close = text.indexOf(')', head.end());
                if (close < 0) {
                    throw new IllegalArgumentException("the parameters of entry point '" + entry + "' do not end");
                }
                return Optional.of(new KernelSignature(entry, parameters(text.substring(head.end(), close), entry)));
            }
        }
        return Optional.empty();
    }

    /** Source text with a blank for each comment. */
    static String withoutComments(String source) {
        StringBuilder text = new StringBuilder(source.length());
        int done = 0;
        for (int slash = source.indexOf('/'); slash >= 0; slash = source.indexOf('/', Math.max(slash + 1, done))) {
            int end = commentEnd(source, slash);
            if (end >= 0) {
                text.append(source, done, slash).append(' ');
                done = end;
            }
        }
        return text.append(source, done, source.length()).toString();
    }

    /** The end of the comment that begins at a slash, or -1 where none does. */
    private static int commentEnd(String source, int slash) {
        if (source.startsWith("//", slash)) {
            int line = source.indexOf('\n', slash);
            return line < 0 ? source.length() : line;
        }
        int close = source.startsWith("/*", slash) ? source.indexOf("*/", slash + 2) : -1;
        return close < 0 ? -1 : close + 2;
    }

    /**
     * The parameters of a function.
     *
     * @param declarations what stands between its brackets
     * @param function its name, for messages
     * @throws IllegalArgumentException if they cannot be read
     */
    static List<Parameter> parameters(String declarations, String function) {
        List<Parameter> parameters = new ArrayList<>();
        for (String declaration : COMMA.splitAsStream(declarations).toList()) {
            if (!declaration.isBlank()) {
                parameters.add(parameter(declaration, function));
            }
        }
        return parameters;
    }

    private static Parameter parameter(String declaration, String entry) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(declaration);
        while (word.find()) {
            words.add(word.group());
        }
        List<String> bare = words.stream().filter(w -> !QUALIFIERS.contains(w)).toList();
        if (bare.size() < 2) {
            throw new IllegalArgumentException(
                    "parameter '" + declaration.strip() + "' of entry point '" + entry + "' has no type or no name");
        }
        boolean local = words.contains("__local") || words.contains("local");
        Kind kind = local ? Kind.LOCAL : declaration.contains("*") ? Kind.BUFFER : Kind.SCALAR;
        String type = String.join(" ", bare.subList(0, bare.size() - 1));
        return new Parameter(bare.get(bare.size() - 1), kind, type);
    }
}
