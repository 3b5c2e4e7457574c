package org.clinfer.plan.rule;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.clinfer.describe.Binding;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** A node of a pattern, and its position. */
record Part(int position, PlacedNode placed) {

    /** One of both operands of a node, and the other one. */
    record Operand(String value, String other) {}

    /** A constant operand of one element, and the other operand. */
    record Scalar(double number, String other) {}

    /** The node that makes a value, if it has this operator. */
    static Optional<Part> making(String value, String op, Rewriting graph) {
        return making(value, graph).filter(part -> part.op().equals(op));
    }

    /** The node that makes a value. */
    static Optional<Part> making(String value, Rewriting graph) {
        return graph.producer(value).map(at -> at(at, graph));
    }

    static Part at(int position, Rewriting graph) {
        return new Part(position, graph.node(position).orElseThrow());
    }

    String op() {
        return placed.op();
    }

    int inputs() {
        return placed.inputs().size();
    }

    String input(int index) {
        return placed.inputs().get(index);
    }

    /** Each of the first two inputs, with the other one. */
    Stream<Operand> operands() {
        return Stream.of(new Operand(input(0), input(1)), new Operand(input(1), input(0)));
    }

    /** The numbers among the operands of an Add or a Mul; the second operand of another node, such as a Div, if it is one. */
    Stream<Scalar> scalars(Rewriting graph) {
        return operands()
                .skip(op().equals("Add") || op().equals("Mul") ? 0 : 1)
                .flatMap(operand -> number(operand.value(), graph).stream()
                        .mapToObj(number -> new Scalar(number, operand.other())));
    }

    /** The operand beside a given number. */
    Optional<String> beside(double number, Rewriting graph) {
        return scalars(graph)
                .filter(scalar -> scalar.number() == number)
                .map(Scalar::other)
                .findFirst();
    }

    String output() {
        return placed.outputs().get(0);
    }

    Binding binding() {
        return placed.binding();
    }

    /** {@return whether a number of a file is what a pattern has there, as elements of a type round it} */
    static boolean isNear(double found, double wanted, DType type) {
        double near = switch (type) {
            case FLOAT64 -> 1e-14;
            case FLOAT32 -> 2e-6;
            default -> 2e-3;
        };
        return Math.abs(found - wanted) <= near * Math.abs(wanted);
    }

    /** The number that a constant of one element holds. */
    static OptionalDouble number(String value, Rewriting graph) {
        Optional<Tensor> constant = graph.constant(value).filter(known -> known.elements() == 1);
        return constant.isPresent() ? OptionalDouble.of(constant.get().getDouble(0)) : OptionalDouble.empty();
    }
}
