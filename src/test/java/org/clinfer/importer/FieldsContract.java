package org.clinfer.importer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.errors.InputException;
import org.clinfer.graph.GraphException;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every field that a format knows for a layer changes the result, or is refused by its name. */
public abstract class FieldsContract {

    protected static final String REFUSED = "refused: ";

    @TempDir
    protected Path folder;

    /** Elements of results on different devices differ by so much, relative to those beyond 1. */
    private static final double TOLERANCE = 1e-4;

    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+(E-?\\d+)?)?");

    private Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
    private final List<FieldCase> cases;

    /** @param table the cases of the format, a file of {@code test-data/fields} */
    protected FieldsContract(String table) throws IOException {
        cases = FieldCase.read(table);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    /** The CPU, or a device. */
    protected final Engine engine() {
        return engine;
    }

    protected final List<FieldCase> cases() {
        return cases;
    }

    /** The types that have a case. */
    protected final Set<String> types() {
        return cases.stream().map(FieldCase::type).collect(Collectors.toSet());
    }

    /** The results of a layer with these fields, as {@link #text}; thrown refusals are welcome. */
    protected abstract String results(FieldCase of, List<String> fields) throws IOException;

    /** The name of a field with a value. */
    protected abstract String name(String field);

    /** Whether another value of the field may change nothing. */
    protected abstract boolean isWithoutEffect(FieldCase of, String name);

    /** A field that no layer has. */
    protected abstract String foreign();

    /** The given fields that another one stands for. */
    protected Set<String> replaced(String other) {
        return Set.of(name(other));
    }

    /** Whether a refusal is because of a field. */
    protected boolean isAbout(String refusal, FieldCase of, String field) {
        return refusal.contains(name(field));
    }

    /** A case for each type that there is. */
    protected Stream<FieldCase> everyType() {
        return cases.stream();
    }

    /** The results, or the refusal. */
    protected final String outcome(FieldCase of, List<String> fields) throws IOException {
        try {
            return results(of, fields);
        } catch (GraphException | InputException | IllegalArgumentException refusal) {
            return REFUSED + refusal.getMessage();
        }
    }

    protected static String text(Map<String, Tensor> outputs) {
        return outputs.entrySet().stream()
                .map(y ->
                        y.getKey() + y.getValue() + Arrays.toString(y.getValue().toDoubleArray()))
                .collect(Collectors.joining());
    }

    protected static long[] longs(String list) {
        return Stream.of(list.split(",", -1)).mapToLong(Long::parseLong).toArray();
    }

    protected static int elements(long... dims) {
        return (int) LongStream.of(dims).reduce(1, (a, b) -> a * b);
    }

    /** The given fields without some, and another one. */
    protected final List<String> with(FieldCase of, String other) {
        List<String> fields = without(of, replaced(other));
        fields.add(other);
        return fields;
    }

    /** The given fields without some. */
    protected final List<String> without(FieldCase of, Set<String> names) {
        List<String> fields = new ArrayList<>(of.given());
        fields.removeIf(field -> names.contains(name(field)));
        return fields;
    }

    @Test
    void everyGivenFieldHasAnotherValue() {
        for (FieldCase each : cases) {
            Set<String> tried = new TreeSet<>();
            each.others().forEach(other -> tried.addAll(replaced(other)));
            assertThat(tried)
                    .as(each.toString())
                    .containsAll(each.given().stream().map(this::name).toList());
        }
    }

    @Test
    void everyFieldChangesTheResultOrIsRefused() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (FieldCase each : cases) {
            String before = outcome(each, each.given());
            if (before.startsWith(REFUSED)) {
                wrong.add(each + ": " + before);
            }
            for (String other : each.others()) {
                String after = outcome(each, with(each, other));
                boolean isTold = after.startsWith(REFUSED) ? isAbout(after, each, other) : !after.equals(before);
                if (isWithoutEffect(each, name(other)) ? !after.equals(before) : !isTold) {
                    wrong.add(each.type() + " " + each.given() + " with " + other + ": " + after);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static List<Double> numbers(String text) {
        return NUMBER.matcher(text)
                .results()
                .map(match -> Double.valueOf(match.group()))
                .toList();
    }

    private static boolean isClose(String actual, String expected) {
        List<Double> found = numbers(actual);
        List<Double> wanted = numbers(expected);
        return NUMBER.matcher(actual)
                        .replaceAll("n")
                        .equals(NUMBER.matcher(expected).replaceAll("n"))
                && IntStream.range(0, wanted.size())
                        .allMatch(i -> Math.abs(found.get(i) - wanted.get(i))
                                <= TOLERANCE * Math.max(1, Math.abs(wanted.get(i))));
    }

    /** Every node runs on the device that has a kernel for it, whatever would be faster. */
    @Test
    @RequiresOpenCl
    void aDeviceGivesTheSame() throws IOException {
        List<String> onCpu = new ArrayList<>();
        for (FieldCase each : cases) {
            onCpu.add(outcome(each, each.given()));
        }
        engine.close();
        engine = Engine.open(EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withByCost(false));
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < onCpu.size(); i++) {
            String found = outcome(cases.get(i), cases.get(i).given());
            if (!isClose(found, onCpu.get(i))) {
                wrong.add(cases.get(i) + ": " + found + " instead of " + onCpu.get(i));
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void fieldsThatNoLayerHasAreRefused() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (FieldCase each : everyType().toList()) {
            String after = outcome(each, with(each, foreign()));
            if (!after.startsWith(REFUSED) || !isAbout(after, each, foreign())) {
                wrong.add(each.type() + ": " + after);
            }
        }
        assertThat(wrong).isEmpty();
    }
}
