package org.clinfer.importer.onnx.export;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.clinfer.describe.Binding;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** One node of a graph that is written: its parameters by name and what is known of its inputs. */
final class Use {

    private final Node node;
    private final ValueTypes types;
    private final Optional<Binding> binding;
    private final Set<String> read = new HashSet<>();

    Use(Node node, ValueTypes types) {
        this.node = node;
        this.types = types;
        this.binding = types.follow(node);
    }

    String name() {
        return node.name();
    }

    String op() {
        return node.op();
    }

    List<String> inputs() {
        return node.inputs();
    }

    boolean hasInput(int index) {
        return index < node.inputs().size() && !node.inputs().get(index).isEmpty();
    }

    /** The name of an input, {@code ""} if it is left out. */
    String input(int index) {
        return index < node.inputs().size() ? node.inputs().get(index) : "";
    }

    List<String> outputs() {
        return node.outputs();
    }

    String output() {
        return node.outputs().get(0);
    }

    /** The node bound to its description, where enough is known of its inputs. */
    Optional<Binding> binding() {
        return binding;
    }

    Optional<Shape> shape(int input) {
        return types.of(input(input)).shape();
    }

    int rank(int input) {
        return shape(input)
                .orElseThrow(() -> refused("an input whose rank is not known"))
                .rank();
    }

    /** The size of an input along an axis, which must be known. */
    long size(int input, int axis) {
        Shape shape = shape(input).orElseThrow(() -> refused("an input whose sizes are not known"));
        if (axis < shape.rank() && shape.dim(axis) instanceof Dim.Known known) {
            return known.size();
        }
        throw refused("an input whose sizes are not known");
    }

    /** The size of an input along an axis; empty where it is not known. */
    OptionalLong knownSize(int input, int axis) {
        return types.of(input(input)).size(axis).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    /** The size of the first output along an axis; empty where it is not known. */
    OptionalLong knownOutputSize(int axis) {
        return types.of(output()).size(axis).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    Optional<DType> knownDtype(int input) {
        return types.of(input(input)).dtype();
    }

    DType dtype(int input) {
        return knownDtype(input).orElseThrow(() -> refused("an input whose data type is not known"));
    }

    boolean isInteger(int input) {
        return knownDtype(input).filter(DType::isInteger).isPresent();
    }

    /** Refuses integers, of which ONNX does not have this operator, or does not compute it alike. */
    void requireFloats() {
        if (isInteger(0)) {
            throw refused("elements of " + dtype(0));
        }
    }

    boolean has(String name) {
        return node.params().containsKey(name);
    }

    private Optional<Attribute> find(String name) {
        read.add(name);
        return Optional.ofNullable(node.params().get(name));
    }

    /** Marks parameters as read that say nothing about the result. */
    void ignore(String... names) {
        read.addAll(List.of(names));
    }

    long integer(String name, long otherwise) {
        return find(name).map(value -> integer(name, value)).orElse(otherwise);
    }

    long integer(String name) {
        return find(name).map(value -> integer(name, value)).orElseThrow(() -> missing(name));
    }

    private long integer(String name, Attribute value) {
        if (value instanceof Attribute.IntValue number) {
            return number.value();
        }
        throw wrong(name, value);
    }

    double real(String name, double otherwise) {
        return find(name).map(value -> real(name, value)).orElse(otherwise);
    }

    double real(String name) {
        return find(name).map(value -> real(name, value)).orElseThrow(() -> missing(name));
    }

    private double real(String name, Attribute value) {
        return value instanceof Attribute.RealValue number ? number.value() : integer(name, value);
    }

    boolean flag(String name, boolean otherwise) {
        Optional<Attribute> value = find(name);
        if (value.isPresent() && value.get() instanceof Attribute.BoolValue flag) {
            return flag.value();
        } else if (value.isPresent()) {
            throw wrong(name, value.get());
        }
        return otherwise;
    }

    String text(String name, String otherwise) {
        Optional<Attribute> value = find(name);
        if (value.isPresent() && value.get() instanceof Attribute.TextValue text) {
            return text.value();
        } else if (value.isPresent()) {
            throw wrong(name, value.get());
        }
        return otherwise;
    }

    Optional<List<String>> texts(String name) {
        return list(name)
                .map(list -> list.values().stream().map(Attribute::toString).toList());
    }

    Optional<long[]> integers(String name) {
        return list(name)
                .map(list -> list.values().stream()
                        .mapToLong(value -> integer(name, value))
                        .toArray());
    }

    Optional<double[]> reals(String name) {
        return list(name)
                .map(list -> list.values().stream()
                        .mapToDouble(value -> real(name, value))
                        .toArray());
    }

    private Optional<Attribute.ListValue> list(String name) {
        return find(name).map(value -> {
            if (value instanceof Attribute.ListValue list) {
                return list;
            }
            throw wrong(name, value);
        });
    }

    /** Refuses a parameter that nothing has read, which would otherwise be lost. */
    void requireAllRead() {
        Set<String> left = new TreeSet<>(node.params().keySet());
        left.removeAll(read);
        if (!left.isEmpty()) {
            throw refused("parameter " + left.iterator().next());
        }
    }

    UnsupportedException missing(String name) {
        return refused("no parameter " + name);
    }

    private UnsupportedException wrong(String name, Attribute value) {
        return refused("parameter " + name + " " + value);
    }

    /** The refusal of this node, because ONNX has nothing for what it uses. */
    UnsupportedException refused(String what) {
        return new UnsupportedException(
                source(), op() + " with " + what, "ONNX cannot say " + op() + " with " + what + " exactly");
    }

    UnsupportedException refusedOperator() {
        return new UnsupportedException(source(), "operator " + op(), "ONNX has no operator " + op());
    }

    private SourceRef source() {
        SourceRef source = node.source();
        return source.element().isEmpty() ? new SourceRef(source.file(), "node " + node) : source;
    }
}
