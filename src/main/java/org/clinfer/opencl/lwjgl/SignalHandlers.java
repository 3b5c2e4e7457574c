package org.clinfer.opencl.lwjgl;

import static org.lwjgl.system.MemoryUtil.NULL;
import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memGetAddress;
import static org.lwjgl.system.MemoryUtil.nmemCallocChecked;

import org.clinfer.opencl.SignalChain;
import org.lwjgl.system.JNI;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.Platform;
import org.lwjgl.system.linux.DynamicLinkLoader;

/**
 * The handlers of signals as Java has set them, to be put back where drivers put others in their place when they are asked
 * for their devices. On Linux, where {@code libjsig} does not keep the order; elsewhere nothing.
 */
final class SignalHandlers {

    private static final int LAST_SIGNAL = 31;

    /** A C library's {@code struct sigaction} is smaller; its first member is the handler. */
    private static final int BYTES = 256;

    private final long sigaction;

    /** By signal; in memory that stays, as the process does. */
    private final long saved;

    private final long current;

    private SignalHandlers(long sigaction) {
        this.sigaction = sigaction;
        this.saved = nmemCallocChecked(LAST_SIGNAL + 1L, BYTES);
        this.current = nmemCallocChecked(1, BYTES);
        for (int signal = 1; sigaction != NULL && signal <= LAST_SIGNAL; signal++) {
            JNI.invokePPI(signal, NULL, of(signal), sigaction);
        }
    }

    /** Those of this moment. */
    static SignalHandlers now() {
        boolean isOpen = Platform.get() == Platform.LINUX && SignalChain.isMissing();
        return new SignalHandlers(isOpen ? inProcess("sigaction") : NULL);
    }

    /** The address of a function of any library in this process. */
    private static long inProcess(String function) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            return DynamicLinkLoader.ndlsym(NULL, memAddress(stack.ASCII(function)));
        }
    }

    private long of(int signal) {
        return saved + (long) signal * BYTES;
    }

    /** Puts back the handlers that are others now. */
    synchronized void restore() {
        for (int signal = 1; sigaction != NULL && signal <= LAST_SIGNAL; signal++) {
            if (JNI.invokePPI(signal, NULL, current, sigaction) == 0
                    && memGetAddress(current) != memGetAddress(of(signal))) {
                JNI.invokePPI(signal, of(signal), NULL, sigaction);
            }
        }
    }
}
