package org.clinfer.profile;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExprException;
import org.clinfer.tensor.DType;
import org.clinfer.text.Spelling;

/** The entries of a section of our own, where unknown and repeated keys are errors. */
final class SectionFields {

    private static final Pattern UNKNOWN_FUNCTION = Pattern.compile("unknown function '(\\w+)'");

    private final IniFile file;
    private final IniFile.Section section;
    private final Map<String, IniFile.Entry> entries = new HashMap<>();

    /** @param known the keys it may have; {@code let.} stands for all that begin with it */
    SectionFields(IniFile file, IniFile.Section section, Set<String> known) {
        this.file = file;
        this.section = section;
        for (IniFile.Entry entry : section.entries()) {
            String key = entry.key();
            int dot = key.indexOf('.');
            if (!known.contains(key) && (dot < 0 || !known.contains(key.substring(0, dot + 1)))) {
                throw file.error(
                        entry.line(),
                        "[" + section.name() + "] has no key '" + key + "', only "
                                + String.join(
                                        ", ",
                                        known.stream()
                                                .filter(each -> !each.endsWith(".")
                                                        || !known.contains(each.substring(0, each.length() - 1)))
                                                .sorted()
                                                .toList())
                                + meant(key, known));
            }
            if (entries.put(key, entry) != null) {
                throw file.error(entry.line(), "'" + key + "' is given twice in [" + section.name() + "]");
            }
        }
    }

    private static String meant(String key, Set<String> known) {
        int dot = key.indexOf('.');
        return dot < 0
                ? Spelling.question(key, known)
                : Spelling.nearest(key.substring(0, dot + 1), known)
                        .filter(prefix -> prefix.endsWith("."))
                        .map(prefix -> "; did you mean '" + prefix + key.substring(dot + 1) + "'?")
                        .orElse("");
    }

    /** The line of a key, or of the section where it has none. */
    int line(String key) {
        return Optional.ofNullable(entries.get(key)).map(IniFile.Entry::line).orElse(section.line());
    }

    String text(String key) {
        return Optional.ofNullable(entries.get(key)).map(IniFile.Entry::value).orElse("");
    }

    /** @throws ProfileException if it is missing or empty */
    String required(String key) {
        String text = text(key);
        if (text.isEmpty()) {
            throw file.error(section.line(), "[" + section.name() + "] needs '" + key + "'");
        }
        return text;
    }

    /** False where it is missing. */
    boolean flag(String key) {
        String text = text(key);
        if (!text.isEmpty() && !text.equals("true") && !text.equals("false")) {
            throw file.error(
                    Objects.requireNonNull(entries.get(key)).line(),
                    key + ": expected true or false, found '" + text + "'");
        }
        return text.equals("true");
    }

    List<String> list(String key) {
        return Arrays.stream(text(key).split(",", -1))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    /** The data types of a list. */
    List<DType> types(String key) {
        return list(key).stream().map(label -> type(key, label)).toList();
    }

    /** A data type; empty where there is none. */
    Optional<DType> type(String key) {
        return Optional.of(text(key)).filter(label -> !label.isEmpty()).map(label -> type(key, label));
    }

    private DType type(String key, String label) {
        return DType.of(label).orElseThrow(() -> {
            IniFile.Entry entry = Objects.requireNonNull(entries.get(key));
            return file.error(
                    entry.line(),
                    key + ": there is no data type '" + label + "'"
                            + Spelling.question(
                                    label,
                                    Arrays.stream(DType.values())
                                            .map(DType::label)
                                            .toList()));
        });
    }

    Optional<Expr> expression(String key) {
        return Optional.ofNullable(entries.get(key)).map(this::parsed);
    }

    /** The expressions of the keys with this prefix, without it, in the order of the file. */
    Map<String, Expr> expressions(String prefix) {
        Map<String, Expr> expressions = new LinkedHashMap<>();
        for (IniFile.Entry entry : section.entries()) {
            if (entry.key().startsWith(prefix)) {
                expressions.put(entry.key().substring(prefix.length()), parsed(entry));
            }
        }
        return expressions;
    }

    private Expr parsed(IniFile.Entry entry) {
        try {
            return Expr.parse(entry.value(), file.name() + ":" + entry.line() + ": " + entry.key());
        } catch (ExprException malformed) {
            Matcher function = UNKNOWN_FUNCTION.matcher(malformed.reason());
            String meant = function.matches() ? Spelling.question(function.group(1), Expr.functions()) : "";
            throw new ProfileException(malformed.getMessage() + meant, malformed);
        }
    }

    /**
     * The evidence of a section.
     *
     * @param general that of what it does not say itself; the date goes with the version
     * @throws ProfileException if a word is unknown, a date is malformed, or the kind of evidence is missing
     */
    Optional<Evidence> evidence(Optional<Evidence> general) {
        Optional<Evidence.Kind> own = value("evidence").map(this::kind);
        Optional<IniFile.Entry> sdk = value("sdk");
        Optional<IniFile.Entry> read = value("read");
        read.filter(entry -> !Evidence.isDate(entry.value())).ifPresent(entry -> {
            throw file.error(
                    entry.line(),
                    "read: expected a date such as 2024, 2024-05 or 2024-05-31, found '" + entry.value() + "'");
        });
        Optional<Evidence.Kind> kind = own.or(() -> general.map(Evidence::kind));
        if (kind.isEmpty() && (sdk.isPresent() || read.isPresent())) {
            throw file.error(
                    sdk.or(() -> read).orElseThrow().line(),
                    "sdk and read belong to evidence, one of " + Evidence.Kind.labels());
        }
        return kind.map(of -> new Evidence(
                of,
                sdk.map(IniFile.Entry::value).or(() -> general.flatMap(Evidence::sdk)),
                sdk.isPresent() || read.isPresent()
                        ? read.map(IniFile.Entry::value)
                        : general.flatMap(Evidence::read)));
    }

    private Evidence.Kind kind(IniFile.Entry entry) {
        return Evidence.Kind.of(entry.value())
                .orElseThrow(() -> file.error(
                        entry.line(),
                        "evidence: expected one of " + Evidence.Kind.labels() + ", found '" + entry.value() + "'"
                                + Spelling.question(
                                        entry.value(),
                                        List.of(Evidence.Kind.labels().split(", ", -1)))));
    }

    /** An entry that says something. */
    private Optional<IniFile.Entry> value(String key) {
        return Optional.ofNullable(entries.get(key))
                .filter(entry -> !entry.value().isEmpty());
    }

    Optional<Reading> reading(String key) {
        String text = text(key);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(reading(key, text));
    }

    /** A list of readings; all where there is none. */
    Set<Reading> readings(String key) {
        Set<Reading> readings = EnumSet.noneOf(Reading.class);
        list(key).forEach(label -> readings.add(reading(key, label)));
        return readings.isEmpty() ? EnumSet.allOf(Reading.class) : readings;
    }

    private Reading reading(String key, String label) {
        return Reading.of(label).orElseThrow(() -> {
            IniFile.Entry entry = Objects.requireNonNull(entries.get(key));
            return file.error(
                    entry.line(),
                    key + ": expected one of " + Reading.labels() + ", found '" + label + "'"
                            + Spelling.question(label, List.of(Reading.labels().split(", ", -1))));
        });
    }
}
