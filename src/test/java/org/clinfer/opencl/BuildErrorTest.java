package org.clinfer.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * File and line of the first error in the logs of compilers. Those of Clang, PoCL, NVIDIA 319, Apple, Catalyst and of AMD and
 * Mesa without #line are recorded ones; the others are written in forms that are known of the compilers.
 */
final class BuildErrorTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            Clang 15, as in AMD's and Mesa's drivers ~ `/home/me/wrong.cl:11:44: error: use of undeclared identifier 'nonsense'
                y[0] = nonsense;
                       ^
            1 error generated.` ~ /home/me/wrong.cl ~ 11 ~ use of undeclared identifier 'nonsense'
            PoCL 3.1 ~ `error: /home/me/wrong.cl:11:44: use of undeclared identifier 'nonsense'
            Device pthread-skylake-avx512 failed to build the program` ~ /home/me/wrong.cl ~ 11 ~ use of undeclared identifier 'nonsense'
            AMD, Mesa without #line ~ `input.cl:1104:80: error: use of undeclared identifier 'amd_bfe'
            input.cl:139:21: note: expanded from macro 'BYTE'` ~ input.cl ~ 1104 ~ use of undeclared identifier 'amd_bfe'
            AMD Catalyst ~ `"C:\\Temp\\OCLF992.tmp.cl", line 1629: error:
                      identifier "C" is undefined
                                    E8;
                                    ^` ~ C:\\Temp\\OCLF992.tmp.cl ~ 1629 ~ identifier "C" is undefined
            AMD Catalyst in one line ~ `"/tmp/OCL1.cl", line 8: error: identifier "nonsense" is
                      undefined` ~ /tmp/OCL1.cl ~ 8 ~ identifier "nonsense" is
            NVIDIA 319 ~ `In file included from :15:
            ./opencl_sha256.h:38:38: warning: unknown '#pragma OPENCL EXTENSION' - ignored
            :84:14: error: use of undeclared identifier 'k'
                   t1 = k[i] + w[i];` ~ `` ~ 84 ~ use of undeclared identifier 'k'
            NVIDIA ~ `<kernel>:551:3: error: use of undeclared identifier 'cp'
                            PUTSHORT(block, i, 0);` ~ `` ~ 551 ~ use of undeclared identifier 'cp'
            Apple ~ `<program source>:226:28: warning: double precision constant requires cl_khr_fp64, casting to single precision
            <program source>:344:26: error: use of undeclared identifier 'CUTOFF_SQUARED'
                            if (r2 < CUTOFF_SQUARED) {` ~ `` ~ 344 ~ use of undeclared identifier 'CUTOFF_SQUARED'
            Intel ~ `Compilation started
            1:11:44: error: use of undeclared identifier 'nonsense'
            Compilation failed` ~ `` ~ 11 ~ use of undeclared identifier 'nonsense'
            a drive ~ `D:\\mine\\wrong.cl:7:3: fatal error: 'more.h' file not found` ~ D:\\mine\\wrong.cl ~ 7 ~ 'more.h' file not found
            brackets ~ `wrong.cl(12): error: identifier "nonsense" is undefined` ~ wrong.cl ~ 12 ~ identifier "nonsense" is undefined
            """)
    void placeOfTheFirstError(String compiler, String log, String file, int line, String text) {
        assertThat(BuildError.first(log)).contains(new BuildError(file, line, text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "error: linking failed",
                "wrong.cl:3:1: warning: unused variable 'x'",
                "fatal error: cannot open file '/usr/share/clc/gfx1010-amdgcn-mesa-mesa3d.bc': No such file or directory",
                "ptxas error : Entry function 'f' uses too much shared data (0x10000 bytes, 0xc000 max)",
                "wrong.cl:99999999999:1: error: a line that no file has"
            })
    void whatNamesNoPlace(String log) {
        assertThat(BuildError.first(log)).isEmpty();
    }

    @Test
    void aLogOfAnyLengthIsReadInTime() {
        String line = "a:".repeat(1_000_000);
        assertThat(BuildError.first(line + "\n" + "x:1:2:3".repeat(500) + "\nwrong.cl:5:1: error: here"))
                .contains(new BuildError("wrong.cl", 5, "here"));
    }
}
