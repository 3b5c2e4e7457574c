package org.clinfer.profile;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * An INI file as its lines are: sections in order, each with its entries in order.
 *
 * <p>The grammar is that of CANN's platform files: whole lines of comment begin with {@code #} or {@code ;}, blanks at both
 * ends of names and values do not count, there are no quotes and no comments behind a value, and a value may be empty. A
 * backslash at the end of a line continues its value on the next one.
 *
 * @param name the file's name, with which messages begin
 * @param hash SHA-256 of its text in UTF-8, in hexadecimal digits
 */
record IniFile(String name, String hash, List<Section> sections) {

    private static final int MAX_CHARACTERS = 4 << 20;

    /** A section; a file may have several of the same name. */
    record Section(String name, int line, List<Entry> entries) {
        Section {
            entries = List.copyOf(entries);
        }
    }

    /** A line {@code key = value}. */
    record Entry(String key, String value, int line) {}

    IniFile {
        sections = List.copyOf(sections);
    }

    /** The handler of a line that is not as it should be; where it returns, the line does not count. */
    @FunctionalInterface
    interface Problems {
        void at(int line, String message);
    }

    /**
     * Reads a file.
     *
     * @throws ProfileException if a line is neither a section, an entry nor a comment, or an entry is in no section
     */
    static IniFile parse(String name, String text) {
        return parse(name, text, thrown(name));
    }

    /** A handler that throws the first problem. */
    private static Problems thrown(String name) {
        return (line, message) -> {
            throw error(name, line, message);
        };
    }

    /** A handler that throws the first problem of this file. */
    Problems thrown() {
        return thrown(name);
    }

    /**
     * Reads what can be read of a file.
     *
     * @param problems told of every line that is neither a section, an entry nor a comment, and of entries in no section
     * @throws ProfileException if the file is too large
     */
    static IniFile parse(String name, String text, Problems problems) {
        if (text.length() > MAX_CHARACTERS) {
            throw new ProfileException(name + ": the file has more than " + MAX_CHARACTERS + " characters");
        }
        List<Section> sections = new ArrayList<>();
        Section open = null;
        List<Entry> entries = new ArrayList<>();
        String[] lines = text.split("\r?\n|\r", -1);
        for (int i = 0; i < lines.length; i++) {
            int number = i + 1;
            StringBuilder joined = new StringBuilder(stripped(lines[i], i == 0));
            boolean isComment = joined.length() > 0 && "#;".indexOf(joined.charAt(0)) >= 0;
            while (!isComment
                    && joined.length() > 0
                    && joined.charAt(joined.length() - 1) == '\\'
                    && i + 1 < lines.length) {
                joined.setLength(joined.length() - 1);
                joined.append(lines[++i].strip());
            }
            String line = joined.toString();
            if (line.isEmpty() || isComment) {
                continue;
            }
            if (line.startsWith("[")) {
                if (!line.endsWith("]") || line.length() == 2) {
                    problems.at(number, "expected [section], found " + shown(line));
                }
                if (open != null) {
                    sections.add(new Section(open.name(), open.line(), entries));
                }
                int end = line.endsWith("]") ? line.length() - 1 : line.length();
                open = new Section(line.substring(1, end).strip(), number, List.of());
                entries = new ArrayList<>();
                continue;
            }
            int equals = line.indexOf('=');
            if (equals <= 0 || open == null) {
                String expected = open == null ? "a [section] before the first entry" : "key = value";
                problems.at(number, "expected " + expected + ", found " + shown(line));
                continue;
            }
            entries.add(new Entry(
                    line.substring(0, equals).strip(),
                    line.substring(equals + 1).strip(),
                    number));
        }
        if (open != null) {
            sections.add(new Section(open.name(), open.line(), entries));
        }
        return new IniFile(name, hash(text), sections);
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    private static String stripped(String line, boolean isFirst) {
        return isFirst && line.startsWith("\uFEFF") ? line.substring(1).strip() : line.strip();
    }

    /** A text in quotes, cut where it is long. */
    static String shown(String line) {
        return "'" + (line.length() <= 60 ? line : line.substring(0, 60) + "…") + "'";
    }

    /** The first section of this name. */
    Optional<Section> section(String wanted) {
        return sections.stream()
                .filter(section -> section.name().equals(wanted))
                .findFirst();
    }

    /** An error at a line of this file. */
    ProfileException error(int line, String message) {
        return error(name, line, message);
    }

    /** An error at a line of a file. */
    static ProfileException error(String file, int line, String message) {
        return new ProfileException(file + ":" + line + ": " + message);
    }
}
