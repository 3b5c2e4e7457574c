package org.clinfer.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.json.JsonMapper;

class JsonFaultTest {

    private static String told(String document) {
        JacksonException malformed =
                catchThrowableOfType(JacksonException.class, () -> new JsonMapper().readTree(document));
        return JsonFault.of(malformed.getOriginalMessage());
    }

    @Test
    void theParserDoesNotTellOfItself() {
        assertThat(told("{\"a\": [1")).isEqualTo("Unexpected end-of-input: expected close marker for Array");
        assertThat(told("[".repeat(2000))).isEqualTo("Document nesting depth (501) exceeds the maximum allowed (500)");
        assertThat(told("{\"a\": nonsense}")).isEqualTo("Unrecognized token 'nonsense'");
    }

    /** A parser that takes NaN lists it in brackets within those of the tokens. */
    @Test
    void bracketsWithinBracketsGoAsAWhole() {
        JsonMapper lenient = JsonMapper.builder()
                .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                .build();
        JacksonException malformed = catchThrowableOfType(JacksonException.class, () -> lenient.readTree("nonsense"));
        assertThat(JsonFault.of(malformed.getOriginalMessage())).isEqualTo("Unrecognized token 'nonsense'");
    }
}
