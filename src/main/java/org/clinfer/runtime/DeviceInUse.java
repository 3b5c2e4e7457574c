package org.clinfer.runtime;

import java.util.Optional;
import org.clinfer.opencl.ClException;
import org.clinfer.run.DeviceRuntime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The device of an engine, if it uses one. When it fails, a new context on it takes the old one's place. */
public final class DeviceInUse implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DeviceInUse.class);

    private @Nullable DeviceRuntime runtime;
    private boolean closed;

    public DeviceInUse(Optional<DeviceRuntime> opened) {
        this.runtime = opened.orElse(null);
    }

    /** The context in use. */
    synchronized Optional<DeviceRuntime> current() {
        return Optional.ofNullable(runtime);
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

    @Override
    public synchronized void close() {
        closed = true;
        if (runtime != null) {
            runtime.close();
        }
    }
}
