package org.clinfer.kernel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.LaunchDescription;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.describe.ScratchDescription;
import org.clinfer.describe.VariantDescription;
import org.clinfer.device.DeviceFacts;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExprException;
import org.clinfer.expr.Scope;
import org.clinfer.expr.Value;
import org.clinfer.kernel.KernelSignature.Parameter;
import org.clinfer.tensor.DType;

/** One way to run an operator on an OpenCL device. */
public final class KernelVariant {

    /** One of a variadic tensor; the kernel gets a null pointer where there are fewer. */
    private static final Pattern INDEXED = Pattern.compile("(\\w+)\\[(\\d{1,4})]");

    private final OpDescription op;
    private final VariantDescription description;
    private final KernelSources sources;

    KernelVariant(OpDescription op, VariantDescription description, KernelSources sources) {
        this.op = op;
        this.description = description;
        this.sources = sources;
    }

    /** Its short name, for example {@code ref}. */
    public String name() {
        return description.variant();
    }

    /** Its unique name, for example {@code Conv2d_ref}. */
    public String optype() {
        return description.optype();
    }

    /** Whether it launches nothing because the output is the input's memory. */
    public boolean isView() {
        return description.launches().isEmpty();
    }

    /** Whether it takes this use of its operator; every broken limit is named. */
    public Accept accept(OperatorUse use, DeviceFacts device) {
        List<String> reasons = new ArrayList<>();
        try {
            reasons.addAll(description.refusals(op, scope(use, device)));
            if (!isView()) {
                unsupportedType(use, device).ifPresent(reasons::add);
            }
            if (reasons.isEmpty()) {
                return new Accept.Yes(plan(use, device));
            }
        } catch (ExprException | IllegalArgumentException e) {
            reasons.add(String.valueOf(e.getMessage()));
        }
        return new Accept.No(reasons);
    }

    /** Why the device cannot compute with the type of one of the tensors, or empty. */
    private Optional<String> unsupportedType(OperatorUse use, DeviceFacts device) {
        List<String> names = new ArrayList<>();
        op.inputs().stream().filter(input -> !input.value()).forEach(input -> names.add(input.name()));
        op.outputs().forEach(output -> names.add(output.name()));
        return names.stream()
                .flatMap(name -> use.scope().find(name).stream())
                .flatMap(value -> value instanceof Value.ListOf list ? list.elements().stream() : Stream.of(value))
                .filter(value ->
                        value instanceof Value.TensorArg tensor && tensor.type().dtype() == DType.FLOAT64)
                .findFirst()
                .filter(value -> !device.has("cl_khr_fp64"))
                .map(value -> ((Value.TensorArg) value).name() + ": float64 needs cl_khr_fp64, which the device lacks");
    }

    private static boolean isTrue(Value value) {
        return value instanceof Value.Bool flag && flag.value();
    }

    /**
     * The launches of an accepted use.
     *
     * @throws IllegalArgumentException if the description and the kernel source do not fit together, or a launch of
     *     {@code static_run} takes what is not there yet
     */
    public KernelPlan plan(OperatorUse use, DeviceFacts device) {
        Scope scope = scope(use, device);
        List<KernelPlan.Scratch> scratch = scratch(scope);
        VariantDescription.Launches launches = (VariantDescription.Launches) description.body();
        KernelPlan plan = new KernelPlan(
                scratch,
                launches(launches.staticRun(), use, scope, device),
                launches(launches.run(), use, scope, device),
                launches(launches.postRun(), use, scope, device));
        plan.staticRun().forEach(launch -> requireStatic("static_run", launch, plan, scope));
        plan.postRun().forEach(launch -> requireStatic("post_run", launch, plan, scope));
        return plan;
    }

    private List<KernelLaunch> launches(
            List<LaunchDescription> descriptions, OperatorUse use, Scope scope, DeviceFacts device) {
        List<KernelLaunch> launches = new ArrayList<>();
        for (LaunchDescription launch : descriptions) {
            int repeats = launch.each().isEmpty() ? 1 : use.variadicCount(op, launch.each());
            for (int index = 0; index < repeats; index++) {
                addLaunch(launch, new Frame(use, scope, device, launch.each(), index), launches);
            }
        }
        return launches;
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
                        && scope.find(op.inputs().get(tensor.position()).name()).orElse(Value.absent())
                                instanceof Value.TensorArg input
                        && input.data() != null;
        };
    }

    private List<KernelPlan.Scratch> scratch(Scope scope) {
        List<KernelPlan.Scratch> scratch = new ArrayList<>();
        for (ScratchDescription tensor : description.scratch()) {
            Value.TensorArg value = (Value.TensorArg) scope.find(tensor.name()).orElseThrow();
            scratch.add(new KernelPlan.Scratch(tensor.name(), value.type(), tensor.isStatic()));
        }
        return scratch;
    }

    /** The names in force for one launch, and which tensor each argument name means. */
    private record Frame(OperatorUse use, Scope outer, DeviceFacts device, String each, int index) {

        Scope scope() {
            if (each.isEmpty()) {
                return outer;
            }
            Value all = outer.find(each).orElseThrow();
            Value one = ((Value.ListOf) all).elements().get(index);
            return outer.with(each, one).with("index", Value.of(index));
        }
    }

    private void addLaunch(LaunchDescription launch, Frame frame, List<KernelLaunch> launches) {
        Scope scope = frame.scope();
        if (launch.when().isPresent() && !isTrue(launch.when().get().evaluate(scope))) {
            return;
        }
        List<Long> global = sizes(launch.global(), scope);
        if (global.contains(0L)) {
            return;
        }
        requireFewWorkItems(global);
        List<Long> local = sizes(launch.local(), scope);
        launches.add(new KernelLaunch(
                launch.file(),
                launch.entry(),
                options(launch, scope),
                arguments(launch, frame, scope),
                launch.each().isEmpty() ? -1 : frame.index(),
                rounded(global, local),
                local));
    }

    /** Drivers count work-items, or their groups, in 32 bits, and some end the process when the count does not fit. */
    private static void requireFewWorkItems(List<Long> global) {
        long items = 1;
        for (long size : global) {
            if (size > Integer.MAX_VALUE / items) {
                throw new IllegalArgumentException("a launch of " + global + " work-items, 2^31 or more");
            }
            items *= size;
        }
    }

    private static List<Long> sizes(List<Expr> expressions, Scope scope) {
        List<Long> sizes = new ArrayList<>();
        for (Expr expression : expressions) {
            if (!(expression.evaluate(scope) instanceof Value.Int size) || size.value() < 0) {
                throw new IllegalArgumentException(
                        expression.where() + ": a launch size must be a number >= 0: " + expression.source());
            }
            sizes.add(size.value());
        }
        return sizes;
    }

    /** Global sizes rounded up to whole work-groups, as OpenCL before 2.0 demands; kernels test their bounds. */
    private static List<Long> rounded(List<Long> global, List<Long> local) {
        if (local.isEmpty()) {
            return global;
        }
        if (local.size() != global.size() || local.contains(0L)) {
            throw new IllegalArgumentException("work-group size " + local + " does not fit the global size " + global);
        }
        List<Long> rounded = new ArrayList<>();
        for (int axis = 0; axis < global.size(); axis++) {
            long group = local.get(axis);
            rounded.add((global.get(axis) + group - 1) / group * group);
        }
        return rounded;
    }

    private static String options(LaunchDescription launch, Scope scope) {
        StringBuilder options = new StringBuilder();
        launch.build().forEach((macro, expression) -> {
            Value value = expression.evaluate(scope);
            options.append(options.isEmpty() ? "-D" : " -D").append(macro).append('=');
            options.append(macroText(value, expression));
        });
        return options.toString();
    }

    private static String macroText(Value value, Expr expression) {
        if (value instanceof Value.Bool flag) {
            return flag.value() ? "1" : "0";
        }
        if (value instanceof Value.Text text) {
            return text.value();
        }
        if (value instanceof Value.Int || value instanceof Value.Real) {
            return value.toString();
        }
        throw new IllegalArgumentException(
                expression.where() + ": a build option must be a number, boolean or text: " + expression.source());
    }

    private Map<String, KernelArgument> arguments(LaunchDescription launch, Frame frame, Scope scope) {
        KernelSignature signature = sources.signature(launch.file(), launch.entry());
        ElementTypes types = ElementTypes.of(launch, scope, frame.device());
        Map<String, KernelArgument> arguments = new LinkedHashMap<>();
        for (KernelSignature.Parameter parameter : signature.parameters()) {
            Expr expression = launch.args().get(parameter.name());
            if (expression == null) {
                throw new IllegalArgumentException(description.source() + ": variant " + optype()
                        + " binds nothing to parameter '" + parameter.name() + "' of " + launch.entry());
            }
            KernelSignature.Parameter resolved =
                    new KernelSignature.Parameter(parameter.name(), parameter.kind(), types.resolve(parameter.type()));
            arguments.put(parameter.name(), argument(resolved, expression, frame, scope));
        }
        if (arguments.size() != launch.args().size()) {
            throw new IllegalArgumentException(description.source() + ": variant " + optype() + " binds "
                    + launch.args().keySet() + ", but " + launch.entry() + " takes " + arguments.keySet());
        }
        return arguments;
    }

    private KernelArgument argument(Parameter parameter, Expr expression, Frame frame, Scope scope) {
        switch (parameter.kind()) {
            case BUFFER -> {
                return buffer(expression, frame);
            }
            case LOCAL -> {
                if (expression.evaluate(scope) instanceof Value.Int bytes) {
                    return new KernelArgument.Local(bytes.value());
                }
                throw new IllegalArgumentException(
                        expression.where() + ": the size of local memory must be an integer: " + expression.source());
            }
            case SCALAR -> {
                try {
                    return new KernelArgument.Scalar(
                            ScalarEncoder.encode(expression.evaluate(scope), parameter.type()));
                } catch (IllegalArgumentException | ArithmeticException e) {
                    throw new IllegalArgumentException(
                            expression.where() + ": argument '" + parameter.name() + "': " + e.getMessage(), e);
                }
            }
        }
        throw new IllegalStateException("unreachable");
    }

    private KernelArgument buffer(Expr expression, Frame frame) {
        Matcher indexed = INDEXED.matcher(expression.source());
        boolean isIndexed = indexed.matches();
        String name = isIndexed ? indexed.group(1) : expression.asName();
        int within =
                isIndexed ? Integer.parseInt(indexed.group(2)) : frame.each().equals(name) ? frame.index() : 0;
        List<InputDescription> inputs = op.inputs();
        for (int i = 0; i < inputs.size(); i++) {
            if (inputs.get(i).name().equals(name)) {
                int position = i + within;
                return frame.use().hasInput(position)
                        ? new KernelArgument.Buffer(new TensorRef(TensorRef.Kind.INPUT, position))
                        : new KernelArgument.Missing();
            }
        }
        List<OutputDescription> outputs = op.outputs();
        for (int i = 0; i < outputs.size(); i++) {
            if (outputs.get(i).name().equals(name)) {
                return new KernelArgument.Buffer(new TensorRef(TensorRef.Kind.OUTPUT, i + within));
            }
        }
        for (int i = 0; i < description.scratch().size(); i++) {
            if (description.scratch().get(i).name().equals(name)) {
                return new KernelArgument.Buffer(new TensorRef(TensorRef.Kind.SCRATCH, i));
            }
        }
        throw new IllegalArgumentException(expression.where() + ": '" + expression.source() + "' is no tensor of "
                + op.optype() + ", but the kernel parameter is a buffer");
    }

    private Scope scope(OperatorUse use, DeviceFacts device) {
        Scope scope = description.scope(use.scope().with("device", DeviceValues.of(device)));
        for (ScratchDescription tensor : description.scratch()) {
            scope = scope.with(tensor.name(), Value.tensor(tensor.name(), tensor.type(scope)));
        }
        return scope;
    }
}
