package org.clinfer.kernel;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.clinfer.describe.LaunchDescription;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.describe.ScratchDescription;
import org.clinfer.describe.VariantDescription;
import org.clinfer.device.DeviceFacts;
import org.clinfer.expr.ExprException;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.tensor.DType;
import org.jspecify.annotations.Nullable;

/** One way to run an operator on an OpenCL device. */
public final class KernelVariant {

    private final OpDescription op;
    private final VariantDescription description;
    private final KernelSources sources;
    private final DeviceValues devices;

    /** Found once: a session asks for each node, and there are many expressions. */
    private volatile @Nullable Boolean readsElements;

    KernelVariant(OpDescription op, VariantDescription description, KernelSources sources, DeviceValues devices) {
        this.op = op;
        this.description = description;
        this.sources = sources;
        this.devices = devices;
    }

    /** Its short name, for example {@code ref}. */
    public String name() {
        return description.variant();
    }

    /** {@return whether it is the one that takes every use it can, however slowly} */
    public boolean isReference() {
        return name().equals("ref");
    }

    /**
     * {@return whether it is another one with one setting changed, which has nothing new to say where it is refused}
     */
    public boolean isAlternative() {
        return !description.alternativeTo().isEmpty();
    }

    /** {@return whether it is meant for devices of this kind} */
    public boolean isFor(DeviceFacts device) {
        return description
                .deviceKind()
                .map(kind -> kind.equals(DeviceValues.kind(device)))
                .orElse(true);
    }

    /**
     * What its launches get wrong: kernels that are not there, parameters that get nothing, or what is not of their type, and
     * outputs that are given to no kernel.
     */
    List<String> mistakes() {
        List<String> mistakes = new ArrayList<>();
        ArgumentBinder binder = new ArgumentBinder(op, description, sources);
        for (LaunchDescription launch : description.launches()) {
            try {
                mistakes.addAll(binder.mistakes(launch));
            } catch (IllegalArgumentException | UncheckedIOException wrong) {
                mistakes.add(String.valueOf(wrong.getMessage()));
            }
        }
        for (OutputDescription output : op.outputs()) {
            if (output.owner().isEmpty()
                    && !output.optional()
                    && description.run().stream().noneMatch(launch -> takes(launch, output.name()))) {
                mistakes.add(description.source() + ": variant " + description.optype()
                        + " launches nothing that takes the output '" + output.name() + "'");
            }
        }
        return mistakes;
    }

    private static boolean takes(LaunchDescription launch, String tensor) {
        return launch.args().values().stream()
                .anyMatch(argument -> argument.names().contains(tensor));
    }

    /** Its unique name, for example {@code Conv2d_ref}. */
    public String optype() {
        return description.optype();
    }

    /** A name for it and all that differ from it by a setting alone, which run the same kernels. */
    public String family() {
        String suffix =
                isAlternative() ? name().substring(description.alternativeTo().length()) : "";
        return optype().substring(0, optype().length() - suffix.length()) + " with any setting";
    }

    /** {@return whether it may look at the elements of constants, and not only at whether they are known} */
    public boolean readsElements() {
        Boolean known = readsElements;
        if (known == null) {
            known = description.readsElements();
            readsElements = known;
        }
        return known;
    }

    /** {@return whether it rounds the factors of its products to TF32: it asks whether the device may} */
    public boolean roundsToTf32() {
        return description.takesDevice("tf32");
    }

    /** The answer to a use of its operator; every broken limit is named. */
    public Accept accept(OperatorUse use, DeviceFacts device) {
        if (!isFor(device)) {
            return new Accept.No(List.of("meant for another kind of device ("
                    + description.deviceKind().orElse("") + ") than " + DeviceValues.kind(device)));
        }
        List<String> reasons = new ArrayList<>();
        try {
            Scope scope = scope(use, device);
            reasons.addAll(description.refusals(op, scope));
            if (!description.launches().isEmpty() || copiesPieces()) {
                unsupportedType(use, device).ifPresent(reasons::add);
            }
            if (copiesPieces()) {
                reasons.addAll(OwnerCopy.refusals(op, use.scope()));
            }
            if (reasons.isEmpty()) {
                KernelPlan plan = plan(use, device, scope);
                Optional<String> empty = emptyOutput(plan, use);
                if (empty.isEmpty()) {
                    return new Accept.Yes(plan);
                }
                reasons.add(empty.get());
            }
        } catch (ExprException | IllegalArgumentException e) {
            reasons.add(String.valueOf(e.getMessage()));
        }
        return new Accept.No(reasons);
    }

    /** {@return whether its outputs are pieces of their owners, and nothing but where they lie has to be seen to} */
    private boolean copiesPieces() {
        return description.run().isEmpty() && op.calcOffset().isPresent();
    }

    /** The output that has elements although nothing is launched for it, which a description's {@code when} may cause. */
    private Optional<String> emptyOutput(KernelPlan plan, OperatorUse use) {
        return op.outputs().stream()
                .filter(output -> plan.run().isEmpty() && output.owner().isEmpty())
                .flatMap(output -> tensors(use, output.name()))
                .filter(tensor -> tensor.type().shape().elements() > 0)
                .findFirst()
                .map(tensor -> tensor.name() + ": nothing is launched for it");
    }

    private static Stream<ExpressionValue.TensorArg> tensors(OperatorUse use, String name) {
        return use.scope().find(name).stream()
                .flatMap(value ->
                        value instanceof ExpressionValue.ListOf list ? list.elements().stream() : Stream.of(value))
                .filter(ExpressionValue.TensorArg.class::isInstance)
                .map(ExpressionValue.TensorArg.class::cast);
    }

    /** The reason why the device cannot compute with the type of one of the tensors, or empty. */
    private Optional<String> unsupportedType(OperatorUse use, DeviceFacts device) {
        List<String> names = new ArrayList<>();
        op.inputs().stream().filter(input -> !input.value()).forEach(input -> names.add(input.name()));
        op.outputs().forEach(output -> names.add(output.name()));
        List<ExpressionValue.TensorArg> tensors =
                names.stream().flatMap(name -> tensors(use, name)).toList();
        Optional<String> lacking = tensors.stream()
                .filter(tensor -> !tensor.type().dtype().isOnDevices())
                .findFirst()
                .map(tensor ->
                        tensor.name() + ": kernels do not have " + tensor.type().dtype() + ", the CPU does");
        return lacking.or(() -> tensors.stream()
                .filter(tensor -> tensor.type().dtype() == DType.FLOAT64)
                .findFirst()
                .filter(tensor -> !device.has("cl_khr_fp64"))
                .map(tensor -> tensor.name() + ": float64 needs cl_khr_fp64, which the device lacks"));
    }

    /**
     * The launches of an accepted use.
     *
     * @throws IllegalArgumentException if the description and the kernel source do not fit together, or a launch of
     *     {@code static_run} takes what is not there yet
     */
    public KernelPlan plan(OperatorUse use, DeviceFacts device) {
        return plan(use, device, scope(use, device));
    }

    private KernelPlan plan(OperatorUse use, DeviceFacts device, Scope scope) {
        List<KernelPlan.Scratch> scratch = scratch(scope);
        VariantDescription.Launches launches = (VariantDescription.Launches) description.body();
        LaunchBuilder builder = new LaunchBuilder(op, description, sources, new LaunchBuilder.Use(use, device, scope));
        KernelPlan plan = new KernelPlan(
                scratch,
                builder.launches(launches.staticRun()),
                copiesPieces() ? copies(use, device, scope) : builder.launches(launches.run()),
                builder.launches(launches.postRun()));
        plan.staticRun().forEach(launch -> requireStatic("static_run", launch, plan, scope));
        plan.postRun().forEach(launch -> requireStatic("post_run", launch, plan, scope));
        return plan;
    }

    private List<KernelLaunch> copies(OperatorUse use, DeviceFacts device, Scope scope) {
        Scope ofOne = scope.with("index", ExpressionValue.of(0));
        return new LaunchBuilder(op, description, sources, new LaunchBuilder.Use(use, device, ofOne))
                .launches(OwnerCopy.launches(op));
    }

    /** Before the first and after the last run there are only constants and static scratch tensors. */
    private void requireStatic(String phase, KernelLaunch launch, KernelPlan plan, Scope scope) {
        launch.arguments().forEach((name, argument) -> {
            if (argument instanceof KernelArgument.Buffer buffer && !isStatic(buffer.tensor(), plan, scope)) {
                throw new IllegalArgumentException(phase + ": '" + name + "' of " + launch.entry()
                        + " is neither a constant nor a static tensor of the variant");
            }
        });
    }

    private boolean isStatic(TensorRef tensor, KernelPlan plan, Scope scope) {
        return switch (tensor.kind()) {
            case OUTPUT -> false;
            case SCRATCH -> plan.scratch().get(tensor.position()).isStatic();
            case INPUT ->
                tensor.position() < op.inputs().size()
                        && scope.find(op.inputs().get(tensor.position()).name()).orElse(ExpressionValue.absent())
                                instanceof ExpressionValue.TensorArg input
                        && input.data() != null;
        };
    }

    private List<KernelPlan.Scratch> scratch(Scope scope) {
        List<KernelPlan.Scratch> scratch = new ArrayList<>();
        for (ScratchDescription tensor : description.scratch()) {
            ExpressionValue.TensorArg value =
                    (ExpressionValue.TensorArg) scope.find(tensor.name()).orElseThrow();
            scratch.add(new KernelPlan.Scratch(tensor.name(), value.type(), tensor.isStatic()));
        }
        return scratch;
    }

    private Scope scope(OperatorUse use, DeviceFacts device) {
        Scope scope = description.scope(use.scope().with("device", devices.of(device)));
        for (ScratchDescription tensor : description.scratch()) {
            scope = scope.with(tensor.name(), ExpressionValue.tensor(tensor.name(), tensor.type(scope)));
        }
        return scope;
    }
}
