package org.clinfer.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.clinfer.options.ClBinding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Statuses and messages, and that the test tools themselves can fail. */
final class OpenClToolsTest {

    @ParameterizedTest
    @EnumSource
    void everyFailureHasANameAndANextStep(ClStatus status) {
        assertThat(ClStatus.of(status.code())).isEqualTo(status);
        assertThat(status.nextStep().isEmpty()).isEqualTo(status == ClStatus.CL_SUCCESS);
    }

    @Test
    void unknownCodesKeepTheirNumber() {
        ClException failure = new ClException("clFinish", -4711, "Some GPU");
        assertThat(failure.status()).isEqualTo(ClStatus.CL_UNKNOWN_STATUS);
        assertThat(failure.code()).isEqualTo(-4711);
        assertThat(failure).hasMessageContaining("clFinish failed on Some GPU: CL_UNKNOWN_STATUS (-4711); look");
    }

    @Test
    void someFailuresMeanThatTheDeviceIsLost() {
        assertThat(ClStatus.of(-36).isDeviceLost()).isTrue();
        assertThat(ClStatus.of(-5).isDeviceLost()).isFalse();
    }

    @Test
    void versionsAreReadFromTheDriversText() {
        assertThat(DeviceDiscovery.version("OpenCL 3.0 PoCL HSTR: pthread")).isEqualTo("3.0");
        assertThat(DeviceDiscovery.version("OpenCL 1.2 ")).isEqualTo("1.2");
        assertThat(DeviceDiscovery.version("experimental")).isEqualTo("experimental");
    }

    @Test
    void missingDeviceSkipsOrFails() {
        ClLoad missing = new ClLoad.Missing("no OpenCL device: a test");
        assertThat(RequiresOpenClCondition.decide("t", missing, false).isDisabled())
                .isTrue();
        assertThatThrownBy(() -> RequiresOpenClCondition.decide("t", missing, true))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no OpenCL device: a test");
    }

    @Test
    @RequiresOpenCl
    void aLeakFailsTheTest() {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        OpenCl openCl = ((ClLoad.Available) OpenCl.over(counting.api())).openCl();
        try (ClContext context = openCl.context(openCl.devices().get(0))) {
            ClBuffer buffer = context.buffer(4);
            assertThat(counting.live()).containsEntry("Context", 1).containsEntry("MemObject", 1);
            assertThatThrownBy(counting::assertAllReleased).hasMessageContaining("clCreateBuffer");
            buffer.close();
        }
        counting.assertAllReleased();
    }
}
