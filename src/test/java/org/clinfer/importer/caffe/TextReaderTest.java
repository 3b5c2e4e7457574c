package org.clinfer.importer.caffe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextReaderTest {

    private static final SourceRef FILE = new SourceRef("net.prototxt", "");

    private static CaffeFields read(String text) {
        return new CaffeFields(TextReader.read(text, FILE), FILE, "");
    }

    @Test
    void everyFormOfAFieldIsRead() {
        CaffeFields net = read(
                "\uFEFFname: \"a\" 'b' # a comment\nlist: [1, 2,3] nested < flag: true; >, other { real: -1.5e-2f }"
                        + " colon: { x: 0x10 } [fork.field]: 7 pool: MAX");

        assertThat(net.text("name")).contains("ab");
        assertThat(net.integers("list", 0)).containsExactly(1L, 2L, 3L);
        assertThat(net.message("nested").flag("flag", false)).isTrue();
        assertThat(net.message("other").real("real", 0)).isEqualTo((float) -1.5e-2);
        assertThat(net.message("colon").size("x", 0, 0)).isEqualTo(16);
        assertThat(net.size("[fork.field]", 0, 0)).isEqualTo(7);
        assertThat(net.choice("pool", "AVE", "MAX", "AVE")).isEqualTo("MAX");
        assertThat(net.choice("missing", "AVE", "MAX", "AVE")).isEqualTo("AVE");
    }

    @Test
    void numbersOfNamesAreNames() {
        assertThat(read("operation: 1").choice("operation", "SUM", "PROD", "SUM", "MAX"))
                .isEqualTo("SUM");
        assertThatThrownBy(() -> read("operation: 9").choice("operation", "SUM", "PROD", "SUM", "MAX"))
                .hasMessage("net.prototxt: operation: expected one of PROD, SUM, MAX, found '9'");
    }

    @Test
    void escapesAreUndone() {
        assertThat(read("s: \"a\\n\\x41\\101\\'\\\\\"").text("s")).contains("a\nAA'\\");
    }

    @Test
    void whatNobodyReadIsNamed() {
        CaffeFields fields = read("a: 1 b: 2 c: 3");
        fields.size("a", 0, 0);
        fields.ignore("c");

        assertThat(fields.unread()).containsExactly("b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "layer { name: 'x'|line 1, column 18: the file ends where '}' is missing",
                "layer name|line 1, column 7: expected ':' or '{' after 'layer', found 'n'",
                "name: 'abc|line 1, column 11: the file ends inside a string",
                "name: }|line 1, column 7: expected a value, found '}'",
                "dims: [1 2]|line 1, column 10: expected ',' or ']', found '2'",
                "}|line 1, column 1: expected the name of a field, found '}'",
            })
    void mistakesAreNamedWithTheirPlace(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessage("net.prototxt: " + message);
    }

    @Test
    void depthAndSizeAreBounded() {
        assertThatThrownBy(() -> read("a {".repeat(100_000)))
                .hasMessageContaining("inside each other more than 32 deep");
        assertThatThrownBy(() -> read("a:1 ".repeat(1_100_000)))
                .hasMessageContaining("it has more than 1048576 fields");
        assertThatThrownBy(() -> read("\0\0\0\0")).hasMessageContaining("expected text, found '\\u0000'");
    }

    @Test
    void valuesOfAnotherKindAreRefused() {
        assertThatThrownBy(() -> read("n: 'many'").size("n", 0, 0))
                .hasMessage("net.prototxt: n: expected a whole number, found 'many'");
        assertThatThrownBy(() -> read("n: -1").size("n", 0, 0))
                .hasMessageContaining("n: expected a whole number from 0 to 1073741823, found '-1'");
        assertThatThrownBy(() -> read("n { }").real("n", 0))
                .hasMessageContaining("n: expected a number, found a message");
        assertThatThrownBy(() -> read("n: 1").message("n")).hasMessageContaining("n: expected a message, found '1'");
    }
}
