package org.clinfer.describe;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/** Infers the types of the outputs of a node. */
final class OutputBinder {

    private final BindState state;
    private final List<TensorType> types = new ArrayList<>();
    private boolean complete = true;

    OutputBinder(BindState state) {
        this.state = state;
    }

    /** The types of all outputs; empty as soon as one of them cannot be inferred. */
    List<TensorType> bind(int count) {
        List<OutputDescription> declared = state.op().outputs();
        boolean open = !declared.isEmpty() && declared.get(declared.size() - 1).variadic();
        long least = declared.stream().filter(output -> !output.optional()).count();
        if (count < least || (count > declared.size() && !open)) {
            String expected = open
                    ? "at least " + least
                    : least == declared.size() ? "" + least : least + " to " + declared.size();
            state.violate("outputs", "expected " + expected + ", found " + count);
            return List.of();
        }
        for (int i = 0; i < declared.size(); i++) {
            OutputDescription output = declared.get(i);
            if (i >= count) {
                state.define(output.name(), ExpressionValue.absent());
                continue;
            }
            if (output.variadic()) {
                bindVariadic(output, count - i);
            } else {
                define(
                        output.name(),
                        infer(output, output.name(), state.scope())
                                .map(List::of)
                                .orElse(List.of()),
                        false);
            }
            state.checkAll(output.checks(), output.name());
        }
        return complete ? List.copyOf(types) : List.of();
    }

    private void bindVariadic(OutputDescription output, int count) {
        List<TensorType> inferred = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            Scope inside = state.scope().with("index", ExpressionValue.of(index));
            infer(output, output.name() + "[" + index + "]", inside).ifPresent(inferred::add);
        }
        define(output.name(), inferred.size() == count ? inferred : List.of(), true);
    }

    private void define(String name, List<TensorType> inferred, boolean variadic) {
        if (inferred.isEmpty()) {
            complete = false;
            state.define(name, ExpressionValue.unknown());
            state.markBroken(name);
            return;
        }
        types.addAll(inferred);
        List<ExpressionValue> tensors = new ArrayList<>();
        for (TensorType type : inferred) {
            tensors.add(ExpressionValue.tensor(variadic ? name + "[" + tensors.size() + "]" : name, type));
        }
        state.define(name, variadic ? ExpressionValue.list(tensors) : tensors.get(0));
    }

    private Optional<TensorType> infer(OutputDescription output, String name, Scope inside) {
        Optional<DType> dtype = dtype(output, name, inside);
        Optional<Shape> shape = dims(output, name, inside).flatMap(dims -> shape(dims, output, name));
        if (dtype.isEmpty() || shape.isEmpty()) {
            return Optional.empty();
        }
        TensorType type = new TensorType(dtype.get(), shape.get());
        if (!type.fits()) {
            state.violate(name, "is too large: " + type);
            return Optional.empty();
        }
        return agrees(output, name, type, inside) ? Optional.of(type) : Optional.empty();
    }

    private Optional<DType> dtype(OutputDescription output, String name, Scope inside) {
        Optional<ExpressionValue> value = state.evaluate(output.dtype(), name, inside);
        if (value.isPresent() && value.get() instanceof ExpressionValue.Unknown) {
            state.reportUnknown(name, "the dtype is not known" + because());
            return Optional.empty();
        }
        Optional<DType> dtype =
                value.flatMap(v -> v instanceof ExpressionValue.Text text ? DType.of(text.value()) : Optional.empty());
        if (value.isPresent() && dtype.isEmpty()) {
            state.violate(
                    name,
                    "expected " + output.dtype() + " to give a data type, found "
                            + value.get().described());
        }
        return dtype;
    }

    /** The list of dimensions, or unknown. */
    private Optional<ExpressionValue> dims(OutputDescription output, String name, Scope inside) {
        if (output.dimsAreList()) {
            return state.evaluate(output.dims().get(0), name, inside);
        }
        List<ExpressionValue> dims = new ArrayList<>();
        for (Expr dim : output.dims()) {
            Optional<ExpressionValue> value = state.evaluate(dim, name, inside);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            dims.add(value.get());
        }
        return Optional.of(ExpressionValue.list(dims));
    }

    private Optional<Shape> shape(ExpressionValue dims, OutputDescription output, String name) {
        if (dims instanceof ExpressionValue.Unknown) {
            return shapeOfRank(output, name);
        }
        if (!(dims instanceof ExpressionValue.ListOf list)) {
            state.violate(name, "expected dims to be a list, found " + dims.described());
            return Optional.empty();
        }
        List<Dim> sizes = new ArrayList<>();
        for (ExpressionValue dim : list.elements()) {
            if (dim instanceof ExpressionValue.Int size && size.value() >= 0) {
                sizes.add(Dim.of(size.value()));
            } else if (dim instanceof ExpressionValue.Unknown unknown) {
                sizes.add(Dim.named(unknown.name()));
            } else {
                state.violate(
                        name, "expected dims[" + sizes.size() + "] to be an int >= 0, found " + dim + " in " + dims);
                return Optional.empty();
            }
        }
        Shape shape = new Shape(sizes);
        if (!shape.isKnown() && !missingValues().isEmpty()) {
            state.reportUnknown(name, "the shape " + shape + " is not known" + because());
        }
        return Optional.of(shape);
    }

    /** The shape where not even the dimensions can be counted: only a declared ndim helps. */
    private Optional<Shape> shapeOfRank(OutputDescription output, String name) {
        state.reportUnknown(name, "the shape is not known" + because());
        Optional<ExpressionValue> ndim = output.ndim().flatMap(expression -> state.evaluate(expression, name));
        if (ndim.isPresent()
                && ndim.get() instanceof ExpressionValue.Int rank
                && rank.value() >= 0
                && rank.value() <= 64) {
            return Optional.of(new Shape(Collections.nCopies((int) rank.value(), Dim.unknown())));
        }
        return Optional.empty();
    }

    private String because() {
        List<String> missing = missingValues();
        return missing.isEmpty()
                ? " before the run"
                : ", because it depends on the elements of " + String.join(", ", missing);
    }

    /** The inputs whose elements are needed and not known. */
    private List<String> missingValues() {
        return state.op().inputs().stream()
                .filter(InputDescription::value)
                .map(InputDescription::name)
                .filter(name ->
                        state.value(name).orElse(ExpressionValue.absent()) instanceof ExpressionValue.TensorArg tensor
                                && tensor.data() == null)
                .collect(Collectors.toList());
    }

    /** {@return whether the type has the declared number of dimensions and elements, as far as they are known} */
    private boolean agrees(OutputDescription output, String name, TensorType type, Scope inside) {
        Scope own = inside.with("output", ExpressionValue.tensor(name, type));
        return agrees(output.ndim(), "output.ndim", name, own) && agrees(output.len(), "output.len", name, own);
    }

    private boolean agrees(Optional<Expr> expected, String actual, String name, Scope own) {
        if (expected.isEmpty()) {
            return true;
        }
        Optional<ExpressionValue> wanted = state.evaluate(expected.get(), name, own);
        ExpressionValue found = Expr.parse(actual, "").evaluate(own);
        boolean open = found instanceof ExpressionValue.Unknown
                || wanted.filter(ExpressionValue::isKnown).isEmpty();
        if (open || wanted.get().equals(found)) {
            return wanted.isPresent();
        }
        String what = actual.endsWith("ndim") ? " dimensions" : " elements";
        state.violate(name, "expected " + wanted.get() + what + ", found " + found);
        return false;
    }
}
