package org.clinfer.runtime;

import java.util.Optional;
import org.clinfer.cache.TunedChoices;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.describe.OpCatalog;
import org.clinfer.judge.ProfileJudge;
import org.clinfer.kernel.KernelCatalog;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.run.HostOperators;
import org.clinfer.tracesinks.Tracing;

/**
 * The things that all networks of an engine and their runs share on one device, or without one.
 *
 * @param memory what all networks and sessions of the engine hold
 * @param onlyOnDevice whether no node may run on the CPU
 * @param tf32 whether factors in float32 may be rounded to TF32
 * @param float16 whether what is in float32 is computed in float16
 * @param tracing told of what is done
 */
public record EngineContext(
        OpCatalog operators,
        KernelCatalog kernels,
        HostOperators hostOperators,
        Parallel parallel,
        MemoryBudget budget,
        MemoryAccount memory,
        DeviceInUse inUse,
        Optional<ProfileJudge> profile,
        boolean byCost,
        boolean onlyOnDevice,
        boolean tf32,
        boolean float16,
        boolean fusion,
        boolean chain,
        TunedChoices tuned,
        SelfTest selfTest,
        Tracing tracing) {

    /** The device; another one after a failure. */
    public Optional<DeviceRuntime> device() {
        return inUse.current();
    }
}
