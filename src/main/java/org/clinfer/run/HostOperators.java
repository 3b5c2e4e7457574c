package org.clinfer.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.CpuOperators;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.DataException;
import org.clinfer.cpu.call.FloatArrays;
import org.clinfer.cpu.call.Kept;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.VariantDescription;
import org.clinfer.expr.ExprException;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Parameters;
import org.clinfer.infer.CheckedNode;
import org.clinfer.place.CpuSupport;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** The operators of the CPU: those whose description says how to compute an element, and those implemented in Java. */
public final class HostOperators implements CpuSupport {

    /** Multiplications with an addition for each thread above which compiling vectors takes less than they save. */
    private static final long LARGE = 10_000_000_000L;

    private final OpCatalog catalog;
    private volatile CpuOperators implementations;

    /** The implementations for large networks, until they are in use; null if there are no others. */
    private volatile @Nullable Supplier<CpuOperators> forLarge;

    public HostOperators(OpCatalog catalog, CpuOperators implementations) {
        this.catalog = catalog;
        this.implementations = implementations;
    }

    /**
     * Operators that change over to others with the first large network.
     *
     * @param forSmall the implementations until then
     */
    public HostOperators(OpCatalog catalog, CpuOperators forSmall, Supplier<CpuOperators> forLarge) {
        this.catalog = catalog;
        this.forLarge = forLarge;
        this.implementations = forSmall;
    }

    /**
     * Tells how much these nodes are to compute before a plan for them is made.
     *
     * @param threads how many there are for a node
     */
    public void expect(Collection<CheckedNode> nodes, int threads) {
        Supplier<CpuOperators> others = forLarge;
        if (others == null) {
            return;
        }
        double work = nodes.stream()
                .mapToDouble(node -> node.multiplyAdds().orElse(Long.MAX_VALUE))
                .sum();
        if (work > (double) LARGE * threads) {
            implementations = others.get();
            forLarge = null;
        }
    }

    /** The code path by which floats are computed. */
    public CpuPath path() {
        return implementations.path();
    }

    /** Operators that take values of blocked channels in arrays of floats. */
    public Set<String> ofArrays() {
        return implementations.ofArrays();
    }

    /** {@return whether the CPU has the operator at all} */
    public boolean has(String optype) {
        return implementations.find(optype).isPresent()
                || !catalog.elementForms(optype).isEmpty();
    }

    @Override
    public Optional<String> refusal(CheckedNode node) {
        for (TensorType type : node.outputTypes()) {
            if (type.bytes() > Tensor.MAX_BYTES) {
                return Optional.of("a tensor " + type + " needs " + type.bytes() + " bytes, more than the "
                        + Tensor.MAX_BYTES + " of one tensor");
            }
        }
        List<String> reasons = new ArrayList<>();
        if (elementForm(node, reasons).isPresent()) {
            return Optional.empty();
        }
        if (implementations.find(node.node().op()).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                reasons.isEmpty()
                        ? "there is no CPU implementation of " + node.node().op()
                        : String.join("; ", reasons));
    }

    /** That of the code in Java; expressions take a time of their own. */
    @Override
    public Optional<CpuWork> work(CheckedNode node) {
        return elementForm(node, new ArrayList<>()).isPresent()
                ? Optional.empty()
                : implementations.find(node.node().op()).flatMap(CpuOperator::work);
    }

    /** The first form that takes the node; why the others do not is added to {@code reasons}. */
    private Optional<VariantDescription> elementForm(CheckedNode node, List<String> reasons) {
        for (VariantDescription form : catalog.elementForms(node.node().op())) {
            try {
                List<String> refusals =
                        form.refusals(node.op(), form.scope(node.binding().scope()));
                if (refusals.isEmpty()) {
                    return Optional.of(form);
                }
                refusals.forEach(refusal -> reasons.add(form.variant() + ": " + refusal));
            } catch (ExprException failed) {
                reasons.add(form.variant() + ": " + failed.getMessage());
            }
        }
        return Optional.empty();
    }

    /**
     * A node that {@link #refusal} accepts, ready to run.
     *
     * @param packed what operators make of constants
     * @param constants the constant behind each input, null for those that are none
     */
    HostNode prepared(CheckedNode node, PackedWeights packed, List<@Nullable Tensor> constants) {
        Optional<VariantDescription> form = elementForm(node, new ArrayList<>());
        if (form.isPresent()) {
            ElementForm elements = new ElementForm(node, form.get());
            return (inputs, outputs, arrays, parallel) -> elements.run(inputs, outputs, parallel);
        }
        CpuOperator operator = implementations.find(node.node().op()).orElseThrow();
        Parameters parameters = new BindingParameters(node.binding());
        CpuCall.Constants known = new CpuCall.Constants(packed, constants, Kept.ofNode());
        return (inputs, outputs, arrays, parallel) -> {
            try {
                operator.run(new CpuCall(parameters, inputs, outputs, parallel, known, arrays));
            } catch (DataException undefined) {
                throw new GraphException(node.node().source(), String.valueOf(undefined.getMessage()), undefined);
            }
        };
    }

    /**
     * Runs a node that {@link #refusal} accepts, once.
     *
     * @param inputs in the description's order, null for one that is left out
     * @param outputs filled completely
     * @throws GraphException if the operator is not defined for the elements it gets
     */
    public void run(CheckedNode node, List<@Nullable Tensor> inputs, List<Tensor> outputs, Parallel parallel) {
        prepared(node, PackedWeights.none(), List.of()).run(inputs, outputs, FloatArrays.NONE, parallel);
    }
}
