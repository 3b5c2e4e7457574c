package org.clinfer.kernel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.LaunchDescription;
import org.clinfer.describe.NameTypes;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.describe.VariantDescription;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.expr.ValueType;

/** Gives every parameter of a kernel what its launch binds to it. */
final class ArgumentBinder {

    /** One of a variadic tensor; the kernel gets a null pointer where there are fewer. */
    private static final Pattern INDEXED = Pattern.compile("(\\w+)\\[(\\d{1,4})]");

    private static final Pattern INTEGER = Pattern.compile("u?(int|long)(2|3|4|8|16)?");

    private final OpDescription op;
    private final VariantDescription variant;
    private final KernelSources sources;

    ArgumentBinder(OpDescription op, VariantDescription variant, KernelSources sources) {
        this.op = op;
        this.variant = variant;
        this.sources = sources;
    }

    /** The arguments by the names of the kernel's parameters, in their order. */
    Map<String, KernelArgument> arguments(LaunchDescription launch, LaunchBuilder.Frame frame, Scope scope) {
        KernelSignature signature = verify(launch);
        KernelElementTypes types =
                KernelElementTypes.of(launch, scope, frame.use().device());
        Map<String, KernelArgument> arguments = new LinkedHashMap<>();
        for (KernelSignature.Parameter parameter : signature.parameters()) {
            Expr expression = Objects.requireNonNull(launch.args().get(parameter.name()));
            KernelSignature.Parameter resolved =
                    new KernelSignature.Parameter(parameter.name(), parameter.kind(), types.resolve(parameter.type()));
            if (types.isCoefficientInFloat(parameter.type())) {
                requireWhole(parameter.name(), expression.evaluate(scope));
            }
            arguments.put(parameter.name(), argument(resolved, expression, frame, scope));
        }
        return arguments;
    }

    /** Integers times 0.1 have to be rounded once, and are in float64 alone. */
    private static void requireWhole(String name, ExpressionValue value) {
        if (value instanceof ExpressionValue.Real real && real.value() != Math.rint(real.value())) {
            throw new IllegalArgumentException(
                    name + ": integers times " + real.value() + " need float64 (cl_khr_fp64), which the device lacks");
        }
    }

    /**
     * The parameters of a kernel that is there, each of which the launch binds, and no others.
     *
     * @throws IllegalArgumentException if it is not so
     */
    KernelSignature verify(LaunchDescription launch) {
        KernelSignature signature = sources.signature(launch.file(), launch.entry());
        List<String> names = signature.parameters().stream()
                .map(KernelSignature.Parameter::name)
                .toList();
        for (String name : names) {
            if (!launch.args().containsKey(name)) {
                throw new IllegalArgumentException(variant.source() + ": variant " + variant.optype()
                        + " binds nothing to parameter '" + name + "' of " + launch.entry());
            }
        }
        if (names.size() != launch.args().size()) {
            throw new IllegalArgumentException(variant.source() + ": variant " + variant.optype() + " binds "
                    + launch.args().keySet() + ", but " + launch.entry() + " takes " + names);
        }
        return signature;
    }

    /**
     * The arguments that are of no type that their parameter takes, whatever the values are.
     *
     * @throws IllegalArgumentException if the kernel is not there, or has other parameters
     */
    List<String> mistakes(LaunchDescription launch) {
        sources.text(launch.file());
        KernelSignature signature = verify(launch);
        Map<String, ValueType> types = NameTypes.of(op, variant, launch);
        List<String> mistakes = new ArrayList<>();
        for (KernelSignature.Parameter parameter : signature.parameters()) {
            Expr argument = Objects.requireNonNull(launch.args().get(parameter.name()));
            if (parameter.kind() == KernelSignature.Kind.BUFFER
                    && tensorName(argument).isEmpty()) {
                mistakes.add(noTensor(argument));
            } else if (parameter.kind() != KernelSignature.Kind.BUFFER) {
                argument.mistakes(types, type(parameter))
                        .forEach(wrong -> mistakes.add(wrong.getMessage() + ", for the kernel parameter '"
                                + parameter.name() + "' of type " + parameter.type()));
            }
        }
        return mistakes;
    }

    private static ValueType type(KernelSignature.Parameter parameter) {
        if (parameter.kind() == KernelSignature.Kind.LOCAL) {
            return ValueType.INT;
        }
        boolean whole = INTEGER.matcher(parameter.type()).matches();
        ValueType number = (whole ? ValueType.INT : ValueType.NUMBER).or(ValueType.BOOL);
        boolean vector =
                Character.isDigit(parameter.type().charAt(parameter.type().length() - 1));
        return vector ? number.or(ValueType.listOf(number)) : number;
    }

    /** The name of the tensor that an expression is, or has an element of; empty where it is something else. */
    private String tensorName(Expr expression) {
        Matcher indexed = INDEXED.matcher(expression.source());
        String name = indexed.matches() ? indexed.group(1) : expression.asName();
        boolean known = op.input(name).isPresent()
                || op.output(name).isPresent()
                || variant.scratch().stream().anyMatch(scratch -> scratch.name().equals(name));
        return known ? name : "";
    }

    private String noTensor(Expr expression) {
        return expression.where() + ": '" + expression.source() + "' is no tensor of " + op.optype()
                + ", but the kernel parameter is a buffer";
    }

    private KernelArgument argument(
            KernelSignature.Parameter parameter, Expr expression, LaunchBuilder.Frame frame, Scope scope) {
        switch (parameter.kind()) {
            case BUFFER -> {
                return buffer(expression, frame);
            }
            case LOCAL -> {
                if (expression.evaluate(scope) instanceof ExpressionValue.Int bytes) {
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

    private KernelArgument buffer(Expr expression, LaunchBuilder.Frame frame) {
        Matcher indexed = INDEXED.matcher(expression.source());
        boolean isIndexed = indexed.matches();
        String name = isIndexed ? indexed.group(1) : expression.asName();
        int within =
                isIndexed ? Integer.parseInt(indexed.group(2)) : frame.each().equals(name) ? frame.index() : 0;
        List<InputDescription> inputs = op.inputs();
        for (int i = 0; i < inputs.size(); i++) {
            if (inputs.get(i).name().equals(name)) {
                int position = i + within;
                return frame.use().operator().hasInput(position)
                        ? new KernelArgument.Buffer(new TensorRef(TensorRef.Kind.INPUT, position))
                        : new KernelArgument.Missing();
            }
        }
        List<OutputDescription> outputs = op.outputs();
        for (int i = 0; i < outputs.size(); i++) {
            if (outputs.get(i).name().equals(name)) {
                int position = i + within;
                return position < frame.use().operator().outputs()
                        ? new KernelArgument.Buffer(new TensorRef(TensorRef.Kind.OUTPUT, position))
                        : new KernelArgument.Missing();
            }
        }
        for (int i = 0; i < variant.scratch().size(); i++) {
            if (variant.scratch().get(i).name().equals(name)) {
                return new KernelArgument.Buffer(new TensorRef(TensorRef.Kind.SCRATCH, i));
            }
        }
        throw new IllegalArgumentException(noTensor(expression));
    }
}
