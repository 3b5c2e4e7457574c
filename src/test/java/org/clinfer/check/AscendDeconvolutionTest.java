package org.clinfer.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.clinfer.profile.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The L1 rule of CANN's Deconvolution against two SoCs, and layers of well-known networks. */
class AscendDeconvolutionTest {

    /** A square Deconvolution of float16 with 16 channels. */
    private static SingleOperator square(long in, long kernel, long stride, long pad, long dilation) {
        return SingleOperator.of(String.format(
                "Deconvolution 1x16x%dx%d:float16 16x16x%dx%d stride=[%d] pad=[%d] dilation=[%d]",
                in, in, kernel, kernel, stride, pad, dilation));
    }

    private static Finding l1(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.rule().endsWith("/l1-size"))
                .findFirst()
                .orElseThrow();
    }

    /** The worked values: bytes of both tiles in the two readings, for a limit that nothing meets. */
    @ParameterizedTest
    @CsvSource({
        "4, 4, 2, 1, 1, 9472, 9472",
        "7, 4, 2, 1, 1, 10880, 10880",
        "28, 2, 2, 0, 1, 7424, 7424",
        "56, 4, 2, 1, 1, 26112, 26112",
        "55, 11, 4, 0, 1, 146432, 146432",
        "70, 16, 8, 4, 1, 435712, 435712",
        "128, 16, 8, 4, 1, 688128, 688128",
        "127, 33, 1, 16, 1, 695744, 695744",
        "128, 32, 16, 8, 1, 2686976, 2686976",
        "64, 64, 32, 16, 1, 6356992, 6356992",
        "13, 3, 1, 1, 2, 6688, 15712",
        "32, 3, 1, 4, 4, 8704, 51712"
    })
    void bytesInL1(long in, long kernel, long stride, long pad, long dilation, String document, String code) {
        SingleOperator node = square(in, kernel, stride, pad, dilation);
        // The SoC without L1 shows the bytes of those that fit elsewhere.
        for (String soc : List.of("ascend310", "ascend910b1", "ascend035")) {
            long l1 = soc.equals("ascend310") ? 1048576 : soc.equals("ascend910b1") ? 524288 : 0;
            for (Reading reading : Reading.values()) {
                long bytes = Long.parseLong(reading == Reading.DOCUMENT ? document : code);
                List<Finding> findings = node.judge(soc, reading);
                if (bytes <= l1) {
                    assertThat(findings).noneMatch(finding -> finding.rule().endsWith("/l1-size"));
                    continue;
                }
                Finding.BrokenRule broken = l1(findings).broken().orElseThrow();
                assertThat(broken.actual()).isEqualTo(Long.toString(bytes));
                assertThat(broken.limit()).isEqualTo(Long.toString(l1));
                assertThat(broken.margin()).isEqualTo(Long.toString(bytes - l1));
                assertThat(broken.unit()).isEqualTo("bytes");
                assertThat(broken.places()).containsExactly(soc + ".ini:AICoreSpec:l1_size");
            }
        }
    }

    /** The upsampling layers of FCN: which fit, and the sum that says why not. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ascend310   | 16 |  4 |  2 | ok |",
                "ascend910b1 | 16 |  4 |  2 | ok |",
                "ascend310   | 70 | 16 |  8 | ok |",
                "ascend910b1 | 70 | 16 |  8 | ok |",
                "ascend310   | 34 | 32 | 16 | stride-product 256 256; l1-size 1098752 1048576"
                        + " | 574464 + 524288 = 1098752, AICoreSpec.l1_size = 1048576",
                "ascend910b1 | 34 | 32 | 16 | stride-product 256 256; l1-size 1098752 524288"
                        + " | 574464 + 524288 = 1098752, AICoreSpec.l1_size = 524288",
                "ascend310   | 16 | 64 | 32 | stride-product 1024 256; l1-size 3162112 1048576"
                        + " | 1064960 + 2097152 = 3162112, AICoreSpec.l1_size = 1048576",
                "ascend910b1 | 16 | 64 | 32 | stride-product 1024 256; l1-size 3162112 524288"
                        + " | 1064960 + 2097152 = 3162112, AICoreSpec.l1_size = 524288"
            })
    void fcnUpsampling(String soc, long in, long kernel, long stride, String expected, String sum) {
        List<Finding> findings = square(in, kernel, stride, 0, 1).judge(soc, Reading.CODE);
        assertThat(SingleOperator.written(findings).replace("transposed-conv2d/", ""))
                .isEqualTo(expected);
        if (!expected.equals("ok")) {
            assertThat(findings.get(0).message())
                    .contains("stride_h * stride_w < 256: " + stride + " * " + stride + " = " + stride * stride);
            assertThat(l1(findings).message())
                    .startsWith("the tile of the input and that of the dilated filter do not fit into L1 (")
                    .contains(sum);
        }
    }

    @Test
    void allBrokenRulesAtOnce() {
        assertThat(square(64, 64, 32, 16, 1).judge("ascend310", Reading.DOCUMENT))
                .extracting(Finding::rule)
                .containsExactly("ascend/transposed-conv2d/stride-product", "ascend/transposed-conv2d/l1-size");
    }

    @Test
    void thePaddingIsHeldAgainstTheKernelOrTheDilatedOne() {
        SingleOperator node = square(32, 3, 1, 4, 4);
        assertThat(node.judge("ascend310", Reading.DOCUMENT))
                .extracting(Finding::rule)
                .containsExactly("ascend/transposed-conv2d/padding");
        assertThat(node.judge("ascend310", Reading.CODE)).isEmpty();
    }
}
