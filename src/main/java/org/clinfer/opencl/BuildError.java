package org.clinfer.opencl;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a compiler of OpenCL C calls an error.
 *
 * @param file as the compiler names it; empty where it has no name for a program's source
 * @param line from 1
 * @param text what is wrong, in the compiler's words
 */
public record BuildError(String file, int line, String text) {

    /** A name of a file, that of a drive included. */
    private static final String FILE = "(?<file>(?:[A-Za-z]:[\\\\/])?[^:\"*?|]*)";

    /*
     * Clang, of which most are made: "file.cl:11:44: error: …". NVIDIA's older compilers leave out the file, Intel's count
     * programs instead ("1:11:44: error: …"), Apple's say <program source>.
     */
    private static final Pattern CLANG =
            Pattern.compile(FILE + ":(?<line>\\d+):(?:\\d+:)? ?(?:fatal )?error: ?(?<text>.*)");

    /** PoCL writes what Clang finds in its own order. */
    private static final Pattern POCL =
            Pattern.compile("(?:fatal )?error: " + FILE + ":(?<line>\\d+):(?:\\d+:)? ?(?<text>.*)");

    /** The front end of EDG, in AMD's older compilers: the text may follow on the next line. */
    private static final Pattern EDG =
            Pattern.compile("\"(?<file>[^\"]*)\", line (?<line>\\d+): (?:catastrophic )?error[^:]*: ?(?<text>.*)");

    /** The same as some write it, after Microsoft's compiler. */
    private static final Pattern MICROSOFT = Pattern.compile(
            FILE + "\\((?<line>\\d+)(?:,\\d+)?\\) ?: (?:catastrophic |fatal )?error[^:]*: ?(?<text>.*)");

    private static final List<Pattern> FORMS = List.of(POCL, CLANG, EDG, MICROSOFT);

    /** A line that is longer is none of a compiler's messages. */
    private static final int LONGEST = 4096;

    /** The first error of a log; empty where it has none, or none of a known form. */
    public static Optional<BuildError> first(String log) {
        List<String> lines = log.lines().map(String::strip).toList();
        for (int i = 0; i < lines.size(); i++) {
            for (Pattern form : lines.get(i).length() > LONGEST ? List.<Pattern>of() : FORMS) {
                Matcher found = form.matcher(lines.get(i));
                if (found.matches() && found.group("line").length() < 10) {
                    String text = found.group("text").strip();
                    String next = i + 1 < lines.size() ? lines.get(i + 1) : "";
                    return Optional.of(new BuildError(
                            file(found.group("file")),
                            Integer.parseInt(found.group("line")),
                            text.isEmpty() ? next : text));
                }
            }
        }
        return Optional.empty();
    }

    /** The name of a file; empty for what compilers say where they were given none. */
    private static String file(String written) {
        boolean isNone = written.startsWith("<") || written.chars().allMatch(Character::isDigit);
        return isNone ? "" : written;
    }

    /** The place and what is wrong there: {@code file:line: text}. */
    @Override
    public String toString() {
        return file + ":" + line + ": " + text;
    }
}
