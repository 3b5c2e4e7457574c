package org.clinfer.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.clinfer.describe.OpDescription;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

/** Operators without windows, and whether all operators have what they are held against. */
class OperatorConformanceTest extends OperatorConformance {

    private static final int CASES_NEEDED = 15;
    private static final int CASES_NEEDED_WITH_WINDOWS = 40;

    /** Operators that describe the inputs, constants and outputs of a graph and never run. */
    private static final Set<String> OF_THE_GRAPH = Set.of("Input", "Const", "Output");

    @Override
    boolean isAbout(String op) {
        return !WITH_WINDOWS.contains(op);
    }

    @Test
    void everyOperatorHasAReferenceAndItsCases() {
        Set<String> missing = new TreeSet<>();
        for (OpDescription op : CATALOG.operators()) {
            String name = op.optype();
            if (OF_THE_GRAPH.contains(name)) {
                continue;
            }
            int cases = CASES.getOrDefault(name, List.of()).size();
            int needed = WITH_WINDOWS.contains(name) ? CASES_NEEDED_WITH_WINDOWS : CASES_NEEDED;
            if (!REFERENCES.containsKey(name)) {
                missing.add(name + " has no reference");
            }
            if (cases < needed) {
                missing.add(name + " has " + cases + " cases of " + needed);
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyTypeOfEveryOperatorIsRun() {
        Set<String> missing = new TreeSet<>();
        for (OpDescription op : CATALOG.operators()) {
            if (op.inputs().isEmpty() || op.inputs().get(0).value() || !CASES.containsKey(op.optype())) {
                continue;
            }
            Set<DType> types = EnumSet.copyOf(CaseRun.allowed(op, 0));
            types.remove(DType.U1);
            for (OperatorCase operatorCase : Objects.requireNonNull(CASES.get(op.optype()))) {
                CaseRun.of(operatorCase, op).forEach(run -> types.remove(run.type()));
            }
            types.forEach(type -> missing.add(op.optype() + " " + type));
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyCaseAndReferenceIsOfAnOperator() {
        Set<String> unknown = new TreeSet<>(CASES.keySet());
        unknown.addAll(REFERENCES.keySet());
        CATALOG.operators().forEach(op -> unknown.remove(op.optype()));
        assertThat(unknown).isEmpty();
    }
}
