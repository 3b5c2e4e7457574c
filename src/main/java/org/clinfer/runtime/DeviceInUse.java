package org.clinfer.runtime;

import java.util.Optional;
import org.clinfer.opencl.ClException;
import org.clinfer.run.DeviceRuntime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A device of an engine, if it uses one. When it fails, a new context on it takes the old one's place. */
public final class DeviceInUse implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DeviceInUse.class);

    private final String name;
    private @Nullable DeviceRuntime runtime;
    private boolean lost;
    private boolean closed;

    private DeviceInUse(String name, @Nullable DeviceRuntime runtime) {
        this.name = name;
        this.runtime = runtime;
    }

    /** A device that was opened. */
    public static DeviceInUse of(DeviceSelection.Opened opened) {
        return new DeviceInUse(
                "device " + opened.number() + " (" + opened.runtime().facts().name() + ")", opened.runtime());
    }

    /** No device: the CPU does everything. */
    public static DeviceInUse none() {
        return new DeviceInUse("no device", null);
    }

    /** The context in use. */
    synchronized Optional<DeviceRuntime> current() {
        return Optional.ofNullable(runtime);
    }

    /** Number and name, for messages. */
    String name() {
        return name;
    }

    /** Leaves the device to itself as long as there are others: also a new context on it failed. */
    synchronized void lose() {
        lost = true;
    }

    /** {@return whether it, and a new context on it, failed} */
    public synchronized boolean isLost() {
        return lost;
    }

    /** {@return whether runs are to go elsewhere where they can: it is lost, or computes wrong numbers} */
    synchronized boolean isAvoided() {
        return lost || (runtime != null && runtime.fault().isPresent());
    }

    /**
     * Goes on with a new context in place of one that failed, if that was not done already.
     *
     * @return whether there is another one now
     */
    synchronized boolean renew(DeviceRuntime failed) {
        if (closed || runtime == null) {
            return false;
        }
        if (runtime != failed) {
            return true;
        }
        try {
            DeviceRuntime renewed = failed.reopened();
            failed.close();
            runtime = renewed;
            return true;
        } catch (ClException e) {
            LOG.warn("no new context on the device: {}", e.getMessage());
            return false;
        }
    }

    /** Keeps a kernel variant, or a family of them, from being placed on the device again. */
    synchronized void retire(String variant, String reason) {
        if (runtime != null) {
            runtime.retire(variant, reason);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (runtime != null) {
            runtime.close();
        }
    }
}
