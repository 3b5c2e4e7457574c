package org.clinfer.cpu.vector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which path is taken, and what is said where it is not the fast one. */
class CpuPathTest {

    private static final String COMPILED = "mixed mode, sharing";

    @Test
    void theTestsRunInVectors() {
        assertThat(CpuPath.current().word()).as(CpuPath.current().reason()).isEqualTo("vector");
        assertThat(CpuPath.current().kernels()).isNotNull();
    }

    @Test
    void withoutTheModuleItIsPlainAndSaysHowToAddIt() {
        CpuPath path = CpuPath.find(module -> false, COMPILED);

        assertThat(path.word()).isEqualTo("plain");
        assertThat(path.kernels()).isNull();
        assertThat(path.reason()).contains("--add-modules jdk.incubator.vector").doesNotContain("\n");
    }

    @Test
    void itAsksForTheRightModule() {
        assertThat(CpuPath.find("jdk.incubator.vector"::equals, COMPILED).word())
                .isEqualTo("vector");
    }

    @Test
    void aVirtualMachineThatDoesNotCompileTakesPlainLoops() {
        assertThat(CpuPath.find(module -> true, "interpreted mode").reason()).contains("interpreted mode");
        assertThat(CpuPath.find(module -> true, "mixed mode, emulated-client").word())
                .isEqualTo("plain");
    }

    @Test
    void thePropertyTurnsVectorsOff() {
        String before = System.getProperty(CpuPath.PROPERTY, "");
        System.setProperty(CpuPath.PROPERTY, "off");
        try {
            assertThat(CpuPath.current().word()).isEqualTo("plain");
        } finally {
            System.setProperty(CpuPath.PROPERTY, before);
        }
    }
}
