package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {

    private static final String LONG = "a b".repeat(30);

    @Test
    void tablesThatHaveRoomStayAsTheyAre() {
        TextTable table = new TextTable().row("NAME", "TEXT").row("x", "short").note("  of x");

        assertThat(table.lines()).containsExactly("NAME  TEXT", "x     short", "  of x");
        assertThat(table.lines(80)).isEqualTo(table.lines());
    }

    @Test
    void longCellsGoOnBelow() {
        List<String> lines = new TextTable()
                .row("NAME", "TEXT", "MORE")
                .row("x", "one two three four five six seven eight nine ten", "all of it")
                .lines(40);

        assertThat(lines)
                .containsExactly(
                        "NAME  TEXT                     MORE",
                        "x     one two three four five  all of it",
                        "      six seven eight nine",
                        "      ten");
    }

    @Test
    void columnsWithoutRoomGoOnBelowWithTheFirst() {
        List<String> lines = new TextTable()
                .row("NAME", "A".repeat(18), "B".repeat(18), "C")
                .row("x", "1", "2", "3")
                .note("    said of x, in more words than have room")
                .lines(40);

        assertThat(lines)
                .containsExactly(
                        "NAME  " + "A".repeat(18),
                        "x     1",
                        "",
                        "NAME  " + "B".repeat(18) + "  C",
                        "x     2                   3",
                        "    said of x, in more words than have",
                        "        room");
    }

    @Test
    void wordsLongerThanALineAreParted() {
        assertThat(WrappedText.lines("  see " + LONG.replace(" ", "") + "/end", 40))
                .allMatch(line -> line.length() <= 40)
                .hasSizeGreaterThan(1);
        assertThat(String.join("", WrappedText.lines(LONG.replace(" ", "") + "😀", 40))
                        .replace(" ", ""))
                .isEqualTo(LONG.replace(" ", "") + "😀");
        assertThat(WrappedText.lines("a".repeat(39) + "😀b", 40)).containsExactly("a".repeat(39), "    😀b");
    }
}
