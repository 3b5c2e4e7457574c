package org.clinfer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import org.clinfer.check.Finding;
import org.clinfer.profile.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why devices do not run upsampling layers of FCN: the sum, by how much it misses the limit, and who sets that. */
class FcnReasonsTest {

    private static final String TILES = "the tile of the input and that of the dilated filter do not fit into L1"
            + " (al1_size + bl1_size <= AICoreSpec.l1_size: ";

    private static void check(Finding found, String message, String margin, String place) {
        assertThat(found.message()).isEqualTo(message);
        Finding.BrokenRule broken = found.broken().orElseThrow();
        assertThat((broken.margin() + " " + broken.unit()).strip()).isEqualTo(margin);
        assertThat(broken.places()).contains(place);
    }

    private static Finding finding(String operator, String profile, Reading reading, String rule) {
        return SingleOperator.of(operator).judge(profile, reading).stream()
                .filter(finding -> finding.rule().text().endsWith("/" + rule))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "ascend310,   34, 32, 16, 574464 + 524288 = 1098752,   1048576, 50176 bytes",
        "ascend910b1, 34, 32, 16, 574464 + 524288 = 1098752,   524288,  574464 bytes",
        "ascend310,   16, 64, 32, 1064960 + 2097152 = 3162112, 1048576, 2113536 bytes",
        "ascend910b1, 16, 64, 32, 1064960 + 2097152 = 3162112, 524288,  2637824 bytes"
    })
    void tilesInL1OfAscend(String soc, long in, long kernel, long stride, String sum, String limit, String margin) {
        String operator = "Deconvolution | 1x16x%1$dx%1$d 16x16x%2$dx%2$d | stride=[%3$d] types=[float16]"
                .formatted(in, kernel, stride);
        check(
                finding(operator, soc, Reading.CODE, "l1-size"),
                TILES + sum + ", AICoreSpec.l1_size = " + limit + ")",
                margin,
                soc + ".ini:AICoreSpec:l1_size");
        assertThat(finding(operator, soc, Reading.CODE, "stride-product").message())
                .endsWith("(stride_h * stride_w < 256: %1$d * %1$d = %2$d)".formatted(stride, stride * stride));
    }

    /** kernel_w * kernel_h * ceil(21 / 16) of 2048. */
    @Test
    void weightBankOfDpu() {
        check(
                finding(
                        "Conv2dTranspose | 1x21x16x16 21x21x64x64 | strides=[32,32]",
                        "dpuczdx8g-b4096",
                        Reading.DOCUMENT,
                        "weight-bank"),
                "the kernel does not fit the weight bank"
                        + " (weight_depth <= DPU.bank_depth: weight_depth = 8192, DPU.bank_depth = 2048)",
                "6144",
                "dpuczdx8g-b4096.ini:DPU:bank_depth");
    }
}
