package org.clinfer.run;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.Stream;
import org.clinfer.kernel.ChainSource;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClQueue;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.Step;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The launches of a plan: chains as one each, where their program builds, and every node by itself when it is needed. */
final class PreparedSteps implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PreparedSteps.class);

    private final DeviceRuntime runtime;
    private final DeviceMemory memory;
    private final IdentityHashMap<PlacedNode, NodeMemory> tensors = new IdentityHashMap<>();
    private final IdentityHashMap<PlacedNode, PreparedNode> nodes = new IdentityHashMap<>();
    private final IdentityHashMap<Step.Chain, PreparedChain> chains = new IdentityHashMap<>();

    /**
     * Builds the kernels of a plan.
     *
     * @throws VariantException if the device does not take the kernels of a node
     */
    PreparedSteps(DeviceRuntime runtime, ExecutionPlan plan, DeviceMemory memory) {
        this.runtime = runtime;
        this.memory = memory;
        try {
            prepareChains(plan.steps().stream()
                    .filter(Step.Chain.class::isInstance)
                    .map(Step.Chain.class::cast)
                    .toList());
            for (Step step : plan.steps()) {
                if (step instanceof Step.Launch launch) {
                    node(launch);
                } else if (step instanceof Step.Chain chain && !chains.containsKey(chain)) {
                    chain.nodes().forEach(this::node);
                }
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** The kernels that are launched alone, as they are made ready: those of a node's weights come before its own. */
    static List<KernelLaunch> kernels(ExecutionPlan plan) {
        return plan.steps().stream()
                .filter(Step.Launch.class::isInstance)
                .map(Step.Launch.class::cast)
                .flatMap(step -> Stream.concat(
                        step.node().launches().orElseThrow().staticRun().stream(), step.kernels().stream()))
                .toList();
    }

    /** All chains of a plan share a program, which has to be compiled once. */
    private void prepareChains(List<Step.Chain> steps) {
        if (steps.isEmpty() || runtime.chainFault().isPresent()) {
            return;
        }
        List<KernelLaunch> launches = steps.stream()
                .flatMap(chain -> chain.nodes().stream())
                .flatMap(node -> node.kernels().stream())
                .toList();
        try {
            ChainSource source = memory.chainSource(launches);
            runtime.beginChain(source);
            runtime.join(memory.staticLaunches());
            steps.forEach(chain -> prepare(chain, source));
        } catch (ClException e) {
            if (e.status().isDeviceLost()) {
                throw e;
            }
            LOG.debug("{} launches run one by one", launches.size(), e);
            chains.values().forEach(PreparedChain::close);
            chains.clear();
        }
    }

    private void prepare(Step.Chain chain, ChainSource source) {
        ChainTable table = new ChainTable(source);
        for (Step.Launch step : chain.nodes()) {
            for (KernelLaunch launch : step.kernels()) {
                table.add(launch, tensors(step.node())::buffer);
            }
        }
        if (table.pools().size() > ChainSource.POOLS) {
            LOG.info(
                    "{} launches run one by one: their memory is in {} buffers, and one launch takes {}",
                    table.launches(),
                    table.pools().size(),
                    ChainSource.POOLS);
            return;
        }
        chains.put(chain, new PreparedChain(runtime, source, table));
        LOG.debug("{} operators, {} launches, run in one", chain.nodes().size(), table.launches());
    }

    private NodeMemory tensors(PlacedNode node) {
        return tensors.computeIfAbsent(node, placed -> new NodeMemory(placed, memory));
    }

    private PreparedNode node(Step.Launch launch) {
        PreparedNode known = nodes.get(launch.node());
        if (known != null) {
            return known;
        }
        try {
            PreparedNode made = new PreparedNode(runtime, launch, tensors(launch.node()));
            nodes.put(launch.node(), made);
            return made;
        } catch (ClException e) {
            throw refused(launch, e);
        }
    }

    private static VariantException refused(Step.Launch launch, ClException failure) {
        return new VariantException(launch.node().variant().orElseThrow(), failure);
    }

    /** {@return whether a launch or a chain gives the device anything to do} */
    boolean hasKernels(Step step) {
        return !(step instanceof Step.Launch launch) || node(launch).hasKernels();
    }

    /**
     * Starts a launch or a chain.
     *
     * @throws VariantException if the device does not take the kernels of a node
     */
    void enqueue(Step step, ClQueue queue) {
        if (step instanceof Step.Launch launch) {
            startAlone(launch, queue);
        } else if (step instanceof Step.Chain chain) {
            PreparedChain prepared = chains.get(chain);
            if (prepared != null) {
                startAsOne(prepared, queue);
            } else {
                chain.nodes().forEach(launch -> startAlone(launch, queue));
            }
        }
    }

    private void startAlone(Step.Launch launch, ClQueue queue) {
        PreparedNode node = node(launch);
        try {
            node.enqueue(queue);
        } catch (ClException e) {
            throw refused(launch, e);
        }
    }

    private void startAsOne(PreparedChain chain, ClQueue queue) {
        try {
            chain.enqueue(queue);
        } catch (ClException e) {
            if (!e.status().isDeviceLost()) {
                LOG.warn("operators run one by one, because they do not run as one: {}", e.getMessage());
                runtime.giveUp(chain.source(), e);
            }
            throw e;
        }
    }

    /**
     * Runs a node by itself, and waits for it.
     *
     * @throws VariantException if the device does not take its kernels, or fails while they run
     */
    void runAlone(Step.Launch launch, ClQueue queue) {
        PreparedNode node = node(launch);
        try {
            node.enqueue(queue);
            queue.finish();
        } catch (ClException e) {
            throw refused(launch, e);
        }
    }

    @Override
    public void close() {
        chains.values().forEach(PreparedChain::close);
        chains.clear();
        nodes.values().forEach(PreparedNode::close);
        nodes.clear();
    }
}
