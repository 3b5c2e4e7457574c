package org.clinfer.place;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.clinfer.costs.CpuWork;
import org.clinfer.describe.Bindings;
import org.clinfer.device.DeviceFacts;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.kernel.Accept;
import org.clinfer.kernel.KernelCatalog;
import org.clinfer.kernel.KernelPlan;
import org.clinfer.kernel.KernelVariant;
import org.clinfer.kernel.OperatorUse;
import org.clinfer.tensor.TensorType;

/**
 * Gives every node the first kernel variant that accepts it, else the CPU.
 *
 * <p>A view (its output is its input's memory) stays where its input is, so that no transfer is made for it.
 */
public final class Placer {

    /** So many choices are kept; networks whose sizes grow with every run have ever new ones. */
    private static final int MOST_KNOWN = 4096;

    private final KernelCatalog kernels;
    private final Optional<DeviceFacts> device;
    private final CpuSupport cpu;
    private final DeviceRules rules;
    private final Map<String, String> retired;
    private final boolean thrifty;

    /** The choices made for uses of operators: networks repeat them. */
    private final Map<Object, Judged> known = new ConcurrentHashMap<>();

    /** The places in the latest graph: nodes that are the same for inputs of other sizes have the same in the next one. */
    private volatile IdentityHashMap<CheckedNode, Place> latest = new IdentityHashMap<>();

    private final Bindings bindings = new Bindings();

    /**
     * @param device the device, or empty to place everything on the CPU
     * @param retired kernel variants not to be used, by {@link KernelVariant#optype()} or {@link KernelVariant#family()}, with the
     *     reason
     */
    public Placer(KernelCatalog kernels, Optional<DeviceFacts> device, CpuSupport cpu, Map<String, String> retired) {
        this(kernels, device, cpu, DeviceRules.NONE, retired, false);
    }

    /**
     * Places by the rules of a profile as well.
     *
     * @param device the device, or empty to place everything on the CPU
     * @param rules what else has to hold on the device
     * @param retired kernel variants not to be used, by {@link KernelVariant#optype()} or {@link KernelVariant#family()}, with the
     *     reason
     * @param thrifty whether to do without kernel variants that need memory beside inputs and outputs
     */
    public Placer(
            KernelCatalog kernels,
            Optional<DeviceFacts> device,
            CpuSupport cpu,
            DeviceRules rules,
            Map<String, String> retired,
            boolean thrifty) {
        this.kernels = kernels;
        this.device = device;
        this.cpu = cpu;
        this.rules = rules;
        this.retired = Map.copyOf(retired);
        this.thrifty = thrifty;
    }

    /** The bindings of what is to be placed here. */
    public Bindings bindings() {
        return bindings;
    }

    /** The device; empty if everything is placed on the CPU. */
    public Optional<DeviceFacts> device() {
        return device;
    }

    /** Places every node of a graph whose types are all known. */
    public PlacedGraph place(CheckedGraph graph) {
        List<PlacedNode> placed = new ArrayList<>();
        Set<String> onCpu = new HashSet<>();
        IdentityHashMap<CheckedNode, Place> before = latest;
        IdentityHashMap<CheckedNode, Place> now = new IdentityHashMap<>();
        for (CheckedNode node : graph.nodes()) {
            boolean followsCpu = isViewOf(onCpu, node);
            Place known = before.get(node);
            Place place = known != null && known.followsCpu() == followsCpu
                    ? known
                    : new Place(followsCpu, place(node, onCpu));
            now.put(node, place);
            PlacedNode choice = place.choice();
            placed.add(choice);
            if (choice.target() == PlacedNode.Target.CPU) {
                onCpu.addAll(node.node().outputs());
            }
        }
        latest = now;
        return new PlacedGraph(graph, placed);
    }

    /**
     * The place of a node of a graph.
     *
     * @param followsCpu whether it is a view of what the CPU makes
     */
    private record Place(boolean followsCpu, PlacedNode choice) {}

    private static boolean isViewOf(Set<String> onCpu, CheckedNode written) {
        for (CheckedNode form = written; form != null; form = form.lowered()) {
            if (form.op().isView() && onCpu.contains(form.node().inputs().get(0))) {
                return true;
            }
        }
        return false;
    }

    /** Kernels for the operator itself come first, then those for the one it is lowered to; the CPU likewise. */
    private PlacedNode place(CheckedNode written, Set<String> onCpu) {
        List<CheckedNode> forms = forms(written);
        List<String> reasons = new ArrayList<>();
        if (device.isPresent()) {
            reasons.addAll(rules.objections(written));
        }
        Optional<PlacedNode> onDevice =
                reasons.isEmpty() ? device.flatMap(facts -> onDevice(forms, facts, onCpu, reasons)) : Optional.empty();
        if (onDevice.isPresent()) {
            return onDevice.get();
        }
        Optional<PlacedNode> onHost = onHost(written);
        if (onHost.isPresent()) {
            return onHost.get().because(reasons);
        }
        cpu.refusal(forms.get(forms.size() - 1)).ifPresent(reasons::add);
        return elsewhere(written, written, PlacedNode.Target.NOWHERE, reasons);
    }

    /** A node on the CPU, in the first form that it takes; empty where it takes none. */
    Optional<PlacedNode> onHost(CheckedNode written) {
        return forms(written).stream()
                .filter(form -> cpu.refusal(form).isEmpty())
                .findFirst()
                .map(form -> elsewhere(written, form, PlacedNode.Target.CPU, List.of()));
    }

    /** The kind of work of the CPU for a node that is placed there; empty where its time is not known. */
    Optional<CpuWork> work(PlacedNode onHost) {
        return cpu.work(onHost.node());
    }

    /** The place of a node on a side that is given; empty where that side does not take it. */
    public Optional<PlacedNode> place(CheckedNode node, PlacedNode.Target side) {
        if (side == PlacedNode.Target.CPU) {
            return cpu.refusal(node).isPresent()
                    ? Optional.empty()
                    : Optional.of(elsewhere(node, node, PlacedNode.Target.CPU, List.of()));
        }
        return rules.objections(node).isEmpty() ? onDevice(node, new ArrayList<>()) : Optional.empty();
    }

    /**
     * Another way to compute on the device what the rules allow there already; empty where no kernel takes it.
     *
     * @param reasons why kernels refuse it are added to these
     */
    public Optional<PlacedNode> onDevice(CheckedNode form, List<String> reasons) {
        return device.flatMap(facts -> onDevice(List.of(form), facts, Set.of(), reasons));
    }

    /**
     * A kernel variant that is preferred to the first that accepts.
     *
     * @param variant its unique name
     */
    public record Preference(String variant, String why) {}

    /**
     * The graph with kernel variants that were found to be faster than the first that accepts.
     *
     * @param choices the preference for a {@linkplain NodeConfiguration configuration}; one that does
     *     not take the node any more is ignored
     */
    public PlacedGraph preferring(PlacedGraph placed, Function<String, Optional<Preference>> choices) {
        Set<String> constants = placed.constants().keySet();
        return new PlacedGraph(
                placed.graph(),
                placed.nodes().stream()
                        .map(node -> node.isTunable()
                                ? choices.apply(NodeConfiguration.of(node.node(), constants))
                                        .flatMap(choice -> candidates(node).stream()
                                                .filter(other -> isVariant(other, choice.variant()))
                                                .findFirst()
                                                .map(other -> other.because(List.of(choice.why()))))
                                        .orElse(node)
                                : node)
                        .toList());
    }

    private static boolean isVariant(PlacedNode node, String optype) {
        return node.variant().filter(found -> found.optype().equals(optype)).isPresent();
    }

    /** A node on the device with each kernel variant that takes it there, in the order in which they are tried. */
    public List<PlacedNode> candidates(PlacedNode node) {
        List<PlacedNode> candidates = new ArrayList<>();
        for (KernelVariant variant : kernels.variants(node.op())) {
            if (device.isPresent() && accept(variant, node.use(), device.get()) instanceof Accept.Yes yes) {
                candidates.add(node.with(variant, yes.plan()));
            }
        }
        return candidates;
    }

    private static List<CheckedNode> forms(CheckedNode written) {
        List<CheckedNode> forms = new ArrayList<>();
        for (CheckedNode form = written; form != null; form = form.lowered()) {
            forms.add(form);
        }
        return forms;
    }

    private static PlacedNode elsewhere(
            CheckedNode written, CheckedNode form, PlacedNode.Target target, List<String> reasons) {
        return new PlacedNode(written.node(), form, use(form), target, Optional.empty(), Optional.empty(), reasons);
    }

    private static OperatorUse use(CheckedNode node) {
        return new OperatorUse(
                node.binding().scope(),
                node.node().inputs().stream().map(name -> !name.isEmpty()).toList(),
                node.node().outputs().size());
    }

    private Optional<PlacedNode> onDevice(
            List<CheckedNode> forms, DeviceFacts facts, Set<String> onCpu, List<String> reasons) {
        for (CheckedNode form : forms) {
            if (form.lowered() != null && kernels.variants(form.node().op()).isEmpty()) {
                continue;
            }
            Optional<Choice> choice = choice(form, facts, reasons);
            if (choice.isEmpty()) {
                continue;
            }
            if (form.op().isView() && onCpu.contains(form.node().inputs().get(0))) {
                reasons.add("its input is on the CPU, and it only renames memory");
                continue;
            }
            return Optional.of(new PlacedNode(
                    forms.get(0).node(),
                    form,
                    use(form),
                    PlacedNode.Target.DEVICE,
                    choice.map(Choice::variant),
                    choice.map(Choice::launches),
                    reasons));
        }
        return Optional.empty();
    }

    private record Choice(KernelVariant variant, KernelPlan launches) {}

    /** The first variant that takes a use of an operator, and why those before it do not. */
    private record Judged(Optional<Choice> choice, List<String> reasons) {}

    private Optional<Choice> choice(CheckedNode node, DeviceFacts facts, List<String> reasons) {
        String op = node.node().op();
        Optional<String> tooLarge = tooLarge(node, facts);
        if (tooLarge.isPresent()) {
            reasons.add(tooLarge.get());
            return Optional.empty();
        }
        // no two uses of such an operator are the same
        boolean differs = kernels.variants(op).stream().anyMatch(KernelVariant::readsElements);
        OperatorUse use = use(node);
        if (known.size() >= MOST_KNOWN) {
            known.clear();
        }
        Judged judged = differs
                ? judged(node, use, facts)
                : known.computeIfAbsent(
                        List.of(op, node.binding().configuration(), use.given(), use.outputs()),
                        configuration -> judged(node, use, facts));
        reasons.addAll(judged.reasons());
        return judged.choice();
    }

    private Judged judged(CheckedNode node, OperatorUse use, DeviceFacts facts) {
        List<String> reasons = new ArrayList<>();
        List<KernelVariant> described = kernels.variants(node.node().op());
        List<KernelVariant> candidates =
                described.stream().filter(variant -> variant.isFor(facts)).toList();
        if (candidates.isEmpty()) {
            reasons.add("there is no OpenCL kernel for " + node.node().op()
                    + (described.isEmpty() ? "" : " on this kind of device"));
        }
        for (KernelVariant candidate : candidates) {
            Accept accept = accept(candidate, use, facts);
            if (accept instanceof Accept.Yes yes) {
                return new Judged(Optional.of(new Choice(candidate, yes.plan())), reasons);
            }
            if (!candidate.isAlternative()) {
                ((Accept.No) accept).reasons().forEach(reason -> reasons.add(candidate.name() + ": " + reason));
            }
        }
        return new Judged(Optional.empty(), reasons);
    }

    private Accept accept(KernelVariant variant, OperatorUse use, DeviceFacts facts) {
        String retirement = retired.getOrDefault(variant.optype(), retired.get(variant.family()));
        if (retirement != null) {
            return new Accept.No(List.of(retirement));
        }
        Accept accept = variant.accept(use, facts);
        if (thrifty && accept instanceof Accept.Yes yes && yes.plan().workspaceBytes() > 0) {
            return new Accept.No(List.of("it needs " + yes.plan().workspaceBytes()
                    + " bytes of workspace, and the device is short of memory"));
        }
        return accept instanceof Accept.Yes yes
                ? ownTooLarge(yes.plan(), facts)
                        .<Accept>map(reason -> new Accept.No(List.of(reason)))
                        .orElse(accept)
                : accept;
    }

    /** The tensor of a variant's own that the device cannot allocate, in words. */
    private static Optional<String> ownTooLarge(KernelPlan plan, DeviceFacts facts) {
        return plan.scratch().stream()
                .map(KernelPlan.Scratch::type)
                .filter(type -> type.bytes() > largest(facts))
                .map(type -> "its own " + tooLarge(type, facts))
                .findFirst();
    }

    private static Optional<String> tooLarge(CheckedNode node, DeviceFacts facts) {
        List<TensorType> types = new ArrayList<>(node.outputTypes());
        node.inputTypes().stream().filter(type -> type != null).forEach(types::add);
        return types.stream()
                .filter(type -> type.bytes() > largest(facts))
                .map(type -> "a " + tooLarge(type, facts))
                .findFirst();
    }

    private static String tooLarge(TensorType type, DeviceFacts facts) {
        return "tensor " + type + " needs " + type.bytes() + " bytes, but the device allocates at most "
                + largest(facts) + " at once";
    }

    private static long largest(DeviceFacts facts) {
        return facts.limit("max_mem_alloc_size", Long.MAX_VALUE);
    }
}
