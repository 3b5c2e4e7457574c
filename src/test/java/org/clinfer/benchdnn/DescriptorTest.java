package org.clinfer.benchdnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.clinfer.benchdnn.ProblemLists.ProblemList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Problems as benchdnn writes them: defaults, what follows from what, and what means nothing. */
class DescriptorTest {

    private static Problem conv(String text) {
        return Descriptor.parse(text, false, "mine");
    }

    private static Problem deconv(String text) {
        return Descriptor.parse(text, true, "mine");
    }

    @Test
    void readsEveryEntry() {
        Problem problem = conv("g2mb3ic4id9ih8iw7oc6od4oh5ow6kd3kh2kw1sd2sh3sw4pd1ph2pw3dd1dh2dw3n\"net:conv1*5\"");
        assertThat(problem)
                .isEqualTo(new Problem(
                        false,
                        "mine",
                        "net:conv1*5",
                        3,
                        2,
                        4,
                        6,
                        List.of(new Axis(9, 4, 3, 2, 1, 2), new Axis(8, 5, 2, 3, 2, 3), new Axis(7, 6, 1, 4, 3, 4))));
    }

    @Test
    void anyOrderAndUnderscoresMeanTheSame() {
        assertThat(conv("_kw3_oc6_ow7_g2_pw1_ic4_iw7_mb3_")).isEqualTo(conv("mb3g2ic4oc6iw7ow7kw3pw1"));
    }

    @Test
    void leavesOutBatchGroupsStrideAndDilation() {
        Problem problem = conv("ic4iw7oc6ow7kw3pw1");
        assertThat(problem.batch()).isEqualTo(2);
        assertThat(problem.groups()).isEqualTo(1);
        assertThat(problem.name()).isEmpty();
        assertThat(problem.axes()).containsExactly(new Axis(7, 7, 3, 1, 1, 1));
    }

    @Test
    void anOutputFollowsFromPaddingAtBothEnds() {
        assertThat(conv("ic1oc1iw10kw3sw2pw1").axes()).containsExactly(new Axis(10, 5, 3, 2, 1, 1));
        assertThat(conv("ic1oc1iw10kw3dw1").axes()).containsExactly(new Axis(10, 6, 3, 1, 0, 2));
        assertThat(deconv("ic1oc1iw5kw4sw2pw1").axes()).containsExactly(new Axis(5, 10, 4, 2, 1, 1));
        assertThat(deconv("ic1oc1iw5kw4sw2").axes()).containsExactly(new Axis(5, 12, 4, 2, 0, 1));
    }

    @Test
    void paddingFollowsFromTheOutput() {
        assertThat(conv("ic1oc1iw10ow10kw4").axes()).containsExactly(new Axis(10, 10, 4, 1, 1, 1));
        assertThat(deconv("ic1oc1iw5ow9kw4sw2").axes()).containsExactly(new Axis(5, 9, 4, 2, 1, 1));
    }

    @Test
    void heightStandsForWidthAndDepthForBoth() {
        assertThat(conv("ic1oc1ih8oh4kh3sh2ph1dh0").axes())
                .containsExactly(new Axis(8, 4, 3, 2, 1, 1), new Axis(8, 4, 3, 2, 1, 1));
        assertThat(conv("ic1oc1id6kd2sd2").axes())
                .containsExactly(new Axis(6, 3, 2, 2, 0, 1), new Axis(6, 3, 2, 2, 0, 1), new Axis(6, 3, 2, 2, 0, 1));
    }

    /** What is said of one axis says nothing of another that is there. */
    @Test
    void anAxisIsCopiedAsAWholeOrNotAtAll() {
        assertThat(conv("ic1oc1ih41iw1oh31ow1kh8kw1sw2dh1ph4").axes())
                .containsExactly(new Axis(41, 31, 8, 1, 4, 2), new Axis(1, 1, 1, 2, 0, 1));
        assertThat(Descriptor.parseFieldByField("ic1oc1ih41iw1oh31ow1kh8kw1sw2dh1ph4", false, "mine")
                        .axes())
                .containsExactly(new Axis(41, 31, 8, 2, 4, 2), new Axis(1, 1, 1, 2, 4, 2));
        assertThat(conv("ic1oc1ih2oh1kh2iw100kw3dw30").axes())
                .containsExactly(new Axis(2, 1, 2, 1, 0, 1), new Axis(100, 38, 3, 1, 0, 31));
    }

    @ParameterizedTest
    @CsvSource({
        "ic1oc1, id is missing",
        "ic1iw3kw1, oc is missing",
        "oc1iw3kw1, ic is missing",
        "ic1oc1iw3, kw is missing",
        "ic1oc1kw3, iw is missing",
        "ic1oc1id3kd1ih3kh1, both or not at all",
        "g2ic3oc4iw3kw1, g does not divide",
        "g0ic3oc4iw3kw1, g does not divide",
        "ic1oc1iw3kw1sw0, sw is 0",
        "ic1oc1iw3kw5, ow would be less than 1",
        "ic1oc1iw3iw4kw1, iw is given twice",
        "ic1oc1iw3kw1xx4, nothing known begins at 'xx4'",
        "ic1oc1iwkw1, nothing known begins at 'iwkw1'",
        "ic1oc1iw3kw1pw-1, nothing known begins at 'pw-1'",
        "ic1oc1iw3kw1nname, not in quotes"
    })
    void refusesWhatMeansNothing(String text, String why) {
        assertThatThrownBy(() -> conv(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void thePaddingAtTheEndFollowsFromTheSizes() {
        assertThat(new Axis(10, 5, 3, 2, 1, 1).padEnd(false)).isZero();
        assertThat(new Axis(10, 5, 3, 2, 0, 1).padEnd(false)).isEqualTo(1);
        assertThat(new Axis(11, 5, 2, 2, 0, 1).padEnd(false)).isEqualTo(-1);
        assertThat(new Axis(5, 12, 3, 2, 0, 1).padEnd(true)).isEqualTo(-1);
        assertThat(new Axis(5, 10, 4, 2, 1, 1).padEnd(true)).isEqualTo(1);
        assertThat(new Axis(11, 5, 2, 2, 0, 1).isConsistent(false)).isTrue();
        assertThat(new Axis(12, 5, 2, 2, 0, 1).isConsistent(false)).isFalse();
    }

    @Test
    void countsProducts() {
        Problem problem = conv("g2mb3ic4oc6ih5oh4kh2");
        assertThat(problem.weightElements()).isEqualTo(2 * 6 * 4);
        assertThat(problem.inputElements()).isEqualTo(3 * 4 * 25);
        assertThat(problem.outputElements()).isEqualTo(3 * 6 * 16);
        assertThat(problem.multiplyAdds()).isEqualTo(2 * 6 * 4 * 16 * 3);
        assertThat(deconv("mb1ic4oc6ih5kh2sh2").multiplyAdds()).isEqualTo(4 * 6 * 4 * 25);
    }

    @Test
    void theReverseOfAConvolutionHasItsInputForOutput() {
        assertThat(conv("g2mb3ic4oc6iw10ow5kw3sw2pw1").reversed()).isEqualTo(deconv("g2mb3ic6oc4iw5ow10kw3sw2pw1"));
    }

    @Test
    void aListIsWordsWithoutCommentsAndOptions() {
        ProblemList list = ProblemLists.read(
                true,
                "mine",
                List.of(
                        "# ic1oc1iw1kw1",
                        "",
                        "--dir=FWD_B  ic1oc1iw1kw1 ",
                        "\tic2oc1iw1kw1n\"a#b\"  # as before",
                        "#x"));
        assertThat(list.options()).containsExactly("--dir=FWD_B");
        assertThat(list.descriptors()).containsExactly("ic1oc1iw1kw1", "ic2oc1iw1kw1n\"a#b\"");
        assertThat(list.problems()).extracting(Problem::name).containsExactly("", "a#b");
        assertThat(list.problems()).allMatch(Problem::transposed);
    }

    @Test
    void aProblemIsWrittenAsItsDescriptor() {
        Problem problem = conv("mb5ic8oh3oc4ih5kh3ph0dh0n\"net:conv*2\"");
        assertThat(problem).hasToString("mine mb5 conv g1ic8ih5iw5oc4oh3ow3kh3kw3sh1sw1ph0pw0dh0dw0 n\"net:conv*2\"");
    }
}
