package org.clinfer.benchdnn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.check.Finding;
import org.clinfer.judge.SingleOperator;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

/**
 * What the page and the code restrict of the shapes of CANN's own tests, all of which later versions run. The first
 * version of the code has the tile of the whole row in L1, and expanded widths up to 4096.
 */
class AscendUpstreamTest {

    private static final String OK = "ok / ok / ok / ok";
    private static final String SMALL_INPUT = "input / input / ok / ok";
    private static final String SMALL_PADDED_INPUT = "padded-input,input / padded-input,input / ok / ok";

    /** The page and the code for Ascend310, then for Ascend910B1. */
    private static String verdicts(UpstreamRow row) {
        SingleOperator operator = SingleOperator.of(text(row));
        return Stream.of(Reading.PUBLISHED, Reading.CODE)
                .flatMap(reading -> Stream.of("ascend310", "ascend910b1").map(soc -> operator.judge(soc, reading)))
                .map(AscendUpstreamTest::rules)
                .collect(Collectors.joining(" / "));
    }

    private static String rules(List<Finding> findings) {
        String rules = findings.stream().map(finding -> rule(finding)).collect(Collectors.joining(","));
        return rules.isEmpty() ? "ok" : rules;
    }

    private static String rule(Finding finding) {
        String id = finding.rule().text();
        return id.substring(id.lastIndexOf('/') + 1);
    }

    private static String text(UpstreamRow row) {
        DType dtype = row.types().get(0);
        String inputs = row.inputs(dtype, row.x()[0]).values().stream()
                .map(type -> type.shape() + ":" + type.dtype().label())
                .collect(Collectors.joining(" "));
        String op = row.kernel() ? "Conv2dTranspose" : "Deconvolution";
        return (row.kernel() ? row.transpose() : row.deconvolution(true))
                .entrySet().stream()
                        .map(param -> param.getKey() + "="
                                + param.getValue().toString().replace(" ", ""))
                        .collect(Collectors.joining(" ", op + " | " + inputs + " | ", ""));
    }

    private static String expected(UpstreamRow row) {
        return switch (row.text().split(" ", 3)[0] + " " + row.text().split(" ", 3)[1]) {
            case "1x16x2x2 16x16x3x3", "4x7x2x2 7x7x5x5" -> SMALL_PADDED_INPUT;
            case "4x7x2x2 7x1x4x5", "4x21x2x2 21x2x5x4" -> SMALL_INPUT;
            case "1x16x3x3 16x16x4x4" -> SMALL_INPUT;
            case "4x32x1x1 32x16x5x5" ->
                "output-of-1x1,input,expanded-height,expanded-width"
                        + " / output-of-1x1,input,expanded-height,expanded-width / ok / ok";
            case "50x2x26x2887 2x2x10x10" -> "l1-size / l1-size / l1-size / l1-size";
            case "1x64x1x4096 64x16x1x32" ->
                "expanded-width,output-size / expanded-width,output-size,l1-size"
                        + " / expanded-width,output-size / expanded-width,output-size,l1-size";
            default -> OK;
        };
    }

    @Test
    void everyLegalShapeIsJudged() {
        int ok = 0;
        for (UpstreamRow row : UpstreamRow.all()) {
            if (row.isLegal()) {
                assertThat(verdicts(row)).as(row.toString()).isEqualTo(expected(row));
                ok += expected(row).equals(OK) ? 1 : 0;
            }
        }
        assertThat(ok).isEqualTo(15);
    }
}
