package org.clinfer.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IniFileTest {

    private static IniFile parse(String... lines) {
        return IniFile.parse("a.ini", String.join("\n", lines));
    }

    @Test
    void readsWhatPlatformFilesHave() {
        IniFile file = parse(
                "\uFEFF# [Platform Info configuration begin]",
                "[version]  ",
                "SoC_version=Ascend310",
                "",
                "; another comment",
                "[SoCInfo]",
                "memory_size=",
                " l2_size = 8388608 \r",
                "expression = a == b");
        assertThat(file.sections()).extracting(IniFile.Section::name).containsExactly("version", "SoCInfo");
        assertThat(file.sections().get(0).line()).isEqualTo(2);
        assertThat(file.section("SoCInfo").orElseThrow().entries())
                .containsExactly(
                        new IniFile.Entry("memory_size", "", 7),
                        new IniFile.Entry("l2_size", "8388608", 8),
                        new IniFile.Entry("expression", "a == b", 9));
        assertThat(file.section("nothing")).isEmpty();
    }

    @Test
    void aBackslashContinuesAValueButNoComment() {
        IniFile file = parse("[a]", "x = 1 + \\", "    2", "# comment \\", "y = 3");
        assertThat(file.sections().get(0).entries())
                .isEqualTo(List.of(new IniFile.Entry("x", "1 + 2", 2), new IniFile.Entry("y", "3", 5)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x=1 | a.ini:1: expected a [section] before the first entry, found 'x=1'",
                "[a | a.ini:1: expected [section], found '[a'",
                "[] | a.ini:1: expected [section], found '[]'",
                "no entry | a.ini:1: expected a [section] before the first entry, found 'no entry'"
            })
    void saysWhereItIsMalformed(String text, String message) {
        assertThatThrownBy(() -> IniFile.parse("a.ini", text))
                .isInstanceOf(ProfileException.class)
                .hasMessage(message);
    }

    @Test
    void anEntryNeedsAKey() {
        assertThatThrownBy(() -> parse("[a]", "=1")).hasMessage("a.ini:2: expected key = value, found '=1'");
        assertThatThrownBy(() -> parse("[a]", "word")).hasMessage("a.ini:2: expected key = value, found 'word'");
    }
}
