package org.clinfer.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ValueType;
import org.clinfer.profile.ProfileFinding.Level;
import org.clinfer.profile.ProfileReview.Kind;
import org.clinfer.tensor.DType;
import org.clinfer.text.Spelling;

/**
 * The review of a family's rule file, or of the vocabulary: of what is malformed, and of words that neither operators nor
 * the vocabulary nor profiles have. A rule with such a word is never decided.
 */
public final class RuleFileReview {

    private static final String VOCABULARY = "vocabulary.ini";
    private static final String LET = "let.";
    private static final String DTYPE = "dtype";
    private static final String DATA_TYPE = "data_type";
    private static final Pattern QUOTED = Pattern.compile("'([^']*)'");

    private final IniFile file;

    /** The sections by file and line. */
    private final Map<String, IniFile.Section> sections = new HashMap<>();

    /** The lines of the entries of each section, by its own line. */
    private final Map<Integer, Map<String, Integer>> lines = new HashMap<>();

    private final FindingList findings = new FindingList();

    /** The errors that were said, by line; a line of {@code [family]} is seen by many rules. */
    private final Set<String> said = new HashSet<>();

    private RuleFileReview(IniFile file) {
        this.file = file;
        file.sections().forEach(section -> sections.put(file.name() + ":" + section.line(), section));
    }

    /**
     * Looks through all rule files and the vocabulary of a folder of profiles.
     *
     * @param folder of profiles, with their rules in {@code rules}
     * @param catalog what was read of it
     * @param operators the names of tensors, parameters and scratch values of each operator
     * @return a review for each file
     * @throws ProfileException if one cannot be read
     */
    public static List<ProfileReview> ofFolder(
            Path folder, ProfileCatalog catalog, Map<String, Set<String>> operators) {
        try (Stream<Path> files = Files.list(folder.resolve(ProfileCatalog.RULES))) {
            return files.filter(file -> file.toString().endsWith(".ini"))
                    .sorted()
                    .map(file -> of(file, catalog, operators))
                    .toList();
        } catch (IOException failed) {
            throw new ProfileException(folder + ": " + failed.getMessage(), failed);
        }
    }

    /**
     * {@return whether a file has rules, or is a vocabulary, by what is in it}
     *
     * @param path an {@code .ini} file
     */
    public static boolean isRuleFile(Path path) {
        IniFile file = IniFile.parse(path.toString(), ProfileCatalog.text(path), (line, message) -> {});
        return isVocabulary(path.toString())
                || file.sections().stream()
                        .anyMatch(section -> section.name().equals("family")
                                || section.entries().stream()
                                        .anyMatch(entry -> entry.key().equals("require")
                                                || entry.key().startsWith(LET)));
    }

    private static boolean isVocabulary(String path) {
        return String.valueOf(Path.of(path).getFileName()).equals(VOCABULARY);
    }

    /**
     * Looks through a file of {@code device-profiles/rules}, whatever stands in it.
     *
     * @param path the file
     * @param catalog the vocabulary that rules are written in, and the profiles of the family
     * @param operators the names of tensors, parameters and scratch values of each operator
     * @return everything that was found in it
     * @throws ProfileException if it cannot be read, is too large or is no text
     */
    public static ProfileReview of(Path path, ProfileCatalog catalog, Map<String, Set<String>> operators) {
        return of(path.toString(), ProfileCatalog.text(path), catalog, operators);
    }

    static ProfileReview of(String path, String text, ProfileCatalog catalog, Map<String, Set<String>> operators) {
        boolean isVocabulary = isVocabulary(path);
        Kind kind = isVocabulary ? Kind.VOCABULARY : Kind.RULES;
        String family = isVocabulary ? "" : ProfileCatalog.stem(path);
        FindingList malformed = new FindingList();
        IniFile file =
                IniFile.parse(path, text, (line, message) -> malformed.add(Level.ERROR, line, "", () -> message));
        if (!malformed.all().isEmpty()) {
            return new ProfileReview(kind, path, family, malformed.all());
        }
        RuleFileReview review = new RuleFileReview(file);
        if (isVocabulary) {
            review.vocabulary(operators);
        } else {
            RuleSet.parse(family, file, review::malformed)
                    .filter(rules -> review.said.isEmpty())
                    .ifPresent(rules -> review.rules(rules, catalog, operators));
        }
        return new ProfileReview(kind, path, family, review.findings.all());
    }

    private void malformed(int line, String message) {
        add(Level.ERROR, line, message);
    }

    private void vocabulary(Map<String, Set<String>> operators) {
        KnownWords words = new KnownWords(operators, Vocabulary.parse(file, this::malformed));
        if (!said.isEmpty()) {
            return;
        }
        for (IniFile.Section section : file.sections()) {
            SectionFields fields = new SectionFields(file, section, Set.of("kind", LET), this::malformed);
            for (String operator : items(section.name())) {
                boolean isAll = operator.equals(Vocabulary.ALL);
                if (!isAll && !words.operators().contains(operator)) {
                    error(
                            section.line(),
                            "there is no operator " + IniFile.shown(operator),
                            operator,
                            words.operators());
                    continue;
                }
                Set<String> known = isAll ? new HashSet<>(KnownWords.TENSORS) : words.own(operator);
                String of = isAll ? "every operator" : operator;
                fields.expressions(LET).forEach((name, expression) -> {
                    names(line(section, LET + name), expression, known, of);
                    known.add(name);
                });
                fields.expression("kind").ifPresent(kind -> names(line(section, "kind"), kind, known, of));
                Map<String, ValueType> types = words.types(isAll ? "" : operator);
                fields.expressions(LET)
                        .forEach((name, expression) ->
                                mistakes(line(section, LET + name), LET + name, expression, types, ValueType.ANY));
                fields.expression("kind")
                        .ifPresent(kind -> mistakes(line(section, "kind"), "kind", kind, types, ValueType.STRING));
            }
        }
    }

    private void rules(RuleSet family, ProfileCatalog catalog, Map<String, Set<String>> operators) {
        KnownWords words = new KnownWords(operators, catalog.vocabulary());
        IniFile.Section head = file.section("family").orElseThrow();
        kinds(line(head, "operators"), family.operators(), words);
        if (family.cost().isPresent() && !family.cost().get().figures().containsKey(CostFigure.CLOCK_HZ)) {
            add(
                    Level.ERROR,
                    file.section("cost").map(IniFile.Section::line).orElse(1),
                    "[cost] needs '" + CostFigure.CLOCK_HZ.key() + "': without it no profile has estimates");
        }
        family.quantization()
                .ifPresent(by -> kinds(
                        file.section("quantization")
                                .map(section -> line(section, "kinds"))
                                .orElse(1),
                        by.kinds(),
                        words));
        FigureNames figures = FigureNames.of(catalog.profiles(family));
        family.memory().ifPresent(memory -> figures(line(head, "memory"), memory, figures));
        family.cost().ifPresent(cost -> costs(cost, words, figures));
        for (ProfileRule rule : family.rules()) {
            IniFile.Section section = section(rule.where());
            kinds(section.line(), rule.kinds(), words);
            for (String kind : rule.kinds()) {
                boolean isAll = kind.equals(Vocabulary.ALL);
                for (String operator : isAll ? Set.of("every operator") : words.operatorsOf(kind)) {
                    Set<String> known = isAll ? words.ofAll() : words.of(operator);
                    rule(rule, section, head, known, operator, figures);
                    types(rule, section, head, isAll ? Vocabulary.ALL : operator, words);
                }
            }
            unused(rule, section);
        }
    }

    /** The sections and keys of the profiles of a family; without profiles of it nothing is known of them. */
    private record FigureNames(Set<String> sections, Set<String> keys) {

        static FigureNames of(List<DeviceProfile> profiles) {
            Set<String> sections = new TreeSet<>();
            Set<String> keys = new TreeSet<>();
            for (DeviceProfile profile : profiles) {
                sections.addAll(profile.sections());
                keys.addAll(profile.figures().keySet());
            }
            return new FigureNames(sections, keys);
        }
    }

    /** The formulas of kinds of operators; those of the whole device are asked for many kinds at once. */
    private void costs(CostModel cost, KnownWords words, FigureNames figures) {
        for (CostModel.KindCost kind : cost.kinds()) {
            IniFile.Section section = section(kind.where());
            kinds(section.line(), kind.kinds(), words);
            for (String of : kind.kinds()) {
                boolean isAll = of.equals(Vocabulary.ALL);
                for (String operator : isAll ? Set.of("every operator") : words.operatorsOf(of)) {
                    Set<String> known = isAll ? words.ofAll() : words.of(operator);
                    known.addAll(CostModel.AMOUNTS);
                    known.addAll(cost.lets().keySet());
                    known.addAll(figures.sections);
                    for (IniFile.Entry entry : section.entries()) {
                        boolean isLet = entry.key().startsWith(LET);
                        if (isLet || isFormula(entry.key())) {
                            expression(entry.line(), Expr.parse(entry.value(), ""), known, operator, figures);
                        }
                        if (isLet) {
                            known.add(entry.key().substring(LET.length()));
                        }
                    }
                }
            }
        }
    }

    private static boolean isFormula(String key) {
        return key.equals("cycles") || key.equals("node_seconds") || CostModel.AMOUNTS.contains(key);
    }

    /** Says what is wrong with a rule whatever the values are: conditions that are numbers, numbers compared with words. */
    private void types(
            ProfileRule rule, IniFile.Section section, IniFile.Section head, String operator, KnownWords words) {
        Map<String, ValueType> types = words.types(operator);
        rule.lets().forEach((name, expression) -> {
            IniFile.Section at = has(section, LET + name) ? section : head;
            mistakes(line(at, LET + name), LET + name, expression, types, ValueType.ANY);
            types.put(name, expression.type(types));
        });
        rule.when().ifPresent(when -> mistakes(line(section, "when"), "when", when, types, ValueType.BOOL));
        rule.total()
                .ifPresent(total ->
                        mistakes(line(section, ProfileRule.TOTAL), ProfileRule.TOTAL, total, types, ValueType.NUMBER));
        mistakes(line(section, "require"), "require", rule.require(), types, ValueType.BOOL);
    }

    private void mistakes(int line, String key, Expr expression, Map<String, ValueType> types, ValueType expected) {
        expression.mistakes(types, expected).stream()
                .map(mistake -> String.valueOf(mistake.getMessage()))
                .map(message -> message.substring(Math.max(0, message.indexOf(key + ": "))))
                .forEach(message -> add(Level.ERROR, line, message));
        Set<String> labels = Arrays.stream(DType.values()).map(DType::label).collect(Collectors.toSet());
        if (expression.names().stream().noneMatch(name -> name.contains(DTYPE) || name.contains(DATA_TYPE))) {
            return;
        }
        Matcher quoted = QUOTED.matcher(expression.toString());
        while (quoted.find()) {
            String word = quoted.group(1);
            if (!labels.contains(word) && !Spelling.question(word, labels).isEmpty()) {
                error(line, key + ": there is no data type " + IniFile.shown(word), word, labels);
            }
        }
    }

    /** A name that nothing looks at is mostly one that was misspelt where it is used, or forgotten. */
    private void unused(ProfileRule rule, IniFile.Section section) {
        Set<String> used = new HashSet<>(rule.require().names());
        rule.when().ifPresent(when -> used.addAll(when.names()));
        rule.total().ifPresent(total -> used.addAll(total.names()));
        rule.lets().values().forEach(let -> used.addAll(let.names()));
        for (IniFile.Entry entry : section.entries()) {
            if (entry.key().startsWith(LET) && !used.contains(entry.key().substring(LET.length()))) {
                add(Level.WARNING, entry.line(), "nothing looks at " + entry.key());
            }
        }
    }

    private void rule(
            ProfileRule rule,
            IniFile.Section section,
            IniFile.Section head,
            Set<String> known,
            String operator,
            FigureNames figures) {
        known.addAll(figures.sections);
        known.add(ProfileRule.FOLLOWS_FALLBACK);
        if (rule.total().isPresent()) {
            known.add(ProfileRule.CONSTANT_DIMS);
        }
        rule.lets().forEach((name, expression) -> {
            IniFile.Section at = has(section, LET + name) ? section : head;
            expression(line(at, LET + name), expression, known, operator, figures);
            known.add(name);
        });
        rule.when().ifPresent(when -> expression(line(section, "when"), when, known, operator, figures));
        rule.total().ifPresent(total -> {
            expression(line(section, ProfileRule.TOTAL), total, known, operator, figures);
            known.add(ProfileRule.TOTAL);
        });
        expression(line(section, "require"), rule.require(), known, operator, figures);
    }

    private void expression(int line, Expr expression, Set<String> known, String operator, FigureNames figures) {
        if (figures.sections.isEmpty()) {
            Set<String> all = new HashSet<>(known);
            expression.fields().forEach(field -> all.add(FamilyKeys.section(field)));
            names(line, expression, all, operator);
            return;
        }
        names(line, expression, known, operator);
        figures(line, expression, figures);
    }

    private void names(int line, Expr expression, Set<String> known, String operator) {
        for (String name : new TreeSet<>(expression.names())) {
            if (!known.contains(name) && said.add(line + " " + name)) {
                Set<String> candidates = candidates(line, known);
                if (candidates.contains(name)) {
                    add(Level.ERROR, line, IniFile.shown(name) + " is used before its own line, let." + name);
                    continue;
                }
                error(
                        line,
                        "there is no " + IniFile.shown(name) + " for " + operator
                                + ", neither of its own nor among the words",
                        name,
                        candidates);
            }
        }
    }

    /** A name that is not used for being misspelt elsewhere may be the one that is meant. */
    private Set<String> candidates(int line, Set<String> known) {
        Set<String> candidates = new TreeSet<>(known);
        file.sections().stream()
                .filter(section -> section.name().equals("family") || isWithin(section, line))
                .flatMap(section -> section.entries().stream())
                .filter(entry -> entry.key().startsWith(LET))
                .forEach(entry -> candidates.add(entry.key().substring(LET.length())));
        return candidates;
    }

    /** A key that no profile has may be one that is not published yet, unless one is nearly called so. */
    private void figures(int line, Expr expression, FigureNames figures) {
        for (String field : expression.fields()) {
            String section = FamilyKeys.section(field);
            if (figures.sections.contains(section) && !figures.keys.contains(field)) {
                String key = field.substring(section.length() + 1);
                Set<String> keys = new TreeSet<>();
                figures.keys.stream()
                        .filter(each -> FamilyKeys.section(each).equals(section))
                        .forEach(each -> keys.add(each.substring(section.length() + 1)));
                String question = Spelling.question(key, keys);
                add(
                        Spelling.nearest(key, keys).isEmpty() ? Level.WARNING : Level.ERROR,
                        line,
                        "no profile of the family has " + IniFile.shown(key) + " in [" + section + "]" + question);
            }
        }
    }

    private void kinds(int line, List<String> kinds, KnownWords words) {
        for (String kind : kinds) {
            if (!kind.equals(Vocabulary.ALL) && words.operatorsOf(kind).isEmpty()) {
                error(
                        line,
                        IniFile.shown(kind) + " is neither an operator nor a kind of operators",
                        kind,
                        words.kinds());
            }
        }
    }

    private void error(int line, String message, String word, Set<String> words) {
        add(Level.ERROR, line, message + Spelling.question(word, new TreeSet<>(words)));
    }

    private void add(Level level, int line, String message) {
        if (said.add(line + message)) {
            findings.add(level, line, "", () -> message);
        }
    }

    private static boolean isWithin(IniFile.Section section, int line) {
        return section.entries().stream().anyMatch(entry -> entry.line() == line);
    }

    private IniFile.Section section(String where) {
        return Objects.requireNonNull(sections.get(where));
    }

    private boolean has(IniFile.Section section, String key) {
        return lines(section).containsKey(key);
    }

    /** The line of an entry, or of the section where it has none. */
    private int line(IniFile.Section section, String key) {
        return lines(section).getOrDefault(key, section.line());
    }

    private Map<String, Integer> lines(IniFile.Section section) {
        return lines.computeIfAbsent(section.line(), none -> {
            Map<String, Integer> own = new HashMap<>();
            section.entries().forEach(entry -> own.putIfAbsent(entry.key(), entry.line()));
            return own;
        });
    }

    private static List<String> items(String list) {
        return Arrays.stream(list.split(",", -1)).map(String::strip).toList();
    }
}
