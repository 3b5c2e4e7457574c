package org.clinfer.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clinfer.expr.Expr;
import org.clinfer.profile.ProfileFinding.Level;
import org.clinfer.text.Spelling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rule files and vocabularies with one slip of the pen, at random: each is an error in its line, with the word that was meant. */
class DamagedRulesTest {

    private static final int FILES = 200;
    private static final ProfileCatalog CATALOG = ProfileCatalog.builtIn();
    private static final Map<String, Set<String>> OPERATORS = RuleFilesTest.operatorNames();
    private static final Path FOLDER = Path.of("device-profiles/rules");

    /** A word of one line: where it stands, and what it is there. */
    private enum Damage {
        KEY("^(let(?=\\.)|when|require|message|source|title|vendor|operators|complete)\\b"),
        NAME("(?<![\\w.'\\[])([a-z_][a-z_0-9]{4,})\\b(?! *[(.]| *->)"),
        FUNCTION("\\b([a-z_]{4,})(?=\\()"),
        FIGURE("\\b[A-Z]\\w+\\.([a-z_0-9]{5,})"),
        HEAD("^\\[(family|converts|quantization)\\]"),
        KIND("^\\[([a-z0-9-]{5,})/"),
        OPERATOR("^\\[([A-Z]\\w{4,})[\\],]");

        private final Pattern word;
        private final boolean isInExpression;

        Damage(String word) {
            this.word = Pattern.compile(word);
            this.isInExpression = !word.startsWith("^");
        }
    }

    static Stream<Integer> seeds() {
        return IntStream.range(0, FILES).boxed();
    }

    /** @param word what was there */
    private record Slip(Damage damage, int line, String word, String text) {}

    @ParameterizedTest
    @MethodSource("seeds")
    void aSlipIsFoundInItsLine(int seed) throws IOException {
        Random random = new Random(seed);
        // Every third is a vocabulary.
        List<Path> files = seed % 3 == 0 ? List.of(FOLDER.resolve("vocabulary.ini")) : ruleFiles();
        Path file = files.get(random.nextInt(files.size()));
        Slip slip = Stream.generate(() -> slip(file, random))
                .limit(1000)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow();
        ProfileReview review = RuleFileReview.of(file.toString(), slip.text, CATALOG, OPERATORS);
        assertThat(review.findings())
                .as("%s of %s:%s, '%s'", slip.damage, file, slip.line, slip.word)
                .anyMatch(finding -> finding.level() == Level.ERROR
                        && finding.line() == slip.line
                        && finding.message().contains("did you mean '" + slip.word));
    }

    private static List<Path> ruleFiles() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".ini") && !file.endsWith("vocabulary.ini"))
                    .sorted()
                    .toList();
        }
    }

    /** Empty where the line that was drawn has no such word, or another one that there is came out. */
    private static Optional<Slip> slip(Path file, Random random) {
        List<String> lines = new ArrayList<>(ProfileCatalog.text(file).lines().toList());
        int at = random.nextInt(lines.size());
        String line = lines.get(at);
        Damage damage = Damage.values()[random.nextInt(Damage.values().length)];
        int from = damage.isInExpression ? line.indexOf('=') + 1 : 0;
        boolean isText = !line.matches("(let\\.|when|require|kind|memory|\\[).*") && damage.isInExpression;
        boolean isContinued = (at > 0 && lines.get(at - 1).endsWith("\\")) || line.endsWith("\\");
        Matcher found = damage.word.matcher(line);
        // The formulas of a whole device see the words of many kinds.
        boolean isOfDevice = at >= lines.lastIndexOf("[cost]") && lines.contains("[cost]") && !isBehindKinds(lines, at);
        boolean isNotHere =
                line.startsWith("#") || isOfDevice || isText || isContinued || (from == 0 && damage.isInExpression);
        if (isNotHere || !found.find(from) || isQuoted(line, found.start(1))) {
            return Optional.empty();
        }
        String word = found.group(1);
        String damaged = DamagedProfilesTest.misspelt(word, random);
        if (isConstant(word) || Character.isDigit(damaged.charAt(0)) || !isNearest(word, damaged)) {
            return Optional.empty();
        }
        lines.set(at, line.substring(0, found.start(1)) + damaged + line.substring(found.end(1)));
        return Optional.of(new Slip(damage, at + 1, word, String.join("\n", lines)));
    }

    /** Whether the section of a line is another one than that of a whole device. */
    private static boolean isBehindKinds(List<String> lines, int at) {
        return IntStream.rangeClosed(lines.lastIndexOf("[cost]") + 1, at)
                .anyMatch(line -> lines.get(line).startsWith("["));
    }

    private static boolean isQuoted(String line, int at) {
        return line.substring(0, at).chars().filter(each -> each == '\'').count() % 2 == 1;
    }

    private static boolean isConstant(String word) {
        return Set.of("false", "absent").contains(word);
    }

    /** Whether nobody could take it for another word. */
    private static boolean isNearest(String word, String damaged) {
        Set<String> known = new TreeSet<>(CATALOG.vocabulary().kinds());
        known.addAll(OPERATORS.keySet());
        OPERATORS.values().forEach(known::addAll);
        known.addAll(Expr.functions());
        CATALOG.vocabulary().operators().stream()
                .flatMap(operator -> CATALOG.vocabulary().words(operator).stream())
                .forEach(words -> known.addAll(words.lets().keySet()));
        known.add(word);
        return Spelling.nearest(damaged, known).equals(Optional.of(word));
    }

    @Test
    void aNameThatIsUsedBeforeItsLineIsNotMisspelt() {
        String rules = """
                [family]
                title = Own
                vendor = Nobody
                source = none

                [conv2d/size]
                let.a = b + 1
                let.b = a + 1
                require = a > b
                message = too large
                source = none
                """;
        ProfileReview review = RuleFileReview.of("own.ini", rules, CATALOG, OPERATORS);
        assertThat(review.findings())
                .extracting(ProfileFinding::line, ProfileFinding::message)
                .containsExactly(tuple(7, "'b' is used before its own line, let.b"));
    }

    @Test
    void namesOfAFamilyWithoutProfilesAreCheckedButThoseOfItsFigures() {
        String rules = """
                [family]
                title = Own
                vendor = Nobody
                source = none

                [conv2d/size]
                require = Limits.kernel >= kernel_h && kernel_hh > 0
                message = too large
                source = none
                """;
        ProfileReview review = RuleFileReview.of("own.ini", rules, CATALOG, OPERATORS);
        assertThat(review.findings())
                .extracting(ProfileFinding::line, ProfileFinding::message)
                .containsExactly(tuple(
                        7,
                        "there is no 'kernel_hh' for FusedConv, neither of its own nor among the words;"
                                + " did you mean 'kernel_h'?"));
    }

    private static final String OWN = """
            [family]
            title = Own
            vendor = Nobody
            source = none

            [conv2d/size]
            let.k = kernel_h * kernel_w
            when = k > 1
            require = k <= 9 && input_dtypes[0] == 'int8'
            message = too large
            source = none

            [cost]
            clock_hz = Speed.clock_hz
            source = none

            [cost max-pool]
            cycles = kernel_h
            """;

    /** Slips that leave names as they are. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "when = k > 1 | when = k | 8: error: when: expected a bool, not a number, at column 1 of: k",
                "k <= 9 | k <= '9' | 9: error: require: '<=' cannot compare a number with a string, at column 1 of:",
                "kernel_h * kernel_w | input_dims * 2 | 7: error: let.k: '*' cannot take a list of lists and an int",
                "input_dtypes[0] == 'int8' | input_dtypes[0] == 8 | 9: error: require: '==' cannot compare a string with",
                "input_dtypes[0] | input_dims[0] | 9: error: require: '==' cannot compare a list of ints with a string",
                "'int8' | 'in8' | 9: error: require: there is no data type 'in8'; did you mean 'int8'?",
                "'int8' | 'fp16' | 9: error: require: there is no data type 'fp16'; did you mean 'float16'?",
                "k <= 9 | kernel_h <= 9 | 7: warning: nothing looks at let.k",
                "clock_hz = Speed.clock_hz | start_seconds = 1 | 13: error: [cost] needs 'clock_hz': without it no profile",
                "max-pool | max-pol | 17: error: 'max-pol' is neither an operator nor a kind of operators; did you mean"
                        + " 'max-pool'?",
                "[cost max-pool] | [cost con2d] | 17: error: 'con2d' is neither an operator nor a kind of operators; did you"
                        + " mean 'conv2d'?",
            })
    void slipsInWhatAnExpressionMeansAreFound(String from, String to, String expected) {
        String text = from.equals("k <= 9") && to.startsWith("kernel") ? OWN.replace("when = k > 1\n", "\n") : OWN;
        assertThat(RuleFileReview.of("own.ini", text.replace(from, to), CATALOG, OPERATORS).findings().stream()
                        .map(found -> found.line() + ": " + found.level().label() + ": " + found.message()))
                .singleElement()
                .asString()
                .startsWith(expected);
    }

    @Test
    void theRulesOfTheTestAreSound() {
        assertThat(RuleFileReview.of("own.ini", OWN, CATALOG, OPERATORS).findings())
                .isEmpty();
    }

    @Test
    void everythingThatIsMalformedOrMissingIsSaid() {
        String rules = """
                [family]
                titl = Own
                complete = maybe
                [quantization]
                types = int9, float17
                [converts]
                pad-into-convolutio = somewhere
                fold-scale =
                [cost]
                clock_hz = (
                [cost conv2d]
                source = page 1
                [conv2d]
                require = true
                [conv2d/batch]
                reading = own
                [max-pool/window]
                require = kernel_h <
                message = too large
                source = page 2
                evidence = rumour
                """;
        assertThat(RuleFileReview.of("own.ini", rules, CATALOG, OPERATORS).findings())
                .allMatch(finding -> finding.level() == Level.ERROR)
                .extracting(
                        ProfileFinding::line,
                        finding -> finding.message().replaceFirst(",? (only|at column|one of|did) .*", ""))
                .containsExactly(
                        tuple(1, "[family] needs 'title'"),
                        tuple(1, "[family] needs 'vendor'"),
                        tuple(1, "[family] needs 'source'"),
                        tuple(2, "[family] has no key 'titl'"),
                        tuple(3, "complete: expected true or false, found 'maybe'"),
                        tuple(4, "[quantization] needs 'source'"),
                        tuple(5, "types: there is no data type 'int9';"),
                        tuple(5, "types: there is no data type 'float17';"),
                        tuple(7, "there is no step 'pad-into-convolutio' of a converter"),
                        tuple(8, "fold-scale needs its source"),
                        tuple(9, "[cost] needs 'source'"),
                        tuple(10, "clock_hz: expected a value, found the end"),
                        tuple(11, "[cost conv2d] needs 'cycles'"),
                        tuple(13, "expected [kind/rule], found [conv2d]"),
                        tuple(15, "[conv2d/batch] needs 'require'"),
                        tuple(15, "[conv2d/batch] needs 'message'"),
                        tuple(15, "[conv2d/batch] needs 'source'"),
                        tuple(16, "reading: expected"),
                        tuple(18, "require: expected a value, found the end"),
                        tuple(21, "evidence: expected"));
    }

    @Test
    void everyMalformedWordIsSaid() {
        String vocabulary = """
                [*]
                knd = 'all'
                let.a = (
                [Relu]
                kind =
                [Relu]
                """;
        assertThat(RuleFileReview.of("vocabulary.ini", vocabulary, CATALOG, OPERATORS)
                        .findings())
                .extracting(ProfileFinding::line)
                .containsExactly(2, 3, 5, 6);
    }

    @Test
    void wordsOfFamilySectionsAreLookedAt() {
        Predicate<ProfileFinding> operators =
                finding -> finding.line() == 5 && finding.message().contains("did you mean 'max-pool'?");
        Predicate<ProfileFinding> reading =
                finding -> finding.line() == 1 && finding.message().contains("did you mean 'family'?");
        String head = "title = Own\nvendor = Nobody\nsource = none\noperators = conv2d, max-poll\n";
        assertThat(RuleFileReview.of("own.ini", "[family]\n" + head, CATALOG, OPERATORS)
                        .findings())
                .anyMatch(operators);
        assertThat(RuleFileReview.of("own.ini", "[famliy]\n" + head, CATALOG, OPERATORS)
                        .findings())
                .anyMatch(reading);
    }
}
