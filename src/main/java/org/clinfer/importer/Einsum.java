package org.clinfer.importer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clinfer.graph.GraphException;

/**
 * Einsum: operands one after another. What two have in common and nobody else needs is summed by a MatMul, whose rows
 * and columns are the labels of one operand alone; labels that a term repeats are taken along the diagonal first.
 */
public final class Einsum {

    /** Axes of an ellipsis are labels from here on, counted from the last axis. */
    private static final char ELLIPSIS = '\uE000';

    private static final int MOST_AXES = 64;

    /** The graph in which the operators are written, for the node that is one. */
    public interface Writer {

        /**
         * The number of a value's axes.
         *
         * @throws org.clinfer.graph.UnsupportedException if it is not known
         */
        int rank(String value);

        /** {@return whether axes of one label may have other sizes, of which one of 1 stands for the other} */
        boolean mayDiffer(String value, int axis, String other, int ofOther);

        /** Adds an operator; its output. */
        String step(String op, Params params, List<String> inputs);

        /** A constant vector of int64. */
        String vector(long... values);

        /** Adds the operator that gives the node's output. */
        void last(String op, Params params, String input);

        /** The refusal of a node that breaks its definition. */
        GraphException malformed(String message);
    }

    private final Writer writer;

    /** The labels whose axes may have other sizes in other terms. */
    private final Set<Character> open = new HashSet<>();

    /** A value and the label of each of its axes. */
    private record Term(String value, List<Character> labels) {

        int[] places(List<Character> wanted) {
            return wanted.stream().mapToInt(labels::indexOf).toArray();
        }
    }

    private Einsum(Writer writer) {
        this.writer = writer;
    }

    /**
     * Writes a sum of products.
     *
     * @param written the equation, as {@code ij,jk->ik}
     * @param inputs the values of its terms
     */
    public static void write(String written, List<String> inputs, Writer writer) {
        new Einsum(writer).write(written.replace(" ", ""), inputs);
    }

    private void write(String equation, List<String> inputs) {
        int arrow = equation.indexOf("->");
        String left = arrow < 0 ? equation : equation.substring(0, arrow);
        String[] subscripts = left.split(",", -1);
        if (subscripts.length != inputs.size()) {
            throw writer.malformed(
                    "equation '" + equation + "' has " + subscripts.length + " terms for " + inputs.size() + " inputs");
        }
        List<Term> terms = new ArrayList<>();
        int ellipsis = 0;
        for (int i = 0; i < subscripts.length; i++) {
            Term term = new Term(inputs.get(i), labels(subscripts[i], rankOf(subscripts[i], inputs.get(i))));
            ellipsis = Math.max(ellipsis, (int)
                    term.labels.stream().filter(label -> label >= ELLIPSIS).count());
            terms.add(term);
        }
        List<Character> output = arrow < 0 ? implied(terms, ellipsis) : labels(equation.substring(arrow + 2), ellipsis);
        requireSound(equation, terms, output);
        for (int i = 1; i < terms.size(); i++) {
            Term term = terms.get(i);
            terms.subList(0, i).forEach(other -> addOpen(term, other));
        }
        List<Term> single = new ArrayList<>();
        for (int i = 0; i < terms.size(); i++) {
            single.add(summedAlone(diagonal(terms.get(i)), others(terms, i, output)));
        }
        Term result = single.get(0);
        for (int i = 1; i < single.size(); i++) {
            result = product(result, single.get(i), behind(single, i, output));
        }
        writer.last("Transpose", new Params().put("perm", longs(result.places(output))), result.value);
    }

    private void addOpen(Term term, Term other) {
        for (Character label : term.labels) {
            int axis = other.labels.indexOf(label);
            if (axis >= 0 && writer.mayDiffer(term.value, term.labels.indexOf(label), other.value, axis)) {
                open.add(label);
            }
        }
    }

    /** The number of axes that an ellipsis stands for: of the output's, 0 until the terms are known. */
    private int rankOf(String subscripts, String value) {
        if (!subscripts.contains("...")) {
            return 0;
        }
        int axes = writer.rank(value) - (subscripts.length() - 3);
        if (axes < 0) {
            throw writer.malformed("term '" + subscripts + "' has more labels than the input has axes");
        }
        return axes;
    }

    /** @param ellipsis the axes that an ellipsis stands for */
    private List<Character> labels(String subscripts, int ellipsis) {
        List<Character> labels = new ArrayList<>();
        int dots = subscripts.indexOf("...");
        String before = dots < 0 ? subscripts : subscripts.substring(0, dots);
        String after = dots < 0 ? "" : subscripts.substring(dots + 3);
        addLetters(before, labels);
        for (int i = 0; dots >= 0 && i < ellipsis; i++) {
            labels.add((char) (ELLIPSIS + ellipsis - 1 - i));
        }
        addLetters(after, labels);
        if (labels.size() > MOST_AXES) {
            throw writer.malformed("term '" + subscripts + "' has more than " + MOST_AXES + " labels");
        }
        return labels;
    }

    private void addLetters(String text, List<Character> labels) {
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if ((letter < 'a' || letter > 'z') && (letter < 'A' || letter > 'Z')) {
                throw writer.malformed("equation has '" + letter + "', which is no label");
            }
            labels.add(letter);
        }
    }

    /** Without an arrow: the axes of an ellipsis, then the labels that occur once, in alphabetical order. */
    private static List<Character> implied(List<Term> terms, int ellipsis) {
        Map<Character, Long> counts = terms.stream()
                .flatMap(term -> term.labels.stream())
                .filter(label -> label < ELLIPSIS)
                .collect(Collectors.groupingBy(label -> label, TreeMap::new, Collectors.counting()));
        List<Character> output = new ArrayList<>();
        for (int i = ellipsis - 1; i >= 0; i--) {
            output.add((char) (ELLIPSIS + i));
        }
        counts.forEach((label, count) -> {
            if (count == 1) {
                output.add(label);
            }
        });
        return output;
    }

    private void requireSound(String equation, List<Term> terms, List<Character> output) {
        for (Character label : output) {
            boolean twice = output.indexOf(label) != output.lastIndexOf(label);
            if (twice || terms.stream().noneMatch(term -> term.labels.contains(label))) {
                throw writer.malformed("equation '" + equation + "' has an output label that no term has, or twice");
            }
        }
    }

    /** The labels of all terms but one, and of the output. */
    private static List<Character> others(List<Term> terms, int but, List<Character> output) {
        return Stream.concat(
                        IntStream.range(0, terms.size())
                                .filter(i -> i != but)
                                .boxed()
                                .flatMap(i -> terms.get(i).labels.stream()),
                        output.stream())
                .distinct()
                .toList();
    }

    /** The labels of the terms behind one, and of the output. */
    private static List<Character> behind(List<Term> terms, int one, List<Character> output) {
        return Stream.concat(
                        terms.subList(one + 1, terms.size()).stream().flatMap(term -> term.labels.stream()),
                        output.stream())
                .distinct()
                .toList();
    }

    /** The elements whose places along two axes of one label are the same: every (n + 1)th of n times n. */
    private Term diagonal(Term given) {
        Term term = given;
        for (int second = term.labels.size() - 1; second > 0; second--) {
            int first = term.labels.indexOf(term.labels.get(second));
            if (first == second) {
                continue;
            }
            List<Character> kept = new ArrayList<>(term.labels);
            kept.remove(second);
            Character label = kept.remove(first);
            int last = second;
            long[] perm = IntStream.concat(
                            IntStream.range(0, term.labels.size()).filter(axis -> axis != first && axis != last),
                            IntStream.of(first, last))
                    .asLongStream()
                    .toArray();
            String square = transposed(term.value, perm);
            String size = sizes(square, -1);
            String step = add("Add", size, writer.vector(1));
            String flat = concat(List.of(writer.vector(new long[kept.size()]), add("Mul", size, size)));
            String row = add("Reshape", square, flat);
            String chosen = add("Slice", row, writer.vector(0), writer.vector(Long.MAX_VALUE), writer.vector(-1), step);
            kept.add(label);
            term = new Term(chosen, kept);
            second = kept.size();
        }
        return term;
    }

    /** Sums over the labels that nobody else has. */
    private Term summedAlone(Term term, List<Character> others) {
        List<Character> alone =
                term.labels.stream().filter(label -> !others.contains(label)).toList();
        if (alone.isEmpty()) {
            return term;
        }
        Params params = new Params().put("axis", longs(term.places(alone))).put("keep_dims", false);
        return new Term(
                add("ReduceSum", params, term.value),
                term.labels.stream().filter(others::contains).toList());
    }

    private Term product(Term one, Term other, List<Character> needed) {
        List<Character> summed = one.labels.stream()
                .filter(label -> other.labels.contains(label) && !needed.contains(label))
                .toList();
        Term a = widened(one, other, summed);
        Term b = widened(other, one, summed);
        List<Character> both = a.labels.stream()
                .filter(label -> b.labels.contains(label) && needed.contains(label))
                .toList();
        List<Character> left =
                a.labels.stream().filter(label -> !b.labels.contains(label)).toList();
        List<Character> right =
                b.labels.stream().filter(label -> !a.labels.contains(label)).toList();
        List<Character> labels = joined(both, left, right);
        if (summed.isEmpty()) {
            return new Term(add("Mul", spread(a, labels), spread(b, labels)), labels);
        }
        String rows = merged(a, both, left, summed);
        String columns = merged(b, both, summed, right);
        String product = add("MatMul", rows, columns);
        if (left.size() == 1 && right.size() == 1) {
            return new Term(product, labels);
        }
        List<String> shape = new ArrayList<>();
        if (!both.isEmpty()) {
            shape.add(sizes(product, longs(IntStream.range(0, both.size()).toArray())));
        }
        if (!left.isEmpty()) {
            shape.add(sizes(a.value, longs(a.places(left))));
        }
        if (!right.isEmpty()) {
            shape.add(sizes(b.value, longs(b.places(right))));
        }
        String target = shape.isEmpty() ? writer.vector() : concat(shape);
        return new Term(add("Reshape", product, target), labels);
    }

    /** With the sizes that the axes of some labels have in another term, where they may be 1; a MatMul sums over equal ones. */
    private Term widened(Term term, Term other, List<Character> labels) {
        if (labels.stream().noneMatch(open::contains)) {
            return term;
        }
        List<String> shape = new ArrayList<>();
        for (Character label : term.labels) {
            boolean same = !labels.contains(label) || !open.contains(label);
            shape.add(same ? writer.vector(1) : sizes(other.value, other.labels.indexOf(label)));
        }
        return new Term(add("Expand", term.value, concat(shape)), term.labels);
    }

    /** The axes in the order of the labels, with axes of 1 for those that the term does not have. */
    private String spread(Term term, List<Character> labels) {
        List<Character> own = labels.stream().filter(term.labels::contains).toList();
        String value = transposed(term.value, longs(term.places(own)));
        long[] missing = IntStream.range(0, labels.size())
                .filter(axis -> !term.labels.contains(labels.get(axis)))
                .asLongStream()
                .toArray();
        return missing.length == 0 ? value : add("Unsqueeze", new Params().put("axis", missing), value);
    }

    /** The axes of the first labels, and one axis each for all of the second and all of the third. */
    private String merged(Term term, List<Character> first, List<Character> second, List<Character> third) {
        String value = transposed(term.value, longs(term.places(joined(first, second, third))));
        if (second.size() == 1 && third.size() == 1) {
            return value;
        }
        List<String> shape = new ArrayList<>();
        if (!first.isEmpty()) {
            shape.add(sizes(term.value, longs(term.places(first))));
        }
        shape.add(count(term, second));
        shape.add(count(term, third));
        return add("Reshape", value, concat(shape));
    }

    private String count(Term term, List<Character> labels) {
        return labels.isEmpty()
                ? writer.vector(1)
                : add("ReduceProd", new Params().put("keep_dims", true), sizes(term.value, longs(term.places(labels))));
    }

    private String add(String op, Params params, String... operands) {
        return writer.step(op, params, List.of(operands));
    }

    private String add(String op, String... operands) {
        return add(op, new Params(), operands);
    }

    /** The sizes of some axes. */
    private String sizes(String value, long... axes) {
        return add("Gather", new Params().put("axis", 0L), add("Shape", value), writer.vector(axes));
    }

    private String concat(List<String> parts) {
        return parts.size() == 1 ? parts.get(0) : writer.step("Concat", new Params().put("axis", 0L), parts);
    }

    private String transposed(String value, long... perm) {
        boolean moves = IntStream.range(0, perm.length).anyMatch(axis -> perm[axis] != axis);
        return moves ? add("Transpose", new Params().put("perm", perm), value) : value;
    }

    @SafeVarargs
    private static List<Character> joined(List<Character>... lists) {
        return Stream.of(lists).flatMap(List::stream).toList();
    }

    private static long[] longs(int[] values) {
        return IntStream.of(values).asLongStream().toArray();
    }
}
