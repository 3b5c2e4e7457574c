package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.text.Printable;

/** One network of a file: its tensors and operators, its inputs and outputs and their names. */
final class TfliteNetwork {

    /** The field of a signature that says which network it is of. */
    static final int SIGNATURE_SUBGRAPH = 4;

    private static final int TENSORS = 0;
    private static final int INPUTS = 1;
    private static final int OUTPUTS = 2;
    private static final int OPERATORS = 3;

    private static final int OLD_CODE = 0;
    private static final int CUSTOM_CODE = 1;
    private static final int CODE = 3;
    private static final int CUSTOM = 32;

    private static final int OPCODE = 0;
    private static final int OPERATOR_INPUTS = 1;
    private static final int OPERATOR_OUTPUTS = 2;
    private static final int OPTIONS_KIND = 3;
    private static final int OPTIONS = 4;
    private static final int CUSTOM_OPTIONS = 5;
    private static final int OPTIONS_2_KIND = 11;
    private static final int OPTIONS_2 = 12;

    /** From this operator on options are in the second union. */
    private static final int FIRST_OF_OPTIONS_2 = 162;

    private static final int SIGNATURE_INPUTS = 0;
    private static final int SIGNATURE_OUTPUTS = 1;

    private final TfliteModel model;
    private final List<TfliteTensor> tensors = new ArrayList<>();
    private final List<TfliteOperator> operators = new ArrayList<>();
    private final List<Integer> inputs;
    private final List<Integer> outputs;
    private final Map<Integer, List<String>> inputNames = new HashMap<>();
    private final Map<Integer, List<String>> outputNames = new HashMap<>();

    /**
     * @param codes the operator codes of the file
     * @param naming what a tensor is called in the graph
     */
    TfliteNetwork(TfliteModel model, FlatTable subgraph, List<FlatTable> codes, UnaryOperator<String> naming) {
        this.model = model;
        readTensors(subgraph.tables(TENSORS), naming);
        this.inputs = numbers(subgraph, INPUTS, source(), false);
        this.outputs = numbers(subgraph, OUTPUTS, source(), false);
        readOperators(subgraph.tables(OPERATORS), codes);
    }

    SourceRef source() {
        return model.source();
    }

    /** The file that it is in. */
    TfliteModel model() {
        return model;
    }

    TfliteTensor tensor(int number) {
        return tensors.get(number);
    }

    /** All tensors, in the order of their numbers. */
    List<TfliteTensor> tensors() {
        return tensors;
    }

    List<TfliteOperator> operators() {
        return operators;
    }

    List<Integer> inputs() {
        return inputs;
    }

    List<Integer> outputs() {
        return outputs;
    }

    /** The name of an input: that of the signature, where there is one. */
    String inputName(int tensor) {
        return names(tensor, inputNames).get(0);
    }

    /** The name of an output: that of the signature, where there is one. */
    String outputName(int tensor) {
        return outputNames(tensor).get(0);
    }

    /** The names of an output, of which a signature may give one tensor several; one at least. */
    List<String> outputNames(int tensor) {
        return names(tensor, outputNames);
    }

    private List<String> names(int tensor, Map<Integer, List<String>> named) {
        return named.getOrDefault(tensor, List.of(tensor(tensor).name()));
    }

    private void readTensors(List<FlatTable> tables, UnaryOperator<String> naming) {
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < tables.size(); i++) {
            String name = TfliteTensor.name(tables.get(i)).orElse("tensor_" + i);
            while (!taken.add(name)) {
                name = name + "_" + i;
            }
            tensors.add(new TfliteTensor(tables.get(i), i, naming.apply(name), model));
        }
    }

    /** Numbers of tensors, of which there are all. */
    private List<Integer> numbers(FlatTable table, int field, SourceRef reader, boolean optional) {
        List<Integer> numbers = Arrays.stream(table.integers(field)).boxed().toList();
        for (int number : numbers) {
            if (number >= tensors.size() || number < (optional ? -1 : 0)) {
                throw new GraphException(reader, "there is no tensor " + number);
            }
        }
        return numbers;
    }

    /** Names inputs and outputs as a signature does. */
    void nameBy(FlatTable signature) {
        signature.tables(SIGNATURE_INPUTS).forEach(each -> name(each, inputNames));
        signature.tables(SIGNATURE_OUTPUTS).forEach(each -> name(each, outputNames));
    }

    private void name(FlatTable entry, Map<Integer, List<String>> names) {
        int tensor = entry.integer(1, 0);
        if (tensor < 0 || tensor >= tensors.size()) {
            throw new GraphException(source(), "its signature names tensor " + Integer.toUnsignedString(tensor));
        }
        entry.text(0)
                .filter(text -> !text.isEmpty())
                .ifPresent(text ->
                        names.computeIfAbsent(tensor, none -> new ArrayList<>()).add(text));
    }

    private void readOperators(List<FlatTable> tables, List<FlatTable> codes) {
        for (int i = 0; i < tables.size(); i++) {
            FlatTable table = tables.get(i);
            int code = table.integer(OPCODE, 0);
            if (code < 0 || code >= codes.size()) {
                throw new GraphException(
                        new SourceRef(source().file(), "operator " + i),
                        "there is no operator code " + Integer.toUnsignedString(code));
            }
            operators.add(operator(table, i, codes.get(code)));
        }
    }

    private TfliteOperator operator(FlatTable table, int position, FlatTable code) {
        int number = Math.max(code.small(OLD_CODE), code.integer(CODE, 0));
        SourceRef unnamed = new SourceRef(source().file(), "operator " + position);
        Optional<TfliteSchema.Builtin> builtin = TfliteSchema.BUILT_IN.operator(number);
        String type = number == CUSTOM
                ? code.text(CUSTOM_CODE)
                        .orElseThrow(() -> new GraphException(unnamed, "it is a custom operator without a name"))
                : builtin.map(TfliteSchema.Builtin::name)
                        .orElseThrow(() -> new GraphException(unnamed, "there is no builtin operator " + number));
        List<Integer> given = numbers(table, OPERATOR_OUTPUTS, unnamed, false);
        String name =
                given.isEmpty() ? type + "_" + position : tensor(given.get(0)).name();
        SourceRef source = new SourceRef(
                source().file(),
                "operator " + position + " '" + Printable.shortened(name) + "' (" + Printable.shortened(type) + ")");
        return new TfliteOperator(
                type,
                name,
                source,
                numbers(table, OPERATOR_INPUTS, source, true),
                given,
                options(table, number, builtin, source),
                table.bytes(CUSTOM_OPTIONS));
    }

    /** The options of an operator, which are of the kind that it has, or left out. */
    private static TfliteOptions options(
            FlatTable table, int number, Optional<TfliteSchema.Builtin> builtin, SourceRef source) {
        boolean isSecond = number >= FIRST_OF_OPTIONS_2;
        int wanted = builtin.map(TfliteSchema.Builtin::options).orElse(0);
        int kind = (int) table.integer(isSecond ? OPTIONS_2_KIND : OPTIONS_KIND, 1, 0) & 0xff;
        List<TfliteSchema.Field> fields =
                builtin.map(TfliteSchema.Builtin::fields).orElse(List.of());
        boolean others = kind != 0 && wanted != 0 && kind != wanted;
        if (others) {
            throw new GraphException(source, "it has options of kind " + kind + " instead of " + wanted);
        }
        return new TfliteOptions(
                kind == 0 ? Optional.empty() : table.table(isSecond ? OPTIONS_2 : OPTIONS), fields, source);
    }
}
