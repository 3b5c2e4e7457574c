package org.clinfer.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Suggestions of the word that was meant. */
class SpellingTest {

    private static final List<String> WORDS = List.of("TopK", "Relu", "Conv2d", "family", "transposed", "x", "on");

    @ParameterizedTest
    @CsvSource({
        "Relo,Relu",
        "Rlu,Relu",
        "topk,TopK",
        "Toppk,TopK",
        "Con2v,Conv2d",
        "famliy,family",
        "tarnspoze,transposed",
        "y,",
        "no,on",
        "in,on",
        "Conv,Conv2d",
        "trans,transposed",
    })
    void aWordThatIsNearIsAskedFor(String written, String meant) {
        assertThat(Spelling.question(written, WORDS)).isEqualTo(meant == null ? "" : "; did you mean '" + meant + "'?");
    }

    @ParameterizedTest
    @CsvSource({"Nope", "Repo", "Rule", "Convert", "formula", "y", "at"})
    void aWordThatIsNotNearIsNot(String written) {
        assertThat(Spelling.question(written, WORDS)).isEmpty();
    }

    @Test
    void shortFormsOfTypesAreKnown() {
        assertThat(Spelling.question("fp16", List.of("float16", "int16"))).isEqualTo("; did you mean 'float16'?");
    }
}
