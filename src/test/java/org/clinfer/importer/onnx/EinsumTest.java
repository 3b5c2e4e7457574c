package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.text;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.clinfer.errors.InputException;
import org.clinfer.graph.GraphException;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Products over labelled axes, against loops over all values of all labels. */
class EinsumTest extends FirstOutputRuns {

    private static final List<String> NAMES = List.of("a", "b", "c");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ij,jk->ik|3x4|4x5|ijk|3x5",
                "ij,jk|3x4|4x5|ijk|3x5",
                "bij,bjk->bik|2x3x4|2x4x5|bijk|2x3x5",
                "bhid,bhjd->bhij|2x2x3x4|2x2x5x4|bhidj|2x2x3x5",
                "bthd,hdm->btm|2x3x2x4|2x4x5|bthdm|2x3x5",
                "i,i->|5|5|i|scalar",
                "i,j->ij|3|4|ij|3x4",
                "i,j->ji|3|4|ij|4x3",
                "ij,ij->ij|3x4|3x4|ij|3x4",
                "ij,ij->i|3x4|3x4|ij|3",
                "ab,cd->bd|2x3|4x5|abcd|3x5",
                "abc,cab->|2x3x4|4x2x3|abc|scalar",
                "abc,cd->dab|2x3x4|4x5|abcd|5x2x3",
                "iij,jk->ik|3x3x4|4x5|ijk|3x5",
                "ij,j->i|3x4|4|ij|3",
                "B a, a->B|3x4|4|Ba|3",
                "ij,jk->ik|2x1|3x4|ijk|2x4",
                "ij,jk->ik|2x3|1x4|ijk|2x4",
                "ij,ij->ij|2x3|1x3|ij|2x3",
                "ij,ij->j|2x3|1x3|ij|3",
                "ij,ij->|1x6|6x1|ij|scalar",
                "bij,bjk->bik|1x2x3|5x3x4|bijk|5x2x4",
                "bij,bjk->bik|5x2x1|1x3x4|bijk|5x2x4",
                "bihj,bkj->bikh|5x2x2x1|1x3x4|bihjk|5x2x3x2",
                "i,i->i|1|0|i|0"
            })
    void einsumOfTwo(String equation, String left, String right, String labels, String expected) {
        Tensor a = floats(sizes(left));
        Tensor b = floats(sizes(right));
        for (boolean open : new boolean[] {false, true}) {
            Tensor y = run(
                    model(equation, open ? any(left) : sizes(left), open ? any(right) : sizes(right)),
                    Map.of("a", a, "b", b));
            assertSums(y, equation, labels, expected, a, b);
        }
    }

    /** A model of one Einsum, whose inputs {@code a}, {@code b} and so on have these sizes. */
    private static TestModel model(String equation, long[]... inputs) {
        TestModel model = TestModel.opset(12);
        List<String> names = NAMES.subList(0, inputs.length);
        for (int i = 0; i < inputs.length; i++) {
            model.input(names.get(i), inputs[i]);
        }
        return model.node("Einsum", String.join(",", names), "y", text("equation", equation))
                .output("y");
    }

    private Tensor einsum(String equation, Tensor... inputs) {
        Map<String, Tensor> given = new LinkedHashMap<>();
        for (int i = 0; i < inputs.length; i++) {
            given.put(NAMES.get(i), inputs[i]);
        }
        long[][] sizes =
                Arrays.stream(inputs).map(input -> input.shape().sizes()).toArray(long[][]::new);
        return run(model(equation, sizes), given);
    }

    private static long[] any(String text) {
        return LongStream.of(sizes(text)).map(size -> -1).toArray();
    }

    private static void assertSums(Tensor y, String equation, String labels, String expected, Tensor a, Tensor b) {
        String[] terms = equation.replace(" ", "").split("->", -1)[0].split(",", -1);
        String out = equation.contains("->") ? equation.substring(equation.indexOf("->") + 2) : "ik";
        assertThat(y.shape().toString())
                .isEqualTo(Tensor.of(new float[count(expected)], sizes(expected))
                        .shape()
                        .toString());
        assertThat(values(y)).containsExactly(sums(labels, terms, out, new Tensor[] {a, b}, y));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ij->ji|3x4|ij|4x3",
                "ij->i|3x4|ij|3",
                "ij->|3x4|ij|scalar",
                "ii->i|4x4|i|4",
                "ii|4x4|i|scalar",
                "iji->j|3x4x3|ij|4",
                "iiji->ij|2x2x3x2|ij|2x3",
                "ba|3x4|ab|4x3"
            })
    void einsumOfOne(String equation, String input, String labels, String expected) {
        Tensor a = floats(sizes(input));
        Tensor y = einsum(equation, a);
        String out = equation.contains("->")
                ? equation.substring(equation.indexOf("->") + 2)
                : equation.equals("ii") ? "" : "ab";
        assertThat(values(y))
                .containsExactly(sums(labels, new String[] {equation.split("->", -1)[0]}, out, new Tensor[] {a}, y));
        assertThat(y.elements()).isEqualTo(count(expected));
    }

    @Test
    void einsumOfThreeAndWithEllipsis() {
        Tensor a = floats(2, 3);
        Tensor b = floats(3, 4);
        Tensor c = floats(4, 2);
        Tensor trace = einsum("ij,jk,ki->", a, b, c);
        assertThat(values(trace))
                .containsExactly(sums("ijk", new String[] {"ij", "jk", "ki"}, "", new Tensor[] {a, b, c}, trace));

        Tensor one = floats(2, 1);
        Tensor wide = floats(3, 2);
        Tensor spread = einsum("ij,jk,jl->il", one, b, wide);
        assertThat(values(spread))
                .containsExactly(
                        sums("ijkl", new String[] {"ij", "jk", "jl"}, "il", new Tensor[] {one, b, wide}, spread));

        Tensor x = floats(2, 3, 4);
        Tensor w = floats(4, 5);
        Tensor y = einsum("...i,ij->...j", x, w);
        assertThat(y.shape()).hasToString("2x3x5");
        assertThat(values(y)).containsExactly(sums("abij", new String[] {"abi", "ij"}, "abj", new Tensor[] {x, w}, y));
    }

    static long[] sizes(String text) {
        return text.equals("scalar")
                ? new long[0]
                : Arrays.stream(text.split("x", -1)).mapToLong(Long::parseLong).toArray();
    }

    private static int count(String text) {
        return (int) Arrays.stream(sizes(text)).reduce(1, (a, b) -> a * b);
    }

    /** The sum of products over every value of every label, each where the output's labels put it. */
    private static double[] sums(String labels, String[] terms, String out, Tensor[] tensors, Tensor y) {
        int[] size = new int[labels.length()];
        for (int t = 0; t < terms.length; t++) {
            for (int axis = 0; axis < terms[t].length(); axis++) {
                int label = labels.indexOf(terms[t].charAt(axis));
                int here = (int) tensors[t].shape().size(axis);
                size[label] = size[label] > 1 ? size[label] : here;
            }
        }
        double[] sums = new double[(int) y.elements()];
        int all = IntStream.of(size).reduce(1, (a, b) -> a * b);
        for (int i = 0; i < all; i++) {
            int[] at = new int[size.length];
            int rest = i;
            for (int k = size.length - 1; k >= 0; k--) {
                at[k] = rest % size[k];
                rest /= size[k];
            }
            double product = 1;
            for (int t = 0; t < terms.length; t++) {
                product *= tensors[t].getDouble(
                        place(terms[t], labels, at, tensors[t].shape().sizes()));
            }
            sums[(int) place(out, labels, at, y.shape().sizes())] += product;
        }
        return sums;
    }

    private static long place(String term, String labels, int[] at, long[] sizes) {
        long place = 0;
        for (int axis = 0; axis < term.length(); axis++) {
            int label = labels.indexOf(term.charAt(axis));
            place = place * sizes[axis] + (sizes[axis] == 1 ? 0 : at[label]);
        }
        return place;
    }

    @ParameterizedTest
    @ValueSource(strings = {"1x3", "3x1", "2x3"})
    void noDiagonalIsOfAxesOfOtherSizes(String shape) {
        assertThatThrownBy(() -> run(model("ii->i", new long[] {-1, -1}), Map.of("a", floats(sizes(shape)))))
                .isInstanceOfAny(GraphException.class, InputException.class)
                .hasMessageContaining("as many elements");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ij,jk->il", "ij->ik", "ij,jk,k->i", "i1->i", "ij,jk->ii", "...ij,jk->...ik"})
    void unsoundEquationsAreRefused(String equation) {
        TestModel model = model(equation, new long[] {3}, new long[] {3, 4});
        assertThatThrownBy(() -> model.read(folder)).isInstanceOf(GraphException.class);
    }
}
