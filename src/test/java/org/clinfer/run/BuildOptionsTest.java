package org.clinfer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.clinfer.device.DeviceFacts;
import org.junit.jupiter.api.Test;

class BuildOptionsTest {

    private static DeviceFacts device(String... extensions) {
        return new DeviceFacts("some", "one", "1", "none", "3.0", DeviceFacts.Kind.GPU, Set.of(extensions), Map.of());
    }

    @Test
    void limitOfRegistersIsForCompilersThatCanBeToldOne() {
        String own = "-DTILE=128 -DITEM_REGISTERS=128";
        assertThat(BuildOptions.of(own, device("cl_nv_compiler_options")))
                .startsWith(own + " -DREGISTER_LANES=")
                .endsWith(" -cl-nv-maxrregcount=128");
        assertThat(BuildOptions.of(own, device("cl_khr_fp64"))).doesNotContain("maxrregcount");
    }

    @Test
    void programsWithoutLimitHaveNone() {
        DeviceFacts device = device("cl_nv_compiler_options");
        assertThat(BuildOptions.of("-DTILE=64 -DITEM_REGISTERS=0", device)).doesNotContain("maxrregcount");
        assertThat(BuildOptions.of("", device)).matches("-DREGISTER_LANES=\\d+");
    }
}
