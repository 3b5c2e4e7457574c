package org.clinfer.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.clinfer.opencl.ClBuildException;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClStatus;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.run.VariantException;
import org.clinfer.trace.TraceEvent;
import org.clinfer.tracesinks.Span;
import org.clinfer.tracesinks.Tracing;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recovery of a session when the device fails: the mildest change that may help, one at a time, until a run
 * succeeds or the CPU does everything. Short of memory: kept plans are closed, then kernels with workspace are avoided,
 * then the device. A kernel that does not build or start is avoided. After any other failure there is a new context
 * with the weights uploaded again, where the run waits for each node; if that fails, too, the kernel while which it did is
 * avoided, or where none is to blame the device. In place of a device that is avoided comes
 * another one of the engine, if there is one, and the CPU after the last.
 *
 * <p>A variant that does not build is retired for the life of the engine, with the build error as its reason, and the plan
 * is made again without it.
 */
final class Recovery {

    /** The most lines of a compiler's log that are logged. */
    private static final int LOG_LINES = 20;

    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    /** So many kernels are avoided after one another because the device fails while they run; then it is not one kernel. */
    private static final int MOST_FATAL = 3;

    private final DeviceInUse device;
    private final BooleanSupplier hasOthers;
    private final Tracing tracing;
    private final Map<String, String> avoided = new HashMap<>();
    private final List<String> steps = new ArrayList<>();
    private PlanLimits limits = PlanLimits.NONE;
    private boolean isRenewed;
    private int fatal;

    /** The mark that the latest run was the first in a new context, and came to its end. */
    private boolean isSlowlyRight;

    private boolean staysCautious;
    private @Nullable ClException last;

    /** The way in which the session goes on. */
    enum Next {
        /** With the failure: nothing can be done any more. */
        GIVE_UP,
        /** On another device, with new plans for when it comes back. */
        LEAVE,
        /** With a new plan in place of the one that failed. */
        NEW_PLAN,
        /** With new plans in place of all it has. */
        NEW_PLANS
    }

    /** @param hasOthers whether the session has another device to go to */
    Recovery(DeviceInUse device, BooleanSupplier hasOthers, Tracing tracing) {
        this.device = device;
        this.tracing = tracing;
        this.hasOthers = hasOthers;
    }

    /** The kernels and devices that plans made from now on have to do without. */
    PlanLimits limits() {
        return limits.avoiding(avoided).withOthers(hasOthers.getAsBoolean());
    }

    /** Keeps plans made from now on from using a kernel variant. */
    void avoid(String variant, String reason) {
        avoided.put(variant, reason);
    }

    /** The steps taken after failures, oldest first. */
    List<String> steps() {
        return List.copyOf(steps);
    }

    /** A run came to its end. */
    void succeeded() {
        isSlowlyRight = isRenewed;
        isRenewed = false;
        fatal = 0;
    }

    /**
     * {@return whether the next run is to wait for each node, so that it is known while which the device fails; all
     * runs where it fails otherwise}
     */
    boolean isCautious() {
        return limits.withoutDevice().isEmpty() && (isRenewed || staysCautious);
    }

    /**
     * After the device refused a node.
     *
     * @param runtime where it was to run
     * @param makesRoom closes the other plans of the session; false if there are none
     */
    Next after(VariantException refused, DeviceRuntime runtime, BooleanSupplier makesRoom) {
        ClException failure = refused.failure();
        if (isCautious() && isWait(failure) && !isOutOfMemory(failure) && fatal < MOST_FATAL && device.renew(runtime)) {
            fatal++;
            isRenewed = true;
            device.retire(refused.family(), "the device fails while it runs: " + failure.getMessage());
            return step(Next.NEW_PLANS, "opened a new context and does without " + refused.family(), failure);
        }
        if (isOutOfMemory(failure) || isLoss(failure) || runtime.retired().containsKey(refused.variant())) {
            return after(failure, runtime, makesRoom);
        }
        String reason = "the device does not take it: " + failure.getMessage();
        if (failure instanceof ClBuildException build) {
            runtime.retire(refused.variant(), reason, build);
        } else {
            runtime.retire(refused.variant(), reason);
        }
        return step(Next.NEW_PLAN, "does without " + refused.variant(), failure);
    }

    /** After any other failure; the parameters are the same. */
    Next after(ClException failure, DeviceRuntime runtime, BooleanSupplier makesRoom) {
        if (limits.withoutDevice().isPresent()) {
            return Next.GIVE_UP;
        }
        if (isOutOfMemory(failure)) {
            if (makesRoom.getAsBoolean()) {
                return step(Next.NEW_PLAN, "closed its other plans", failure);
            }
            if (!limits.thrifty()) {
                limits = limits.withThrift();
                return step(Next.NEW_PLAN, "does without kernels that need workspace", failure);
            }
        } else if (!isRenewed && device.renew(runtime)) {
            isRenewed = true;
            staysCautious |= isSlowlyRight;
            return step(
                    Next.NEW_PLANS,
                    "opened a new context" + (staysCautious ? " and waits for each node from now on" : ""),
                    failure);
        } else {
            device.lose();
        }
        if (hasOthers.getAsBoolean()) {
            limits = PlanLimits.NONE;
            isRenewed = false;
            return step(Next.LEAVE, "goes on with another device than " + device.name(), failure);
        }
        limits = limits.onCpu("the device failed: " + firstLine(failure));
        return step(Next.NEW_PLANS, "goes on with the CPU alone", failure);
    }

    /**
     * The failure because of which there is no plan, now that the CPU cannot do without the device; the next run tries
     * the device again. Empty where the device is not to blame.
     */
    Optional<ClException> withoutPlan() {
        if (limits.withoutDevice().isEmpty()) {
            return Optional.empty();
        }
        limits = PlanLimits.NONE;
        isRenewed = false;
        return Optional.ofNullable(last);
    }

    private Next step(Next next, String done, ClException failure) {
        last = failure;
        String step = done + ", because " + firstLine(failure);
        steps.add(step);
        LOG.warn("the session {}", step);
        tracing.add(new TraceEvent.Recovery(device.name(), step, Span.now()));
        if (failure instanceof ClBuildException build) {
            build.log().lines().limit(LOG_LINES).forEach(line -> LOG.warn("    {}", line));
        }
        return next;
    }

    private static String firstLine(ClException failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    private static boolean isOutOfMemory(ClException failure) {
        return switch (failure.status()) {
            case CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY -> true;
            case CL_OUT_OF_RESOURCES -> failure.call().startsWith("clCreate");
            default -> false;
        };
    }

    /** {@return whether it is not the fault of one kernel} */
    private static boolean isLoss(ClException failure) {
        return failure.status().isDeviceLost()
                || failure.status() == ClStatus.CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
                || isWait(failure);
    }

    /** {@return whether commands were taken that failed later} */
    private static boolean isWait(ClException failure) {
        return failure.call().startsWith("clFinish") || failure.call().startsWith("clWaitForEvents");
    }
}
