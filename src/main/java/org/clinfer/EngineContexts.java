package org.clinfer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.cache.TestedKernels;
import org.clinfer.cache.TunedChoices;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.device.DeviceFacts;
import org.clinfer.judge.ProfileJudge;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.runtime.DescriptionLoading;
import org.clinfer.runtime.DeviceInUse;
import org.clinfer.runtime.DeviceSelection;
import org.clinfer.runtime.EngineContext;
import org.clinfer.runtime.MemoryAccount;
import org.clinfer.runtime.MemoryBudget;
import org.clinfer.runtime.SelfTest;
import org.clinfer.tracesinks.Tracing;

/** Makes the contexts of an engine, one for each of its devices. Devices that are alike share what is known of their kernels. */
final class EngineContexts {

    private final EngineOptions options;
    private final DescriptionLoading.Loaded described;
    private final MemoryBudget budget;
    private final Tracing tracing;
    private final Parallel parallel;
    private final MemoryAccount memory;
    private final Map<DeviceFacts, TunedChoices> tuned = new HashMap<>();
    private final Map<DeviceFacts, SelfTest> tests = new HashMap<>();

    private EngineContexts(
            EngineOptions options, DescriptionLoading.Loaded described, MemoryBudget budget, Tracing tracing) {
        this.options = options;
        this.described = described;
        this.budget = budget;
        this.tracing = tracing;
        this.parallel = Parallel.of(options.threads());
        this.memory = new MemoryAccount(options.memoryLimit());
    }

    /**
     * The contexts, in the order of the devices.
     *
     * @param devices none for the CPU alone, which then has a context of its own
     */
    static List<EngineContext> of(
            EngineOptions options,
            DescriptionLoading.Loaded described,
            MemoryBudget budget,
            List<DeviceSelection.Opened> devices,
            Tracing tracing) {
        EngineContexts making = new EngineContexts(options, described, budget, tracing);
        List<EngineContext> contexts = new ArrayList<>();
        devices.forEach(device -> contexts.add(
                making.of(DeviceInUse.of(device), Optional.of(device.runtime().facts()))));
        return devices.isEmpty() ? List.of(making.of(DeviceInUse.none(), Optional.empty())) : List.copyOf(contexts);
    }

    private EngineContext of(DeviceInUse device, Optional<DeviceFacts> facts) {
        return new EngineContext(
                described.operators(),
                described.kernels(),
                described.hostOperators(),
                parallel,
                budget,
                memory,
                device,
                options.profile()
                        .map(choice -> new ProfileJudge(
                                choice.profile(), ProfileCatalog.builtIn().vocabulary(), choice.reading())),
                options.byCost()
                        && options.onUnsupported() == OnUnsupported.CPU
                        && options.device() instanceof DeviceChoice.Auto
                        && options.profile().isEmpty(),
                options.onUnsupported() == OnUnsupported.FAIL,
                options.precision() == Precision.TF32,
                options.precision() == Precision.FLOAT16,
                options.fusion(),
                options.chain(),
                facts.map(known -> tuned.computeIfAbsent(known, any -> TunedChoices.of(options.cache(), known)))
                        .orElseGet(TunedChoices::none),
                facts.map(known -> tests.computeIfAbsent(known, any -> test(facts)))
                        .orElseGet(() -> test(facts)),
                tracing);
    }

    private SelfTest test(Optional<DeviceFacts> facts) {
        return new SelfTest(
                described.hostOperators(),
                parallel,
                described.kernels(),
                facts.filter(known -> !options.trust()).map(known -> TestedKernels.of(options.cache(), known)));
    }
}
