package org.clinfer;

/** Sessions on the CPU. */
class SessionTest extends SessionContract {

    @Override
    Engine open() {
        return Engine.open(
                EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()).withThreads(2));
    }
}
