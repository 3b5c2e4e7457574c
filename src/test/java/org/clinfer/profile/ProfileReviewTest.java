package org.clinfer.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.device.DeviceFacts;
import org.clinfer.profile.ProfileFinding.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ProfileReviewTest {

    private static final ProfileCatalog BUILT_IN = ProfileCatalog.builtIn();

    private static final String RULES = """
            [family]
            title = Toasters
            vendor = Acme
            detect = Toaster.slots
            memory = Toaster.crumb_bytes
            source = the manual
            [conv2d, pool/slots]
            require = groups <= Toaster.slots
            message = too few slots
            source = page 1
            [conv2d/heat]
            let.most = Heat.temp_max
            when = Toaster.kind == 'hot'
            require = kernel_h <= most && kernel_h >= Heat.temp_min
            message = too cold
            source = page 2
            """;

    private static final String SOUND = """
            [Toaster]
            slots = 2
            kind = hot
            crumb_bytes = 1000
            tray_size = 100
            breads = white, brown
            timer = true
            [Heat]
            temp_min = 1
            temp_max = 5
            [clinfer]
            family = toaster
            source = the label
            """;

    private static final ProfileCatalog TOASTERS = ProfileCatalog.of(
            Map.of(
                    "toaster.ini", bytes(RULES),
                    "vocabulary.ini", bytes("[Conv2d]\nkind = groups == 1 ? 'conv2d' : 'pool'\n")),
            Map.of("t1.ini", bytes(SOUND)));

    @TempDir
    private Path folder;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private ProfileReview review(ProfileCatalog catalog, byte[] bytes) throws IOException {
        Path file = Files.write(folder.resolve("own.ini"), bytes);
        return ProfileReview.of(file, catalog, Set.of("Conv2d", "Softmax"), Optional::empty);
    }

    /** Of a toaster, as {@code line level key: message}. */
    private List<String> found(String text) throws IOException {
        return review(TOASTERS, bytes(text)).findings().stream()
                .map(one -> one.line() + " " + one.level().label() + " " + one.key() + ": " + one.message())
                .toList();
    }

    static Collection<DeviceProfile> shipped() {
        return BUILT_IN.profiles();
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void theProfilesThatComeWithClinferAreSound(DeviceProfile profile) {
        ProfileReview review =
                ProfileReview.of(Path.of("device-profiles", profile.file()), BUILT_IN, operators(), Optional::empty);
        assertThat(review.family()).isEqualTo(profile.rules().family());
        assertThat(review.findings()).noneMatch(finding -> finding.level() != Level.NOTE);
        assertThat(review.isSound()).isTrue();
    }

    private static Set<String> operators() {
        return OpCatalog.builtIn().operators().stream()
                .map(OpDescription::optype)
                .collect(Collectors.toSet());
    }

    @Test
    void theExampleOfTheManualIsSound() throws IOException {
        String manual = Files.readString(Path.of("docs/profiles/README.md"));
        String example = manual.split("```ini\n", -1)[1].split("```", -1)[0];
        assertThat(review(BUILT_IN, bytes(example)).findings()).isEmpty();
    }

    /** Times would be unknown without a word. */
    @Test
    void aClockThatStandsStillIsAnError() throws IOException {
        String still = Files.readString(Path.of("device-profiles/ethos-u55-256.ini"))
                .replaceFirst("clock_hz( *)= \\d+", "clock_hz$1= 0");
        assertThat(review(BUILT_IN, bytes(still)).findings())
                .filteredOn(finding -> finding.level() == ProfileFinding.Level.ERROR)
                .extracting(ProfileFinding::message)
                .containsExactly("'clock_hz' must be more than 0; one that is not known is left empty");
    }

    @Test
    void whatIsSoundHasNoFindings() throws IOException {
        assertThat(found(SOUND)).isEmpty();
    }

    /** Each changes one line of a sound profile, and gives one finding. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "slots = 2 | slots 2 | 2 error : expected key = value, found 'slots 2'",
                "timer = true | timor = true | 7 error Toaster.timor: no rule of the family 'toaster' looks at 'timor' in"
                        + " [Toaster], and none of its profiles has it; did you mean 'timer'?",
                "timer = true | temp_max = 1 | 7 error Toaster.temp_max: no rule of the family 'toaster' looks at"
                        + " 'temp_max' in [Toaster], and none of its profiles has it; did you mean the one of [Heat]?",
                "timer = true | slots = 3 | 7 error Toaster.slots: 'slots' is given in line 2 already, which counts",
                "timer = true | timer = yes | 7 error Toaster.timer: expected true or false for 'timer', found 'yes'",
                "slots = 2 | slots = two | 2 error Toaster.slots: expected a number for 'slots', found 'two'",
                "slots = 2 | slots = 0x2 | 2 error Toaster.slots: expected a number for 'slots', found '0x2'; numbers are"
                        + " plain decimals without a unit",
                "slots = 2 | slots = 1, 2 | 2 error Toaster.slots: expected a number for 'slots', found '1, 2'",
                "slots = 2 | slots = | 2 note Toaster.slots: 'slots' has no value; not known is then what these rules say:"
                        + " conv2d/slots",
                "slots = 2 | slots = -2 | 2 error Toaster.slots: 'slots' cannot be negative, but is -2",
                "breads = white, brown | breads = white | 6 error Toaster.breads: expected a list of words for 'breads',"
                        + " found 'white'; a list of one is written as a list of two that are equal",
                "breads = white, brown | breads = 1, 2 | 6 error Toaster.breads: expected a list of words for 'breads',"
                        + " found '1, 2'",
                "crumb_bytes = 1000 | crumb_bytes = | 4 note Toaster.crumb_bytes: 'crumb_bytes' has no value; not known is"
                        + " then how much memory the device has",
                "tray_size = 100 | tray_size = 1001 | 5 error Toaster.tray_size: 'tray_size' is 1001, more than the whole"
                        + " memory of 1000 bytes (Toaster.crumb_bytes)",
                "temp_min = 1 | temp_min = 6 | 9 error Heat.temp_min: 'temp_min' is 6, above 'temp_max', which is 5",
                "temp_min = 1 | # none | 8 warning Heat.temp_min: [Heat] has no key 'temp_min'; not known is then what"
                        + " these rules say: conv2d/heat",
                "source = the label | note = none | 11 note clinfer.source: it is not said where the figures come from",
                "source = the label | sauce = none | 13 error clinfer.sauce: [clinfer] has no key 'sauce', only family,"
                        + " note, operators, reading, source, title, vendor and source.Section.key; did you mean 'source'?",
                "source = the label | source.Heat.temp = x | 13 warning clinfer.source.Heat.temp: the profile has no"
                        + " figure 'Heat.temp'",
                "source = the label | source.Heat.temp_maxx = x | 13 warning clinfer.source.Heat.temp_maxx: the profile has"
                        + " no figure 'Heat.temp_maxx'; did you mean 'Heat.temp_max'?"
            })
    void aMistakeIsSaidWithItsLine(String sound, String mistake, String finding) throws IOException {
        assertThat(SOUND).contains(sound + "\n");
        assertThat(found(SOUND.replace(sound + "\n", mistake + "\n"))).contains(finding);
        boolean isError = finding.contains(" error ");
        assertThat(review(TOASTERS, bytes(SOUND.replace(sound + "\n", mistake + "\n")))
                        .isSound())
                .isEqualTo(!isError);
    }

    @Test
    void ourOwnSectionIsLookedThrough() throws IOException {
        assertThat(found(SOUND + "operators = conv2d, Softmax, pol\n"))
                .containsExactly("14 error clinfer.operators: 'pol' is neither a kind of operators nor an operator;"
                        + " did you mean 'pool'?");
        assertThat(found(SOUND + "source = again\nreading = diagonal\n"))
                .containsExactly(
                        "14 error clinfer.source: 'source' is given twice",
                        "15 error clinfer.reading: expected one of document, published, code, found 'diagonal'");
        assertThat(found(SOUND + "operators = conv2d,, Softmax\n"))
                .containsExactly("14 error clinfer.operators: there is a comma too many");
        assertThat(found(SOUND + "reading = codes\n"))
                .containsExactly(
                        "14 error clinfer.reading: expected one of document, published, code, found 'codes'; did"
                                + " you mean 'code'?");
        assertThat(found(SOUND + "[clinfer]\nfamily = kettle\n"))
                .containsExactly("14 error : [clinfer] stands in line 11 already, which alone counts");
    }

    @Test
    void aFamilyThatIsNotThereIsRecognisedAllTheSame() throws IOException {
        assertThat(found(SOUND.replace("family = toaster", "family = toster")))
                .containsExactly("12 error clinfer.family: there is no family 'toster', only toaster; did you mean"
                        + " 'toaster'?");
        assertThat(found("[clinfer]\nfamily = kettle\nsource = me\n"))
                .containsExactly("2 error clinfer.family: there is no family 'kettle', only toaster");
        assertThat(found("[clinfer]\nsource = me\n"))
                .containsExactly(
                        "1 error : the family of the profile is not known: write [clinfer] with family = one of"
                                + " toaster");
    }

    @Test
    void sectionsThatAreMissingOrTooMany() throws IOException {
        assertThat(found(SOUND.replace("[Heat]", "[Haet]")))
                .containsExactly(
                        "1 warning Heat: there is no section [Heat]; not known is then what these rules say: conv2d/heat",
                        "8 error : no rule of the family 'toaster' looks at a section 'Haet', and none of its profiles has"
                                + " one; did you mean 'Heat'?");
        assertThat(found(SOUND.replace("[Heat]", "[Heat").replace("slots = 2\n", "x = \n")))
                .containsExactly(
                        "1 warning Toaster.slots: [Toaster] has no key 'slots'; not known is then what these rules say:"
                                + " conv2d/slots",
                        "2 error Toaster.x: no rule of the family 'toaster' looks at 'x' in [Toaster], and none of its"
                                + " profiles has it",
                        "8 error : expected [section], found '[Heat'");
        assertThat(found("slots = 1\n" + SOUND))
                .containsExactly("1 error : expected a [section] before the first entry, found 'slots = 1'");
    }

    @Test
    void whatNoRuleNeedsOnThisDeviceMayBeMissing() throws IOException {
        String cold = SOUND.replace("kind = hot", "kind = cold").replaceAll("(?s)\\[Heat].*\\[clinfer]", "[clinfer]");
        assertThat(found(cold)).isEmpty();
    }

    @Test
    void aMissingKeyNamesWhatMayBeMeant() throws IOException {
        assertThat(found(SOUND.replace("slots = 2", "slotz = 2")))
                .contains(
                        "1 warning Toaster.slots: [Toaster] has no key 'slots'; not known is then what these rules say:"
                                + " conv2d/slots; is 'slotz' in line 2 meant for it?");
    }

    /** As CANN has them: no section of ours, keys no rule knows, empty values, comments with brackets. */
    @Test
    void aVendorsOwnFileIsSound() throws IOException {
        ProfileReview review = review(BUILT_IN, bytes("""
                # [Platform Info configuration begin]
                [version]
                SoC_version=Ascend310P3
                Short_SoC_version=Ascend310P
                AIC_version=AIC-M-200
                [SoCInfo]
                memory_type=
                memory_size=24000000000
                l2_size=16777216
                core_type_list=AiCore,VectorCore
                specified_mem_base=-1
                [AICoreSpec]  \s
                l0_a_size=65536
                l0_b_size=65536
                l0_c_size=262144
                l1_size=1048576
                ub_size=262144
                load3d_constraints=1
                [DtypeMKN]
                Default=16,16,16
                Default=16,16,32
                [AICoreintrinsicDtypeMap]
                1=Intrinsic_vadd|float16,float32,int32
                3=Intrinsic_vmul|float16
                """));
        assertThat(review.family()).isEqualTo("ascend");
        assertThat(review.findings()).noneMatch(finding -> finding.level() == Level.ERROR);
        assertThat(review.findings())
                .extracting(ProfileFinding::message)
                .contains("'Default' is given in line 20 already, which counts");
    }

    @Test
    void ofAVendorsOwnFileOnlyWhatRulesLookAtIsJudged() throws IOException {
        ProfileReview review = review(BUILT_IN, bytes("""
                [SoCInfo]
                memory_size=1000
                l2_type=-1
                [AICoreSpec]
                l1_size=2000
                """));
        assertThat(review.findings())
                .filteredOn(finding -> finding.level() == Level.ERROR)
                .extracting(ProfileFinding::key, ProfileFinding::line)
                .containsExactly(tuple("AICoreSpec.l1_size", 5));
    }

    private static DeviceFacts device(Map<String, Long> limits, String... extensions) {
        return new DeviceFacts(
                "Card", "Acme", "1.0", "Acme CL", "3.0", DeviceFacts.Kind.GPU, Set.of(extensions), limits);
    }

    @Test
    void limitsAreHeldAgainstTheDeviceThatIsThere() throws IOException {
        Path file = Path.of("device-profiles/opencl-full.ini");
        DeviceFacts small = device(Map.of("max_mem_alloc_size", 1L << 20, "local_mem_size", 1L << 20));
        assertThat(ProfileReview.of(file, BUILT_IN, Set.of(), () -> Optional.of(small))
                        .findings())
                .filteredOn(finding -> finding.level() == Level.WARNING)
                .extracting(ProfileFinding::message)
                .containsExactly(
                        "'max_mem_alloc_size' is '33554432', but the device attached, Card, reports 1048576",
                        "'int64' is 'true', but the device attached, Card, reports false");
        assertThat(ProfileReview.of(file, BUILT_IN, Set.of(), Optional::empty).findings())
                .contains(new ProfileFinding(
                        Level.NOTE, 1, "", "there is no OpenCL device here to hold the limits against"));
    }

    @Test
    void aFileThatIsNotOfTheFamilyAsksForNoDevice() throws IOException {
        Path file = Files.write(folder.resolve("own.ini"), bytes(SOUND));
        assertThat(ProfileReview.of(file, TOASTERS, Set.of(), () -> {
                            throw new AssertionError("no device is needed");
                        })
                        .isSound())
                .isTrue();
    }

    @Test
    void whatIsNoReadableTextIsRefused() throws IOException {
        assertThatThrownBy(() -> review(TOASTERS, new byte[] {'[', 0, 1, 2}))
                .isInstanceOf(ProfileException.class)
                .hasMessageEndingWith("own.ini: not a text file in UTF-8 or ISO 8859-1");
        assertThatThrownBy(() -> review(TOASTERS, new byte[(4 << 20) + 1]))
                .isInstanceOf(ProfileException.class)
                .hasMessageContaining("larger than");
        assertThatThrownBy(() -> ProfileReview.of(folder, TOASTERS, Set.of(), Optional::empty))
                .isInstanceOf(ProfileException.class);
        Path none = folder.resolve("none.ini");
        assertThatThrownBy(() -> ProfileReview.of(none, TOASTERS, Set.of(), Optional::empty))
                .hasMessage(none + ": no such file");
    }

    @Test
    void manyMistakesAreCounted() throws IOException {
        String many =
                IntStream.range(0, 250_000).mapToObj(i -> "k" + i + " = 1\n").collect(Collectors.joining());
        ProfileReview review = review(TOASTERS, bytes(SOUND.replace("timer = true\n", many)));
        assertThat(review.findings()).hasSizeLessThan(110);
        assertThat(review.findings())
                .extracting(ProfileFinding::message)
                .contains("and 249900 more of this level, from here on, that are not shown");
        ProfileReview junk = review(TOASTERS, bytes("x\n".repeat(1_000_000)));
        assertThat(junk.isSound()).isFalse();
        assertThat(junk.findings()).hasSizeLessThan(110);
    }

    @Test
    void namesOfAnyLengthAndKindFitIntoALine() throws IOException {
        String huge = "k".repeat(300_000);
        String escape = "\u001b[2J";
        ProfileReview review = review(
                TOASTERS,
                bytes("[Toaster]\n" + "k".repeat(1 << 20) + " = 1\n" + huge + " = 1\n" + huge + " = 1\nslots = " + huge
                        + "\n" + escape + " = 1\n["
                        + huge
                        + "]\nx = " + "1,".repeat(100_000) + "\n[clinfer]\n" + huge + " = 1\nsource." + huge
                        + " = 1\noperators = " + huge + "\nfamily = " + huge + "\n"));
        assertThat(review.findings())
                .hasSizeGreaterThan(8)
                .allMatch(finding -> finding.message().length() < 600
                        && finding.key().length() < 200
                        && !finding.message().contains("\u001b")
                        && !finding.key().contains("\u001b"));
    }

    @Test
    void listsHaveABound() {
        assertThatThrownBy(() -> ProfileCatalog.of(
                        Map.of(
                                "toaster.ini",
                                bytes(RULES),
                                "vocabulary.ini",
                                bytes("[Conv2d]\nkind = 'conv2d pool'\n")),
                        Map.of("t1.ini", bytes("[Toaster]\nslots = " + "1,".repeat(1000)))))
                .hasMessage("t1.ini:2: a list has more than 1000 values");
    }

    @Test
    void filesOfWindowsAreRead() throws IOException {
        Path file = Files.write(folder.resolve("own.ini"), bytes("\uFEFF" + SOUND.replace("\n", "\r\n")));
        assertThat(ProfileReview.of(file, TOASTERS, Set.of(), Optional::empty).findings())
                .isEmpty();
        assertThat(TOASTERS.read(file).title()).isEqualTo("own");
        Path latin = Files.write(
                folder.resolve("latin.ini"), (SOUND + "title = Röster\n").getBytes(StandardCharsets.ISO_8859_1));
        assertThat(TOASTERS.read(latin).title()).isEqualTo("Röster");
        Path utf8 = Files.write(folder.resolve("utf8.ini"), bytes(SOUND + "title = Röster\n"));
        assertThat(TOASTERS.read(utf8).title()).isEqualTo("Röster");
    }
}
