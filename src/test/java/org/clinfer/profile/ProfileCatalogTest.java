package org.clinfer.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileCatalogTest {

    private static final String FAMILY = """
            [family]
            title = Toasters
            vendor = Acme
            detect = Toaster.slots
            source = the manual
            """;

    private static final String RULE = """
            [conv2d, pool/slots]
            let.needed = groups * 2
            when = groups > 1
            require = needed <= Toaster.slots
            message = too few slots
            source = page 1
            """;

    @TempDir
    private Path folder;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ProfileCatalog catalog(String rules, Map<String, byte[]> profiles) {
        return ProfileCatalog.of(
                Map.of(
                        "toaster.ini", bytes(rules),
                        "vocabulary.ini", bytes("[Conv2d]\nkind = 'conv2d pool'\nlet.group = groups\n")),
                profiles);
    }

    @Test
    void everyProfileThatComesWithClinferIsReadAndHasASource() {
        ProfileCatalog builtIn = ProfileCatalog.builtIn();
        assertThat(builtIn.profiles()).hasSizeGreaterThanOrEqualTo(45);
        for (DeviceProfile profile : builtIn.profiles()) {
            assertThat(profile.source()).as(profile.name()).isNotEmpty();
            for (String key : profile.rules().rules().stream()
                    .flatMap(rule -> rule.keys(profile.sections()).stream())
                    .toList()) {
                assertThat(profile.figure(key))
                        .as("%s of %s", key, profile.name())
                        .isPresent();
            }
        }
        assertThat(builtIn.find("Ascend910B1")
                        .figure("AICoreSpec.l1_size")
                        .orElseThrow()
                        .value())
                .isEqualTo("524288");
        assertThat(builtIn.find("ascend910b")
                        .figure("AICoreSpec.l1_size")
                        .orElseThrow()
                        .value())
                .as("the 910B file is an old 910")
                .isEqualTo("1048576");
    }

    @Test
    void aVendorsOwnFileIsRecognisedByWhatItHas() throws IOException {
        Path file = folder.resolve("Ascend999.ini");
        Files.writeString(file, """
                # [Platform Info configuration begin]
                [version]
                SoC_version=Ascend999
                [AICoreSpec]
                l1_size=1000
                l1_size=2000
                """);
        DeviceProfile profile = ProfileCatalog.builtIn().find(file.toString());
        assertThat(profile.rules().family()).isEqualTo("ascend");
        assertThat(profile.title()).isEqualTo("Ascend999");
        assertThat(profile.figure("AICoreSpec.l1_size").orElseThrow().place()).isEqualTo(file + ":AICoreSpec:l1_size");
        assertThat(evaluated("AICoreSpec.l1_size", profile))
                .as("the first counts")
                .isEqualTo(ExpressionValue.of(1000));
    }

    private static ExpressionValue evaluated(String expression, DeviceProfile profile) {
        return Expr.parse(expression, "test").evaluate(profile.over(Scope.empty()));
    }

    @Test
    void figuresAreNumbersListsTruthsAndTexts() {
        DeviceProfile profile = catalog(FAMILY, Map.of("t1.ini", bytes("""
                        [Toaster]
                        slots=2
                        weight=1.5
                        sizes=1, 2,3
                        timer=true
                        colour=red
                        power=
                        """))).find("t1");
        assertThat(evaluated("Toaster.slots * 2", profile)).isEqualTo(ExpressionValue.of(4));
        assertThat(evaluated("Toaster.weight", profile)).isEqualTo(ExpressionValue.of(1.5));
        assertThat(evaluated("Toaster.sizes", profile)).isEqualTo(ExpressionValue.ints(1, 2, 3));
        assertThat(evaluated("Toaster.timer", profile)).isEqualTo(ExpressionValue.of(true));
        assertThat(evaluated("Toaster.colour", profile)).isEqualTo(ExpressionValue.of("red"));
        assertThat(evaluated("Toaster.power", profile).isKnown()).isFalse();
        assertThat(evaluated("Toaster.nothing", profile).isKnown()).isFalse();
    }

    @Test
    void aRuleHoldsBreaksOrIsUndecided() {
        ProfileCatalog catalog = catalog(FAMILY + RULE, Map.of("t1.ini", bytes("[Toaster]\nslots=4\n")));
        DeviceProfile profile = catalog.find("t1");
        ProfileRule rule = profile.rules().rules().get(0);
        assertThat(rule.kinds()).containsExactly("conv2d", "pool");
        assertThat(judge(rule, profile, ExpressionValue.of(1))).isInstanceOf(ProfileRule.Holds.class);
        assertThat(judge(rule, profile, ExpressionValue.of(2))).isInstanceOf(ProfileRule.Holds.class);
        ProfileRule.Broken broken = (ProfileRule.Broken) judge(rule, profile, ExpressionValue.of(3));
        assertThat(broken.explanation()).isEqualTo("needed <= Toaster.slots: needed = 6, Toaster.slots = 4");
        assertThat(broken.comparison().orElseThrow().limit().value()).isEqualTo(ExpressionValue.of(4));
        assertThat(broken.comparison().orElseThrow().actual().value()).isEqualTo(ExpressionValue.of(6));
        assertThat(broken.comparison().orElseThrow().margin()).contains(ExpressionValue.of(2));
        assertThat(judge(rule, profile, ExpressionValue.unknown("n"))).isInstanceOf(ProfileRule.Undecided.class);
        assertThat(rule.keys(profile.sections())).containsExactly("Toaster.slots");
    }

    @Test
    void aFigureThatIsNotKnownIsAQuestionMark() {
        ProfileCatalog catalog = catalog(FAMILY + RULE, Map.of("t1.ini", bytes("[Toaster]\nslots=\n")));
        DeviceProfile profile = catalog.find("t1");
        ProfileRule rule = profile.rules().rules().get(0);
        assertThat(judge(rule, profile, ExpressionValue.of(3)))
                .isEqualTo(new ProfileRule.Undecided("needed <= Toaster.slots: needed = 6, Toaster.slots = ?"));
    }

    @Test
    void aRuleSaysInItsOwnWordsThatItsDocumentDoesNotSay() {
        String own = RULE.replaceFirst("require *=.*", "require = groups < 2 || error('the list names no more')");
        DeviceProfile profile = catalog(FAMILY + own, Map.of("t1.ini", bytes("[Toaster]\nslots=4\n")))
                .find("t1");
        assertThat(judge(profile.rules().rules().get(0), profile, ExpressionValue.of(3)))
                .isEqualTo(new ProfileRule.Undecided("the list names no more"));
    }

    private static ProfileRule.Judgement judge(ProfileRule rule, DeviceProfile profile, ExpressionValue groups) {
        return rule.judge(profile.over(Scope.of(Map.of("groups", groups))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "title = x | toaster.ini:7: expected [kind/rule], found [conv2d]",
                "require = a < | toaster.ini:7: [conv2d/a] needs 'require'"
            })
    void aRuleNeedsANameAndACondition(String ignored, String message) {
        String section = message.contains("needs") ? "[conv2d/a]\nmessage = m\n" : "[conv2d]\nrequire = true\n";
        assertThatThrownBy(() -> catalog(FAMILY + "\n" + section, Map.of()))
                .isInstanceOf(ProfileException.class)
                .hasMessage(message);
    }

    @Test
    void mistakesInOurOwnSectionsHaveTheirLine() {
        assertThatThrownBy(() -> catalog(FAMILY + RULE + RULE, Map.of()))
                .hasMessage("toaster.ini:12: there are two rules [conv2d, pool/slots]");
        assertThatThrownBy(() -> catalog(FAMILY + RULE + "colour = red\n", Map.of()))
                .hasMessageStartingWith("toaster.ini:12: [conv2d, pool/slots] has no key 'colour', only ");
        assertThatThrownBy(() -> catalog(FAMILY + RULE + "unit = a\nunit = b\n", Map.of()))
                .hasMessage("toaster.ini:13: 'unit' is given twice in [conv2d, pool/slots]");
        assertThatThrownBy(() -> catalog(FAMILY + RULE + "reading = diagonal\n", Map.of()))
                .hasMessage("toaster.ini:12: reading: expected one of document, published, code, found 'diagonal'");
        assertThatThrownBy(() -> catalog(FAMILY + RULE.replace("pool", "polo"), Map.of()))
                .hasMessage("toaster.ini:6: no operator is of the kind 'polo'; did you mean 'pool'?");
        assertThatThrownBy(() -> catalog(FAMILY + RULE.replace("require", "requires"), Map.of()))
                .hasMessageEndingWith("; did you mean 'require'?");
        assertThatThrownBy(() -> catalog(FAMILY + "[converts]\nfold-batchnorm = page 3\n", Map.of()))
                .hasMessageStartingWith("toaster.ini:7: there is no step 'fold-batchnorm' of a converter, only ")
                .hasMessageEndingWith("; did you mean 'fold-batch-norm'?");
        assertThatThrownBy(() -> catalog(FAMILY + "[quantization]\ntypes = int9\nsource = x\n", Map.of()))
                .hasMessage("toaster.ini:7: types: there is no data type 'int9'; did you mean 'int8'?");
        assertThatThrownBy(() -> catalog(FAMILY + "complete = maybe\n", Map.of()))
                .hasMessage("toaster.ini:6: complete: expected true or false, found 'maybe'");
        assertThatThrownBy(() -> catalog(FAMILY, Map.of("t1.ini", bytes("[clinfer]\nfamily = kettle\n"))))
                .hasMessage("t1.ini:2: there is no family 'kettle', only toaster");
        assertThatThrownBy(() -> catalog(FAMILY, Map.of("t1.ini", bytes("[clinfer]\nlike = kettle\n"))))
                .hasMessage(
                        "t1.ini:2: [clinfer] has no key 'like', only family, note, operators, reading, source, title,"
                                + " vendor");
        assertThatThrownBy(() -> catalog(FAMILY, Map.of("t1.ini", bytes("[Kettle]\nslots = 2\n"))))
                .hasMessageStartingWith("t1.ini: no [clinfer] section names a family");
    }

    private static final String COST = """
            [cost]
            clock_hz = Toaster.clock_hz
            memory_seconds = (read_bytes + written_bytes + weight_bytes) / 1000.0
            node_seconds = 0.5
            source = page 2

            [cost conv2d]
            let.each = groups * 10
            cycles = each + multiply_adds
            weight_bytes = 2 * weight_bytes

            [cost *]
            cycles = 0
            node_seconds = 0.25
            """;

    private static Optional<CostModel.DeviceTime> time(ProfileCatalog catalog, String operator, long groups) {
        DeviceProfile profile = catalog.find("small");
        Vocabulary.Use use = catalog.vocabulary().use(operator, Scope.of(Map.of("groups", ExpressionValue.of(groups))));
        return profile.rules()
                .cost()
                .orElseThrow()
                .time(profile, use, new CostModel.Traffic(100, 200, 300), OptionalLong.of(60));
    }

    @Test
    void formulasTakeTheirTimeFromAProfile() {
        ProfileCatalog catalog = catalog(
                FAMILY + RULE + COST,
                Map.of("small.ini", bytes("[Toaster]\nslots = 4\nclock_hz = 10\n[clinfer]\nfamily = toaster\n")));
        assertThat(time(catalog, "Conv2d", 4)).contains(new CostModel.DeviceTime(10, 0.9, 0.5, 600));
        assertThat(time(catalog, "Relu", 4)).contains(new CostModel.DeviceTime(0, 0.6, 0.25, 300));
    }

    @Test
    void withoutAClockThereIsNoTime() {
        ProfileCatalog catalog = catalog(
                FAMILY + RULE + COST,
                Map.of("small.ini", bytes("[Toaster]\nslots = 4\nclock_hz =\n[clinfer]\nfamily = toaster\n")));
        assertThat(time(catalog, "Conv2d", 4)).isEmpty();
        DeviceProfile profile = catalog.find("small");
        assertThat(profile.rules().cost().orElseThrow().isFor(profile)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "clock_hz,clock,toaster.ini:13: [cost] has no key 'clock'",
        "source = page 2,,toaster.ini:12: [cost] needs 'source'",
        "cycles = 0,cycle = 0,toaster.ini:24: [cost *] has no key 'cycle'",
        "cycles = 0,cycles = 1 +,toaster.ini:24: cycles",
        "[cost *],[cost toast],toaster.ini:23: no operator is of the kind 'toast'",
    })
    void mistakesInFormulasHaveTheirLine(String sound, String mistake, String message) {
        String text = (FAMILY + RULE + COST).replace(sound, mistake == null ? "" : mistake);
        assertThat(text).isNotEqualTo(FAMILY + RULE + COST);
        assertThatThrownBy(() -> catalog(text, Map.of()))
                .isInstanceOf(ProfileException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void formulasOfKindsNeedTheSectionOfAll() {
        assertThatThrownBy(() -> catalog(FAMILY + RULE + "[cost conv2d]\ncycles = 1\n", Map.of()))
                .isInstanceOf(ProfileException.class)
                .hasMessageStartingWith("toaster.ini:12: [cost conv2d] needs a section [cost]");
    }

    @Test
    void aProfileThatIsNotThereIsSaidWithThoseThatAreClose() {
        assertThatThrownBy(() -> ProfileCatalog.builtIn().find("ascend310p"))
                .hasMessageContaining("there is no profile 'ascend310p'")
                .hasMessageContaining("ascend310p1");
    }

    @Test
    void aFamilyInPlaceOfAProfileIsSaidWithItsProfiles() {
        assertThatThrownBy(() -> ProfileCatalog.builtIn().find("Coral"))
                .hasMessage(
                        "there is no profile 'Coral', and no such file; 'coral' is a family, whose profiles are edgetpu");
        assertThatThrownBy(() -> ProfileCatalog.builtIn().find("ethos-u"))
                .hasMessageEndingWith("ethos-u55-32, ethos-u55-64 and 3 more");
    }

    @Test
    void aFolderIsNoProfile() {
        assertThatThrownBy(() -> ProfileCatalog.builtIn().find("device-profiles"))
                .isInstanceOf(ProfileException.class)
                .hasMessage("device-profiles is a folder, not a profile");
    }

    @Test
    void rulesWithoutAFamilyAreToldWhatItHas() {
        assertThatThrownBy(() -> catalog(RULE, Map.of()))
                .isInstanceOf(ProfileException.class)
                .hasMessage(
                        "toaster.ini:1: there is no section [family], which has title, vendor and source of the rules");
    }
}
