package org.clinfer.profile;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private final IniFile.Problems problems;
    private final Map<String, IniFile.Entry> entries = new HashMap<>();

    /**
     * @param known the keys it may have; {@code let.} stands for all that begin with it
     * @param problems told of every entry that is wrong or missing
     */
    SectionFields(IniFile file, IniFile.Section section, Set<String> known, IniFile.Problems problems) {
        this.file = file;
        this.section = section;
        this.problems = problems;
        for (IniFile.Entry entry : section.entries()) {
            String key = entry.key();
            int dot = key.indexOf('.');
            if (!known.contains(key) && (dot < 0 || !known.contains(key.substring(0, dot + 1)))) {
                problems.at(
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
            } else if (entries.putIfAbsent(key, entry) != null) {
                problems.at(entry.line(), "'" + key + "' is given twice in [" + section.name() + "]");
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

    /** The text of a key without which the section is malformed. */
    String required(String key) {
        String text = text(key);
        if (text.isEmpty()) {
            problems.at(line(key), "[" + section.name() + "] needs '" + key + "'");
        }
        return text;
    }

    /** False where it is missing. */
    boolean flag(String key) {
        String text = text(key);
        if (!text.isEmpty() && !text.equals("true") && !text.equals("false")) {
            problems.at(line(key), key + ": expected true or false, found '" + text + "'");
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
        return list(key).stream().flatMap(label -> type(key, label).stream()).toList();
    }

    /** A data type; empty where there is none. */
    Optional<DType> type(String key) {
        return Optional.of(text(key)).filter(label -> !label.isEmpty()).flatMap(label -> type(key, label));
    }

    private Optional<DType> type(String key, String label) {
        Optional<DType> type = DType.of(label);
        if (type.isEmpty()) {
            List<String> labels =
                    Arrays.stream(DType.values()).map(DType::label).toList();
            problems.at(line(key), key + ": there is no data type '" + label + "'" + Spelling.question(label, labels));
        }
        return type;
    }

    Optional<Expr> expression(String key) {
        return Optional.ofNullable(entries.get(key)).flatMap(this::parsed);
    }

    /** The expressions of the keys with this prefix, without it, in the order of the file. */
    Map<String, Expr> expressions(String prefix) {
        Map<String, Expr> expressions = new LinkedHashMap<>();
        for (IniFile.Entry entry : section.entries()) {
            if (entry.key().startsWith(prefix)) {
                parsed(entry).ifPresent(parsed -> expressions.put(entry.key().substring(prefix.length()), parsed));
            }
        }
        return expressions;
    }

    private Optional<Expr> parsed(IniFile.Entry entry) {
        String place = file.name() + ":" + entry.line() + ": ";
        try {
            return Optional.of(Expr.parse(entry.value(), place + entry.key()));
        } catch (ExprException malformed) {
            Matcher function = UNKNOWN_FUNCTION.matcher(malformed.reason());
            String meant = function.matches() ? Spelling.question(function.group(1), Expr.functions()) : "";
            problems.at(entry.line(), String.valueOf(malformed.getMessage()).substring(place.length()) + meant);
            return Optional.empty();
        }
    }

    /**
     * The evidence of a section.
     *
     * @param general that of what it does not say itself; the date goes with the version
     * @return empty where neither says its kind, or a word of it is not known
     */
    Optional<Evidence> evidence(Optional<Evidence> general) {
        Optional<Evidence.Kind> own = value("evidence").flatMap(this::kind);
        Optional<IniFile.Entry> sdk = value("sdk");
        Optional<IniFile.Entry> read = value("read");
        read.filter(entry -> !Evidence.isDate(entry.value())).ifPresent(entry -> {
            problems.at(
                    entry.line(),
                    "read: expected a date such as 2024, 2024-05 or 2024-05-31, found '" + entry.value() + "'");
        });
        Optional<Evidence.Kind> kind = own.or(() -> general.map(Evidence::kind));
        if (kind.isEmpty() && (sdk.isPresent() || read.isPresent())) {
            problems.at(
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

    private Optional<Evidence.Kind> kind(IniFile.Entry entry) {
        Optional<Evidence.Kind> kind = Evidence.Kind.of(entry.value());
        if (kind.isEmpty()) {
            problems.at(
                    entry.line(),
                    "evidence: expected one of " + Evidence.Kind.labels() + ", found '" + entry.value() + "'"
                            + Spelling.question(
                                    entry.value(),
                                    List.of(Evidence.Kind.labels().split(", ", -1))));
        }
        return kind;
    }

    /** An entry that says something. */
    private Optional<IniFile.Entry> value(String key) {
        return Optional.ofNullable(entries.get(key))
                .filter(entry -> !entry.value().isEmpty());
    }

    Optional<Reading> reading(String key) {
        return Optional.of(text(key)).filter(text -> !text.isEmpty()).flatMap(text -> reading(key, text));
    }

    /** A list of readings; all where there is none. */
    Set<Reading> readings(String key) {
        Set<Reading> readings = EnumSet.noneOf(Reading.class);
        list(key).forEach(label -> reading(key, label).ifPresent(readings::add));
        return readings.isEmpty() ? EnumSet.allOf(Reading.class) : readings;
    }

    private Optional<Reading> reading(String key, String label) {
        Optional<Reading> reading = Reading.of(label);
        if (reading.isEmpty()) {
            problems.at(
                    line(key),
                    key + ": expected one of " + Reading.labels() + ", found '" + label + "'"
                            + Spelling.question(label, List.of(Reading.labels().split(", ", -1))));
        }
        return reading;
    }
}
