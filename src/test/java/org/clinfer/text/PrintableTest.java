package org.clinfer.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.junit.jupiter.api.Test;

class PrintableTest {

    @Test
    void aTextStaysOnItsLine() {
        assertThat(Printable.of("a\nb\tc\u2028d\u001b[1m\u202Ee\uD800f\u009bg\u007f"))
                .isEqualTo("a\\u000ab\\u0009c\\u2028d\\u001b[1m\\u202ee\\ud800f\\u009bg\\u007f");
        assertThat(Printable.of("größe 大小 😀 \\")).isEqualTo("größe 大小 😀 \\");
    }

    @Test
    void longTextsAreCutBetweenCharacters() {
        assertThat(Printable.shortened("😀".repeat(200))).isEqualTo("😀".repeat(200));
        assertThat(Printable.shortened("😀".repeat(201))).isEqualTo("😀".repeat(200) + "…");
        assertThat(Printable.shortened("\u001b".repeat(100))).isEqualTo("\\u001b".repeat(33) + "…");
        assertThat(Printable.message("x".repeat(1_000_000))).isEqualTo("x".repeat(2000) + "…");
    }

    @Test
    void exceptionsAreOneLineAndPrintAllOfIt() {
        String name = "a\nb" + "c".repeat(5000);
        GraphException wrong = new GraphException(new SourceRef("m.onnx", "node 'n\u001b'"), name);
        assertThat(wrong).hasMessage("m.onnx: node 'n\\u001b': a\\u000ab" + "c".repeat(2000 - 32) + "…");
        assertThat(wrong.whole()).startsWith("m.onnx: node").endsWith("c".repeat(5000));
        assertThat(new UnsupportedException(new SourceRef("m.onnx", ""), name, "none").feature())
                .startsWith("a\\u000ab")
                .hasSize(2001);
    }
}
