package org.clinfer;

/** Bindings on the CPU. */
class BindingTest extends BindingContract {

    @Override
    Engine open() {
        return Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
    }
}
