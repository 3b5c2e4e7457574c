package org.clinfer.runtime;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.run.KeptValues;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs of a session, each on the device of the engine that has the fewest of all sessions' runs at that time; on the
 * one of the run before, if others do not have fewer. A device that fails, or has not the memory, is left for another one,
 * and the run begins again there. What failed is not chosen again while there are others. The last device that is left
 * does what it can, and the CPU the rest.
 */
public final class SessionRuns implements Runs {

    private static final Logger LOG = LoggerFactory.getLogger(SessionRuns.class);

    private final Map<DeviceInUse, OnDevice> devices = new LinkedHashMap<>();
    private final DeviceLoad load;
    private final RunLock lock;
    private final RunTracing tracing;
    private OnDevice latest;

    /** @param networks the network on each device, in the order in which they are taken that have as much to do */
    SessionRuns(List<Network> networks, DeviceLoad load, RunLock lock, RunTracing tracing) {
        this.tracing = tracing;
        this.load = load;
        this.lock = lock;
        networks.forEach(network -> devices.put(network.device(), new OnDevice(network)));
        this.latest = devices.values().iterator().next();
    }

    /** The session's share of one device: made when a run is there for the first time. */
    private final class OnDevice {

        private final Network network;
        private final Planning planning;
        private @Nullable Runs runs;

        /** The mark of a failure in this session. */
        private boolean failed;

        /** The mark that the run in progress has left it. */
        private boolean left;

        OnDevice(Network network) {
            this.network = network;
            this.planning = network.planning(this::hasOthers);
        }

        boolean isUsable() {
            return !failed && !left && !network.device().isAvoided();
        }

        boolean hasOthers() {
            return devices.values().stream().anyMatch(other -> other != this && other.isUsable());
        }

        Runs runs() {
            if (runs == null) {
                runs = network.runs(planning, lock);
            }
            return runs;
        }
    }

    @Override
    public Map<String, Tensor> run(Map<String, Tensor> inputs, BooleanSupplier stopped) {
        return tracing.run(false, () -> on(candidate -> true, runs -> runs.run(inputs, stopped)));
    }

    /** The same on the device that values are on, as long as it can be used. */
    @Override
    public Map<String, Tensor> run(Map<String, Tensor> inputs, BooleanSupplier stopped, KeptValues kept) {
        Optional<DeviceRuntime> there = kept.runtime();
        return tracing.run(
                false,
                () -> on(
                        candidate -> there.isEmpty() || candidate.current().equals(there),
                        runs -> runs.run(inputs, stopped, kept)));
    }

    @Override
    public List<PartTimes> profile(Map<String, Tensor> inputs) {
        return tracing.run(true, () -> on(candidate -> true, runs -> runs.profile(inputs)));
    }

    private <T> T on(Predicate<DeviceInUse> preferred, Function<Runs, T> use) {
        lock.begin();
        try {
            while (true) {
                lock.requireOpen();
                DeviceInUse device = load.begin(candidates(preferred));
                try {
                    latest = own(device);
                    return use.apply(latest.runs());
                } catch (DeviceLeftException left) {
                    latest.failed |= left.isLasting();
                    latest.left = true;
                    LOG.debug("a run leaves {}: {}", device.name(), left.getMessage());
                } finally {
                    load.end(device);
                }
            }
        } finally {
            devices.values().forEach(own -> own.left = false);
            lock.end();
        }
    }

    /** Those that are preferred of the devices that a run can be on, or all where none is. */
    private List<DeviceInUse> candidates(Predicate<DeviceInUse> preferred) {
        List<DeviceInUse> all = candidates();
        List<DeviceInUse> first = all.stream().filter(preferred).toList();
        return first.isEmpty() ? all : first;
    }

    /** The devices that a run can be on, the latest first; that one alone where none can be used any more. */
    private List<DeviceInUse> candidates() {
        List<DeviceInUse> usable = new ArrayList<>();
        devices.forEach((device, own) -> {
            if (own.isUsable()) {
                usable.add(own == latest ? 0 : usable.size(), device);
            }
        });
        return usable.isEmpty() ? List.of(latest.network.device()) : usable;
    }

    /**
     * The plan for these input types, on the device where a run would be if all had as much to do.
     *
     * @param inputTypes types of some inputs instead of the network's own
     */
    public RunPart plan(Map<String, TensorType> inputTypes) {
        List<DeviceInUse> candidates = candidates();
        for (DeviceInUse device : candidates.subList(0, candidates.size() - 1)) {
            try {
                return own(device).planning.plan(inputTypes, false);
            } catch (DeviceLeftException left) {
                LOG.debug("{} is not planned for: {}", device.name(), left.getMessage());
            }
        }
        return own(candidates.get(candidates.size() - 1)).planning.plan(inputTypes, true);
    }

    private OnDevice own(DeviceInUse device) {
        return Objects.requireNonNull(devices.get(device));
    }

    /** Keeps plans made from now on from using a kernel variant. */
    public void avoid(String variant, String reason) {
        devices.values().forEach(own -> own.planning.avoid(variant, reason));
    }

    /** The number of plans made; for each signature one on each device, as long as they are kept and no device fails. */
    public int plansMade() {
        return devices.values().stream()
                .mapToInt(own -> own.planning.plansMade())
                .sum();
    }

    @Override
    public List<RunPart> parts() {
        return latest.runs().parts();
    }

    @Override
    public boolean hasRun() {
        return latest.runs != null && latest.runs.hasRun();
    }

    /** The steps of each device, oldest first. */
    @Override
    public List<String> recoveries() {
        return devices.values().stream()
                .filter(own -> own.runs != null)
                .flatMap(own -> own.runs().recoveries().stream())
                .toList();
    }

    @Override
    public void close() {
        devices.values().forEach(own -> {
            if (own.runs != null) {
                own.runs.close();
            }
        });
    }
}
