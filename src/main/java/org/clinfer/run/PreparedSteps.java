package org.clinfer.run;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.clinfer.kernel.ChainSource;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.opencl.ClEvent;
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
        } catch (RuntimeException e) {
            close();
            throw e;
        }
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
        return new VariantException(launch.node().variant().orElseThrow().optype(), failure);
    }

    /**
     * Starts a launch or a chain.
     *
     * @throws VariantException if the device does not take the kernels of a node
     */
    void enqueue(Step step, ClQueue queue) {
        if (step instanceof Step.Launch launch) {
            enqueueAlone(launch, queue);
        } else if (step instanceof Step.Chain chain) {
            PreparedChain prepared = chains.get(chain);
            if (prepared != null) {
                enqueue(prepared, queue);
            } else {
                chain.nodes().forEach(launch -> enqueueAlone(launch, queue));
            }
        }
    }

    private void enqueueAlone(Step.Launch launch, ClQueue queue) {
        PreparedNode node = node(launch);
        try {
            node.enqueue(queue);
        } catch (ClException e) {
            throw refused(launch, e);
        }
    }

    private void enqueue(PreparedChain chain, ClQueue queue) {
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

    /** Starts a launch or a chain on a queue with profiling; its events belong to the caller. */
    List<ClEvent> enqueueTimed(Step step, ClQueue queue) {
        if (step instanceof Step.Launch launch) {
            return node(launch).enqueueTimed(queue);
        }
        Step.Chain chain = (Step.Chain) step;
        PreparedChain prepared = chains.get(chain);
        return prepared != null
                ? List.of(prepared.enqueueTimed(queue))
                : chain.nodes().stream()
                        .flatMap(launch -> node(launch).enqueueTimed(queue).stream())
                        .toList();
    }

    /** Runs the nodes of a launch or a chain one by one on a queue with profiling. */
    List<StepTime> timed(Step step, ClQueue queue) {
        List<StepTime> times = new ArrayList<>();
        List<Step.Launch> launches = step instanceof Step.Chain chain ? chain.nodes() : List.of((Step.Launch) step);
        launches.forEach(launch -> times.add(new StepTime(launch, node(launch).timedNanos(queue))));
        return times;
    }

    @Override
    public void close() {
        chains.values().forEach(PreparedChain::close);
        chains.clear();
        nodes.values().forEach(PreparedNode::close);
        nodes.clear();
    }
}
