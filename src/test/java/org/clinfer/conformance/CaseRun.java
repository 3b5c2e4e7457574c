package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpDescription;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** One case in one type. */
final class CaseRun {

    private final OperatorCase of;
    private final DType type;
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();
    private @Nullable Map<String, Tensor> expected;

    CaseRun(OperatorCase of, DType type) {
        this.of = of;
        this.type = type;
        Random random = new Random(of.toString().hashCode());
        for (int i = 0; i < of.inputs().size(); i++) {
            if (!of.inputs().get(i).isLeftOut()) {
                tensors.put(name(i), of.inputs().get(i).tensor(type, random));
            }
        }
    }

    /** The case in every type that its operator allows for all inputs which name none; once if all name theirs. */
    static List<CaseRun> of(OperatorCase operatorCase, OpDescription op) {
        Set<DType> types = EnumSet.allOf(DType.class);
        types.remove(DType.U1);
        boolean typed = false;
        DType first = DType.FLOAT32;
        for (int i = operatorCase.inputs().size() - 1; i >= 0; i--) {
            CaseInput input = operatorCase.inputs().get(i);
            if (input.isLeftOut()) {
                continue;
            }
            if (input.type().isEmpty()) {
                typed = true;
                types.retainAll(allowed(op, i));
            }
            first = input.type().orElse(first);
        }
        operatorCase.types().ifPresent(types::retainAll);
        List<CaseRun> runs = new ArrayList<>();
        for (DType type : typed ? types : Set.of(first)) {
            runs.add(new CaseRun(operatorCase, type));
        }
        return runs;
    }

    /** The types that an operator allows for its input at a position. */
    static Set<DType> allowed(OpDescription op, int position) {
        int last = op.inputs().size() - 1;
        InputDescription input = op.inputs().get(Math.min(position, last));
        while (!input.sameType().isEmpty()) {
            input = op.input(input.sameType()).orElseThrow();
        }
        return input.dtypes().isEmpty() ? EnumSet.allOf(DType.class) : EnumSet.copyOf(input.dtypes());
    }

    DType type() {
        return type;
    }

    OperatorCase operatorCase() {
        return of;
    }

    /** The tensor of an input; empty for one that is left out. */
    Optional<Tensor> input(int position) {
        return Optional.ofNullable(tensors.get(name(position)));
    }

    /** Whether the case names its type, and does not run in it only because the operator takes it. */
    boolean namesItsType() {
        return of.namesTypes()
                || of.inputs().stream().anyMatch(input -> input.type().equals(Optional.of(type)));
    }

    /** The operator and the name of the case. */
    String caseName() {
        return of.toString();
    }

    private static String name(int input) {
        return "in" + input;
    }

    /** The graph of this one operator. */
    Graph graph() {
        GraphBuilder builder = new GraphBuilder(of.op(), new SourceRef("case", of.name()));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < of.inputs().size(); i++) {
            Tensor tensor = tensors.get(name(i));
            names.add(tensor == null ? "" : name(i));
            if (tensor != null && of.inputs().get(i).isConstant()) {
                builder.constant(name(i), tensor);
            } else if (tensor != null) {
                builder.input(name(i), tensor.type());
            }
        }
        List<String> outputNames = new ArrayList<>();
        for (int i = 0; i < of.outputs(); i++) {
            outputNames.add("out" + i);
            builder.output("out" + i);
        }
        builder.node(of.op(), names, outputNames, of.params());
        return builder.build();
    }

    /** The inputs of a run. */
    Map<String, Tensor> inputs() {
        Map<String, Tensor> inputs = new LinkedHashMap<>(tensors);
        for (int i = 0; i < of.inputs().size(); i++) {
            if (of.inputs().get(i).isConstant()) {
                inputs.remove(name(i));
            }
        }
        return inputs;
    }

    /** What the definition gives, by output name; computed once. */
    Map<String, Tensor> expected(Reference reference) {
        Map<String, Tensor> known = expected;
        if (known == null) {
            known = compute(reference);
            expected = known;
        }
        return known;
    }

    /** What a definition is given. */
    Call call() {
        List<@Nullable Array> arrays = new ArrayList<>();
        for (int i = 0; i < of.inputs().size(); i++) {
            Tensor tensor = tensors.get(name(i));
            arrays.add(tensor == null ? null : Stored.array(tensor));
        }
        return new Call(type, arrays, of.params(), of.outputs());
    }

    private Map<String, Tensor> compute(Reference reference) {
        List<Array> outputs = reference.compute(call());
        Map<String, Tensor> expected = new LinkedHashMap<>();
        for (int i = 0; i < of.outputs(); i++) {
            expected.put("out" + i, Stored.tensor(Objects.requireNonNull(outputs.get(i)), type));
        }
        return expected;
    }

    @Override
    public String toString() {
        return of + " " + type;
    }
}
