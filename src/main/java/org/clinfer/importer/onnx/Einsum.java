package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clinfer.importer.Params;

/**
 * Einsum: operands one after another. What two have in common and nobody else needs is summed by a MatMul, whose rows
 * and columns are the labels of one operand alone; labels that a term repeats are taken along the diagonal first.
 */
final class Einsum {

    /** Axes of an ellipsis are labels from here on, counted from the last axis. */
    private static final char ELLIPSIS = '\uE000';

    private static final int MOST_AXES = 64;

    private final OnnxNode node;
    private final Steps steps;

    /** A value and the label of each of its axes. */
    private record Term(String value, List<Character> labels) {

        int[] places(List<Character> wanted) {
            return wanted.stream().mapToInt(labels::indexOf).toArray();
        }
    }

    Einsum(OnnxNode node, OnnxGraphWriter graph) {
        this.node = node;
        this.steps = new Steps(node, graph);
    }

    void translate() {
        node.requireInputs(Math.max(1, node.inputs().size()), Integer.MAX_VALUE);
        String equation = node.text("equation").replace(" ", "");
        int arrow = equation.indexOf("->");
        String left = arrow < 0 ? equation : equation.substring(0, arrow);
        String[] subscripts = left.split(",", -1);
        if (subscripts.length != node.inputs().size()) {
            throw node.malformed("equation '" + equation + "' has " + subscripts.length + " terms for "
                    + node.inputs().size() + " inputs");
        }
        List<Term> terms = new ArrayList<>();
        int ellipsis = 0;
        for (int i = 0; i < subscripts.length; i++) {
            Term term = new Term(node.input(i), labels(subscripts[i], rankOf(subscripts[i], node.input(i))));
            ellipsis = Math.max(ellipsis, (int)
                    term.labels.stream().filter(label -> label >= ELLIPSIS).count());
            terms.add(term);
        }
        List<Character> output = arrow < 0 ? implied(terms, ellipsis) : labels(equation.substring(arrow + 2), ellipsis);
        requireSound(equation, terms, output);
        List<Term> single = new ArrayList<>();
        for (int i = 0; i < terms.size(); i++) {
            single.add(summedAlone(diagonal(terms.get(i)), others(terms, i, output)));
        }
        Term result = single.get(0);
        for (int i = 1; i < single.size(); i++) {
            result = product(result, single.get(i), behind(single, i, output));
        }
        steps.last("Transpose", new Params().put("perm", longs(result.places(output))), result.value);
    }

    /** The number of axes that an ellipsis stands for: of the output's, 0 until the terms are known. */
    private int rankOf(String subscripts, String value) {
        if (!subscripts.contains("...")) {
            return 0;
        }
        int axes = steps.rank(value) - (subscripts.length() - 3);
        if (axes < 0) {
            throw node.malformed("term '" + subscripts + "' has more labels than the input has axes");
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
            throw node.malformed("term '" + subscripts + "' has more than " + MOST_AXES + " labels");
        }
        return labels;
    }

    private void addLetters(String text, List<Character> labels) {
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if ((letter < 'a' || letter > 'z') && (letter < 'A' || letter > 'Z')) {
                throw node.malformed("equation has '" + letter + "', which is no label");
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
                throw node.malformed("equation '" + equation + "' has an output label that no term has, or twice");
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
            String square = steps.transposed(term.value, perm);
            String step = steps.add("Add", steps.sizes(square, -1), steps.vector(1));
            long[] flat = new long[kept.size() + 1];
            flat[kept.size()] = -1;
            String row = steps.add("Reshape", square, steps.vector(flat));
            String chosen =
                    steps.add("Slice", row, steps.vector(0), steps.vector(Long.MAX_VALUE), steps.vector(-1), step);
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
                steps.add("ReduceSum", params, term.value),
                term.labels.stream().filter(others::contains).toList());
    }

    private Term product(Term a, Term b, List<Character> needed) {
        List<Character> summed = a.labels.stream()
                .filter(label -> b.labels.contains(label) && !needed.contains(label))
                .toList();
        List<Character> both = a.labels.stream()
                .filter(label -> b.labels.contains(label) && needed.contains(label))
                .toList();
        List<Character> left =
                a.labels.stream().filter(label -> !b.labels.contains(label)).toList();
        List<Character> right =
                b.labels.stream().filter(label -> !a.labels.contains(label)).toList();
        List<Character> labels = joined(both, left, right);
        if (summed.isEmpty()) {
            return new Term(steps.add("Mul", spread(a, labels), spread(b, labels)), labels);
        }
        String rows = merged(a, both, left, summed);
        String columns = merged(b, both, summed, right);
        String product = steps.add("MatMul", rows, columns);
        if (left.size() == 1 && right.size() == 1) {
            return new Term(product, labels);
        }
        List<String> shape = new ArrayList<>();
        if (!both.isEmpty()) {
            shape.add(steps.sizes(product, longs(IntStream.range(0, both.size()).toArray())));
        }
        if (!left.isEmpty()) {
            shape.add(steps.sizes(a.value, longs(a.places(left))));
        }
        if (!right.isEmpty()) {
            shape.add(steps.sizes(b.value, longs(b.places(right))));
        }
        String target = shape.isEmpty() ? steps.vector() : steps.concat(shape);
        return new Term(steps.add("Reshape", product, target), labels);
    }

    /** The axes in the order of the labels, with axes of 1 for those that the term does not have. */
    private String spread(Term term, List<Character> labels) {
        List<Character> own = labels.stream().filter(term.labels::contains).toList();
        String value = steps.transposed(term.value, longs(term.places(own)));
        long[] missing = IntStream.range(0, labels.size())
                .filter(axis -> !term.labels.contains(labels.get(axis)))
                .asLongStream()
                .toArray();
        return missing.length == 0 ? value : steps.add("Unsqueeze", new Params().put("axis", missing), value);
    }

    /** The axes of the first labels, and one axis each for all of the second and all of the third. */
    private String merged(Term term, List<Character> first, List<Character> second, List<Character> third) {
        String value = steps.transposed(term.value, longs(term.places(joined(first, second, third))));
        if (second.size() == 1 && third.size() == 1) {
            return value;
        }
        List<String> shape = new ArrayList<>();
        if (!first.isEmpty()) {
            shape.add(steps.sizes(term.value, longs(term.places(first))));
        }
        shape.add(count(term, second));
        shape.add(count(term, third));
        return steps.add("Reshape", value, steps.concat(shape));
    }

    private String count(Term term, List<Character> labels) {
        return labels.isEmpty()
                ? steps.vector(1)
                : steps.add(
                        "ReduceProd",
                        new Params().put("keep_dims", true),
                        steps.sizes(term.value, longs(term.places(labels))));
    }

    @SafeVarargs
    private static List<Character> joined(List<Character>... lists) {
        return Stream.of(lists).flatMap(List::stream).toList();
    }

    private static long[] longs(int[] values) {
        return IntStream.of(values).asLongStream().toArray();
    }
}
