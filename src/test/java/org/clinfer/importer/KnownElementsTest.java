package org.clinfer.importer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownElementsTest {

    /** Slices of 10, 11, 12, 13 and 14, as the operator cuts them. */
    @ParameterizedTest
    @CsvSource({
        "1, 4, 1, '11 12 13'",
        "-9, 9, 3, '10 13'",
        "9, -9, -2, '14 12 10'",
        "-9, -9, -1, '10'",
        "-1, 2147483647, -3, '14 11'",
        "3, 9223372036854775807, -1, '13 12 11 10'",
        "3, 2147483646, -1, ''",
        "1, 9223372036854775807, 9223372036854775807, '11'",
        "4, -9, -9223372036854775808, '14'"
    })
    void slices(long start, long end, long step, String wanted) {
        List<Optional<Long>> numbers =
                Stream.of(10L, 11L, 12L, 13L, 14L).map(Optional::of).toList();
        KnownElements known = new KnownElements(
                value -> KnownType.of(TensorType.of(DType.INT64, 5)),
                value -> value.equals("x") ? Optional.of(Integers.vector(numbers)) : Optional.empty());
        Params params = new Params()
                .put("starts", new long[] {start})
                .put("ends", new long[] {end})
                .put("steps", new long[] {step});
        Node node = new Node("slice", "Slice", List.of("x"), List.of("y"), params.map(), new SourceRef("file", "node"));
        List<Long> expected = Stream.of(wanted.split(" ", -1))
                .filter(number -> !number.isEmpty())
                .map(Long::valueOf)
                .toList();
        assertThat(known.follow(node).orElseThrow().values())
                .isEqualTo(expected.stream().map(Optional::of).toList());
    }
}
