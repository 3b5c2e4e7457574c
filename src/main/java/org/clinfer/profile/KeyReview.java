package org.clinfer.profile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.profile.DeviceProfile.Figure;
import org.clinfer.profile.ProfileFinding.Level;
import org.clinfer.text.Spelling;

/** Holds the keys of a profile, and the types of its values, against its family. */
final class KeyReview {

    private static final String NUMBER = "a number";

    private final DeviceProfile profile;
    private final IniFile file;
    private final FamilyKeys family;
    private final FindingList findings;

    KeyReview(DeviceProfile profile, IniFile file, FamilyKeys family, FindingList findings) {
        this.profile = profile;
        this.file = file;
        this.family = family;
        this.findings = findings;
    }

    void review() {
        repeated();
        missing();
        profile.figures().values().forEach(this::value);
        if (!family.family().hasVendorFiles()) {
            unknown();
        }
    }

    private static String name(Figure figure) {
        return figure.section() + "." + figure.key();
    }

    /** In a vendor's own file the first counts; in ours a key stands once. */
    private void repeated() {
        Map<String, Integer> first = new HashMap<>();
        for (IniFile.Section section : file.sections()) {
            for (IniFile.Entry entry : section.entries()) {
                String key = section.name() + "." + entry.key();
                Integer line = first.putIfAbsent(key, entry.line());
                if (line != null && !section.name().equals(DeviceProfile.OWN)) {
                    findings.add(
                            family.family().hasVendorFiles() ? Level.NOTE : Level.ERROR,
                            entry.line(),
                            key.length() <= 60 ? key : "",
                            () -> IniFile.shown(entry.key()) + " is given in line " + line + " already, which counts");
                }
            }
        }
    }

    /** Keys that rules look at and that are not there, or have no value. */
    private void missing() {
        Set<String> sections =
                file.sections().stream().map(IniFile.Section::name).collect(Collectors.toSet());
        Set<String> wanted = new LinkedHashSet<>(family.rules().keySet());
        wanted.addAll(family.memory());
        wanted.addAll(family.cost());
        Map<String, Set<String>> absent = new LinkedHashMap<>();
        for (String key : wanted) {
            Optional<Figure> figure = profile.figure(key);
            String section = FamilyKeys.section(key);
            if (figure.isEmpty() && sections.contains(section)) {
                missing(key);
            } else if (figure.isEmpty()) {
                absent.computeIfAbsent(section, none -> new LinkedHashSet<>()).add(key);
            } else if (figure.get().value().isEmpty()) {
                findings.add(
                        Level.NOTE,
                        figure.get().line(),
                        key,
                        () -> "'" + figure.get().key() + "' has no value" + undecided(Set.of(key)));
            }
        }
        absent.forEach((section, keys) ->
                findings.add(level(keys), 1, section, () -> "there is no section [" + section + "]" + undecided(keys)));
    }

    private void missing(String key) {
        String section = FamilyKeys.section(key);
        String own = key.substring(section.length() + 1);
        findings.add(level(Set.of(key)), line(section), key, () -> {
            Set<String> others = profile.figures().values().stream()
                    .filter(figure -> figure.section().equals(section) && !family.has(name(figure)))
                    .map(Figure::key)
                    .collect(Collectors.toCollection(TreeSet::new));
            String instead = Spelling.nearest(own, others)
                    .map(close -> "; is '" + close + "' in line "
                            + profile.figure(section + "." + close)
                                    .map(Figure::line)
                                    .orElseThrow() + " meant for it?")
                    .orElse("");
            return "[" + section + "] has no key '" + own + "'" + undecided(Set.of(key)) + instead;
        });
    }

    /** Estimates of time are no verdicts: a profile may do without them. */
    private Level level(Set<String> keys) {
        return keys.stream()
                        .anyMatch(key -> family.rules().containsKey(key)
                                || family.memory().contains(key))
                ? Level.WARNING
                : Level.NOTE;
    }

    /** The facts that cannot be said without these keys. */
    private String undecided(Set<String> keys) {
        Set<String> rules = new LinkedHashSet<>();
        keys.forEach(key -> rules.addAll(family.rules().getOrDefault(key, Set.of())));
        List<String> what = new ArrayList<>();
        if (!rules.isEmpty()) {
            what.add("what these rules say: " + FamilyKeys.some(rules));
        }
        if (keys.stream().anyMatch(family.memory()::contains)) {
            what.add("how much memory the device has");
        }
        if (keys.stream().anyMatch(family.cost()::contains)) {
            what.add("what nodes cost");
        }
        return what.isEmpty() ? "" : "; not known is then " + String.join(", and ", what);
    }

    private int line(String section) {
        return file.section(section).map(IniFile.Section::line).orElse(1);
    }

    /** Keys and sections that the family does not have. */
    private void unknown() {
        Set<String> sections = family.sections();
        for (IniFile.Section section : file.sections()) {
            if (section.name().equals(DeviceProfile.OWN)) {
                continue;
            }
            if (!sections.contains(section.name())) {
                findings.add(
                        Level.ERROR,
                        section.line(),
                        "",
                        () -> "no rule of the family '" + family.family().family() + "' looks at a section "
                                + IniFile.shown(section.name()) + ", and none of its profiles has one"
                                + Spelling.question(section.name(), sections));
                continue;
            }
            for (IniFile.Entry entry : section.entries()) {
                if (!family.has(section.name() + "." + entry.key())) {
                    findings.add(
                            Level.ERROR,
                            entry.line(),
                            entry.key().length() <= 60 ? section.name() + "." + entry.key() : section.name(),
                            () -> "no rule of the family '" + family.family().family() + "' looks at "
                                    + IniFile.shown(entry.key()) + " in [" + section.name()
                                    + "], and none of its profiles has it" + meant(section.name(), entry.key()));
                }
            }
        }
    }

    private String meant(String section, String key) {
        String close = Spelling.question(key, family.in(section));
        if (!close.isEmpty()) {
            return close;
        }
        return family.sections().stream()
                .filter(other -> family.has(other + "." + key))
                .findFirst()
                .map(other -> "; did you mean the one of [" + other + "]?")
                .orElse("");
    }

    /** Another type of value than the profiles of the family have. */
    private void value(Figure figure) {
        String key = name(figure);
        if (figure.value().isEmpty() || !family.isOurs(key)) {
            return;
        }
        Set<String> expected = new TreeSet<>();
        family.values(key).forEach(value -> expected.add(type(value)));
        if (expected.isEmpty() && family.isNumber(key)) {
            expected.add(NUMBER);
        }
        ExpressionValue value = DeviceProfile.value(figure.value());
        if (!expected.isEmpty() && !expected.contains(type(value))) {
            findings.add(
                    Level.ERROR,
                    figure.line(),
                    key,
                    () -> "expected " + String.join(" or ", expected) + " for '" + figure.key() + "', found "
                            + IniFile.shown(figure.value()) + advice(expected, value, figure.value()));
            return;
        }
        word(figure, value);
    }

    /** A data type that there is not, or a word that is nearly one of those that rules look for. */
    private void word(Figure figure, ExpressionValue value) {
        String key = name(figure);
        Set<String> words = family.words(key);
        for (String text : FamilyKeys.texts(value)) {
            if (words.contains(text)) {
                continue;
            }
            if (family.isDataType(key)) {
                findings.add(
                        Level.ERROR,
                        figure.line(),
                        key,
                        () -> "there is no data type " + IniFile.shown(text) + " for '" + figure.key() + "'"
                                + instead(text, words));
            } else if (Spelling.nearest(text, words).isPresent()) {
                findings.add(
                        Level.WARNING,
                        figure.line(),
                        key,
                        () -> "no rule looks for " + IniFile.shown(text) + " as '" + figure.key() + "'"
                                + Spelling.question(text, words));
            }
        }
    }

    private static String instead(String text, Set<String> words) {
        String question = Spelling.question(text, words);
        return question.isEmpty() ? ", only " + FamilyKeys.some(words) : question;
    }

    private static String advice(Set<String> expected, ExpressionValue value, String text) {
        if (expected.contains(NUMBER) && value instanceof ExpressionValue.Text && text.matches("[-+0-9.].{0,60}")) {
            return "; numbers are plain decimals without a unit";
        }
        if (!(value instanceof ExpressionValue.ListOf) && expected.contains("a list of " + plural(value))) {
            return "; a list of one is written as a list of two that are equal";
        }
        return "";
    }

    /** The common name of the type of a value. */
    private static String type(ExpressionValue value) {
        if (value instanceof ExpressionValue.ListOf list) {
            Set<String> types = new TreeSet<>();
            list.elements().forEach(element -> types.add(plural(element)));
            return "a list of " + String.join(" and ", types);
        }
        if (value instanceof ExpressionValue.Bool) {
            return "true or false";
        }
        return value instanceof ExpressionValue.Text ? "a word" : NUMBER;
    }

    private static String plural(ExpressionValue value) {
        if (value instanceof ExpressionValue.Bool) {
            return "truths";
        }
        return value instanceof ExpressionValue.Text ? "words" : "numbers";
    }
}
