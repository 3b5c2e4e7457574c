package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Single operators from the command line. */
class CheckOperatorTest {

    private static Ran fcn(String profile, String x) {
        return clinfer(
                "check",
                "--op",
                "Conv2dTranspose",
                "--input",
                x,
                "--input",
                "weights=21x21x16x16",
                "--param",
                "strides=8,8",
                "--param",
                "padding=[4,4,4,4]",
                "--profile",
                profile,
                "--explain",
                "--fail-on",
                "falls-back");
    }

    @Test
    void aProfileJudgesOneOperator() {
        Ran fits = fcn("ascend310", "x=1x21x128x128:float16");
        assertThat(fits.code()).as(fits.toString()).isZero();
        assertThat(String.join("\n", fits.out())).contains("1x21x1024x1024:float16");
        Ran refused = fcn("ascend910b1", "x=1x21x128x128:float16");
        assertThat(refused.code()).as(refused.toString()).isEqualTo(ExitCode.NO);
        assertThat(String.join("\n", refused.out())).contains("ascend/transposed-conv2d/l1-size", "688128");
    }

    @Test
    void sizesMayBeLeftOpen() {
        Ran open = fcn("ascend310", "x=nx21x?x?:float16");
        assertThat(String.join("\n", open.out())).contains("1 unknown");
    }

    @Test
    void listsOfTensorsAreGivenOneByOne() {
        Ran concat = clinfer(
                "check",
                "--op",
                "concat",
                "--input",
                "x=1x2x3:int8",
                "--input",
                "x=1x4x3",
                "--param",
                "axis=1",
                "--explain",
                "--device",
                "cpu");
        assertThat(concat.code()).as(concat.toString()).isZero();
        assertThat(String.join("\n", concat.out())).contains("1x6x3:int8");
        Ran split = clinfer(
                "check",
                "--op",
                "Split",
                "--input",
                "x=1x6",
                "--param",
                "axis=1",
                "--param",
                "split=2,2,2",
                "--outputs",
                "3",
                "--explain",
                "--device",
                "cpu");
        assertThat(String.join("\n", split.out())).contains("1x2:float32, 1x2:float32, 1x2:float32");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Conv3 | x=1x2x3 | | there is no operator 'Conv3'",
                "Conv2d | x=1x3x8x8 | | Conv2d needs --input weights=SHAPE[:TYPE]",
                "Conv2d | z=1x3x8x8 | | Conv2d has no tensor 'z'; it has x, weights, bias",
                "Conv2d | x=1x3xx8 | | '1x3xx8' is not a shape",
                "Conv2d | x=1x3:floot16 | | 'floot16' is not a data type; there are int8, int16, ",
                "Relu | x=1x3 | alpha=2 | Relu has no parameter 'alpha'; it has none",
                "LeakyRelu | x=1x3 | alpha=big | --param alpha=big: expected a number",
                "LeakyRelu | x=1x3 | alpha | --param alpha: expected NAME=VALUE"
            })
    void whatIsWrongIsSaidInOneLine(String op, String input, String param, String message) {
        Ran ran = param == null
                ? clinfer("check", "--op", op, "--input", input)
                : clinfer("check", "--op", op, "--input", input, "--param", param);
        assertThat(ran.code()).as(ran.toString()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.err()).hasSize(1);
        assertThat(ran.err().get(0)).contains(message);
    }

    /** A word of other letters is no slip of the pen; one that is cut short may be. */
    @ParameterizedTest
    @CsvSource({
        "w, ; did you mean 'weights'?",
        "wei, ; did you mean 'weights'?",
        "X, ; did you mean 'x'?",
        "z, ''",
        "a, ''"
    })
    void theTensorThatIsMeantIsNearInItsLetters(String name, String question) {
        Ran ran = clinfer("check", "--op", "Conv2d", "--input", name + "=1x3x8x8");
        assertThat(ran.err()).hasSize(1);
        assertThat(ran.err().get(0)).contains("it has x, weights, bias" + question);
        assertThat(ran.err().get(0).contains("did you mean")).isEqualTo(!question.isEmpty());
    }

    @Test
    void eitherModelsOrAnOperator() {
        assertThat(clinfer("check").err())
                .containsExactly("clinfer: give the models to check, or one operator with --op");
        assertThat(clinfer("check", "net.onnx", "--op", "Relu").code()).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void aNetworkOfFloat32IsJudgedAsWhatItBecomes() {
        Object[] check = {"check", "--op", "Conv2d", "--input", "x=1x16x8x8", "--input", "weights=8x16x3x3", "--profile"
        };
        Ran asItIs = clinfer(with(check, "ascend310", "--fail-on", "falls-back"));
        assertThat(asItIs.code()).as(asItIs.toString()).isEqualTo(ExitCode.NO);
        assertThat(String.join("\n", asItIs.out())).contains("data-type");
        Ran converted = clinfer(with(check, "ascend310", "--fail-on", "falls-back", "--float32-as", "float16"));
        assertThat(converted.code()).as(converted.toString()).isZero();
        Ran quantised = clinfer(with(check, "edgetpu", "--fail-on", "falls-back", "--float32-as", "int8"));
        assertThat(quantised.code()).as(quantised.toString()).isZero();
        assertThat(clinfer(with(check, "edgetpu", "--float32-as", "float17")).code())
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(clinfer("check", "--op", "Relu", "--input", "x=3", "--float32-as", "int8")
                        .code())
                .isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void aPatternLeavesOutDevicesWhoseNetworksAreOfOtherTypes() {
        Object[] check = {"check", "--op", "Conv2d", "--input", "x=1x16x8x8", "--input", "weights=8x16x3x3", "--profile"
        };
        Ran some = clinfer(with(check, "fpga-*", "--profile", "edge*", "--float32-as", "int8"));
        assertThat(some.code()).as(some.toString()).isZero();
        assertThat(String.join("\n", some.err()))
                .contains("left out, as networks for them are not of int8: fpga-ai-suite, fpga-ai-suite-2023");
        assertThat(clinfer(with(check, "fpga-*", "--float32-as", "int8")).code())
                .isEqualTo(ExitCode.BAD_INPUT);
    }

    private static Object[] with(Object[] check, Object... more) {
        return Stream.concat(Stream.of(check), Stream.of(more)).toArray();
    }

    @Test
    void profilesOfAPatternAreCheckedTogether() {
        Ran ran = clinfer("check", "--op", "Relu", "--input", "x=1x3:float16", "--profile", "ascend310p*");
        assertThat(ran.code()).as(ran.toString()).isZero();
        assertThat(ran.out().get(0)).contains("ascend310p1", "ascend310p3", "ascend310p5", "ascend310p7");
        assertThat(clinfer("check", "--op", "Relu", "--input", "x=1", "--profile", "nothing*")
                        .err())
                .containsExactly("clinfer: there is no profile 'nothing*'; 'clinfer profiles' lists them");
    }

    @Test
    void spellingsOfOpLibAreKnown() {
        Ran tile = clinfer(
                "check", "--op", "DeepHiTile", "--input", "x=2x3", "--param", "multiples=2,1", "--device", "cpu");
        assertThat(tile.code()).as(tile.toString()).isZero();
        assertThat(clinfer("ops", "DeepPhiTile").out()).first().asString().startsWith("DeePhiTile");
        assertThat(clinfer("ops", "PReLU").code()).isZero();
        assertThat(clinfer("ops", "PReLUs").code()).isEqualTo(2);
    }
}
