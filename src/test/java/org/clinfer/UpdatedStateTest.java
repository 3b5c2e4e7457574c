package org.clinfer;

/** Carried values that change on the CPU. */
class UpdatedStateTest extends UpdatedStateContract {

    @Override
    Engine open() {
        return Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
    }

    @Override
    boolean isInPlace() {
        return true;
    }
}
