package org.clinfer.profile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.clinfer.expr.ExprException;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;

/**
 * The profile of a device: the sections and keys of an {@code .ini} file. The section {@code [clinfer]} is ours; the
 * others are as the vendor writes them, and an empty value is one that is not known.
 */
public final class DeviceProfile {

    /** Our section. */
    static final String OWN = "clinfer";

    /** The keys of our section; {@code source.} stands for all that begin with it. */
    static final Set<String> OWN_KEYS =
            Set.of("family", "title", "vendor", "operators", "source", "source.", "note", "reading");

    /** Values of one list. */
    private static final int MAX_ITEMS = 1000;

    /**
     * A figure of the profile and where it stands.
     *
     * @param section of the profile
     * @param key in the section
     * @param value as it is written
     * @param file that has it
     * @param line from 1
     */
    public record Figure(String section, String key, String value, String file, int line) {
        /** {@return the place as {@code file:section:key}} */
        public String place() {
            return file + ":" + section + ":" + key;
        }
    }

    private final String name;
    private final String file;
    private final String hash;
    private final Map<String, Figure> figures;
    private final Map<String, ExpressionValue> sections;

    /** The same without an order, as scopes keep them. */
    private final Map<String, ExpressionValue> words;

    private final SectionFields own;
    private final RuleSet rules;
    private final List<String> operators;

    private DeviceProfile(String name, IniFile file, SectionFields own, RuleSet rules) {
        this.name = name;
        this.file = file.name();
        this.hash = file.hash();
        this.own = own;
        this.rules = rules;
        List<String> listed = own.list("operators");
        this.operators = listed.isEmpty() ? rules.operators() : List.copyOf(listed);
        Map<String, Figure> found = new LinkedHashMap<>();
        Map<String, Map<String, ExpressionValue>> values = new LinkedHashMap<>();
        for (IniFile.Section section : file.sections()) {
            if (section.name().equals(OWN)) {
                continue;
            }
            Map<String, ExpressionValue> fields = values.computeIfAbsent(section.name(), key -> new LinkedHashMap<>());
            for (IniFile.Entry entry : section.entries()) {
                // As readers of such files do, the first of two equal keys counts.
                found.putIfAbsent(
                        section.name() + "." + entry.key(),
                        new Figure(section.name(), entry.key(), entry.value(), file.name(), entry.line()));
                if (isTooLong(entry.value())) {
                    throw file.error(entry.line(), "a list has more than " + MAX_ITEMS + " values");
                }
                if (!entry.value().isEmpty()) {
                    fields.putIfAbsent(entry.key(), value(entry.value()));
                }
            }
        }
        this.figures = Collections.unmodifiableMap(found);
        Map<String, ExpressionValue> groups = new LinkedHashMap<>();
        values.forEach((section, fields) -> groups.put(section, new ExpressionValue.Fields(section, fields)));
        this.sections = Collections.unmodifiableMap(groups);
        this.words = Map.copyOf(groups);
    }

    /**
     * Makes a profile of a file.
     *
     * @param families the rules of all families by name
     * @throws ProfileException if it names no family that is known, and is of none by what it has
     */
    static DeviceProfile of(String name, IniFile file, Map<String, RuleSet> families) {
        IniFile.Section section = file.section(OWN).orElse(new IniFile.Section(OWN, 1, List.of()));
        SectionFields own = new SectionFields(file, section, OWN_KEYS, file.thrown());
        own.reading("reading");
        String family = own.text("family");
        if (!family.isEmpty()) {
            RuleSet rules = families.get(family);
            if (rules == null) {
                throw file.error(
                        own.line("family"),
                        "there is no family '" + family + "', only "
                                + String.join(
                                        ", ",
                                        families.keySet().stream().sorted().toList()));
            }
            return new DeviceProfile(name, file, own, rules);
        }
        for (RuleSet rules : families.values()) {
            int dot = rules.detect().indexOf('.');
            boolean fits = dot > 0
                    && file.section(rules.detect().substring(0, dot)).stream()
                            .flatMap(found -> found.entries().stream())
                            .anyMatch(entry -> entry.key().equals(rules.detect().substring(dot + 1)));
            if (fits) {
                return new DeviceProfile(name, file, own, rules);
            }
        }
        throw new ProfileException(file.name() + ": no [" + OWN + "] section names a family, and no family has profiles"
                + " with such sections");
    }

    /** Tells whether it is a list of more values than one may have. */
    static boolean isTooLong(String text) {
        return text.chars().filter(character -> character == ',').count() >= MAX_ITEMS;
    }

    /** The value of a text: a number, true or false, a text, or a list of these. */
    static ExpressionValue value(String text) {
        if (text.contains(",")) {
            List<ExpressionValue> items = new ArrayList<>();
            for (String item : text.split(",", -1)) {
                items.add(single(item.strip()));
            }
            return ExpressionValue.list(items);
        }
        return single(text);
    }

    private static ExpressionValue single(String text) {
        if (text.matches("-?[0-9]{1,18}")) {
            return ExpressionValue.of(Long.parseLong(text));
        }
        if (text.matches("-?[0-9]{1,18}\\.[0-9]{1,18}")) {
            return ExpressionValue.of(Double.parseDouble(text));
        }
        return text.equals("true") || text.equals("false")
                ? ExpressionValue.of(text.equals("true"))
                : ExpressionValue.of(text);
    }

    /** {@return the profile's short name, such as {@code ascend310}} */
    public String name() {
        return name;
    }

    /** {@return the file it comes from} */
    public String file() {
        return file;
    }

    /** {@return the SHA-256 of the file's text, in hexadecimal digits} */
    public String hash() {
        return hash;
    }

    /** {@return the name for people: the title it gives itself, or the SoC's own name} */
    public String title() {
        String title = own.text("title");
        return title.isEmpty()
                ? figure("version.SoC_version").map(Figure::value).orElse(name)
                : title;
    }

    /** {@return the maker of the device} */
    public String vendor() {
        String vendor = own.text("vendor");
        return vendor.isEmpty() ? rules.vendor() : vendor;
    }

    /** {@return the rules of its family} */
    public RuleSet rules() {
        return rules;
    }

    /** {@return the source of its figures; empty where it does not say} */
    public String source() {
        return own.text("source");
    }

    /** {@return something to know about it; may be empty} */
    public String note() {
        return own.text("note");
    }

    /**
     * {@return the source of one figure: what is said of it alone, else of all}
     *
     * @param figure as {@code Section.key}
     */
    public String sourceOf(String figure) {
        String single = own.text("source." + figure);
        return single.isEmpty() ? source() : single;
    }

    /** {@return the kinds of operators, and names of operators, that it runs at all; empty: all} */
    public List<String> operators() {
        return operators;
    }

    /** {@return the reading it asks for; empty: none in particular} */
    public Optional<Reading> reading() {
        return own.reading("reading");
    }

    /**
     * {@return everything it states, by {@code Section.key}, in the order of the file; our own section is not among
     * it}
     */
    public Map<String, Figure> figures() {
        return figures;
    }

    /**
     * {@return one figure, by {@code Section.key}; empty where the profile does not have the key}
     *
     * @param key as {@code Section.key}
     */
    public Optional<Figure> figure(String key) {
        return Optional.ofNullable(figures.get(key));
    }

    /**
     * {@return its sections as groups of fields, for expressions: {@code AICoreSpec.l1_size}}
     *
     * @param scope the names that expressions see beside them
     */
    public Scope over(Scope scope) {
        return scope.with(words);
    }

    /**
     * {@return {@link #over} with another value for one figure}
     *
     * @param figure as {@code Section.key}
     * @param value the other value
     */
    public UnaryOperator<Scope> with(String figure, ExpressionValue value) {
        int dot = figure.indexOf('.');
        String section = figure.substring(0, dot);
        Map<String, ExpressionValue> fields = new LinkedHashMap<>();
        if (sections.get(section) instanceof ExpressionValue.Fields known) {
            fields.putAll(known.fields());
        }
        fields.put(figure.substring(dot + 1), value);
        return scope -> over(scope).with(section, new ExpressionValue.Fields(section, fields));
    }

    /** {@return the bytes of memory that it has; empty where it does not say} */
    public OptionalLong memory() {
        try {
            return rules.memory()
                    .map(expression -> expression.evaluate(over(Scope.empty())))
                    .filter(ExpressionValue.Int.class::isInstance)
                    .map(value -> OptionalLong.of(((ExpressionValue.Int) value).value()))
                    .orElse(OptionalLong.empty());
        } catch (ExprException missing) {
            return OptionalLong.empty();
        }
    }

    /** {@return the names of its sections} */
    public Set<String> sections() {
        return sections.keySet();
    }

    @Override
    public String toString() {
        return name;
    }
}
