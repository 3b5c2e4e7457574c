package org.clinfer.importer.json;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;

/**
 * The names of an operator's inputs or outputs: a file names arguments, a node numbers them.
 *
 * @param kind {@code input} or {@code output}
 * @param variadic whether the last name stands for all arguments from there on
 */
record ArgumentNames(String kind, List<String> names, boolean variadic) {

    static ArgumentNames inputs(OpDescription op) {
        List<InputDescription> inputs = op.inputs();
        boolean variadic = !inputs.isEmpty() && inputs.get(inputs.size() - 1).variadic();
        return new ArgumentNames(
                "input", inputs.stream().map(InputDescription::name).toList(), variadic);
    }

    static ArgumentNames outputs(OpDescription op) {
        List<OutputDescription> outputs = op.outputs();
        boolean variadic = !outputs.isEmpty() && outputs.get(outputs.size() - 1).variadic();
        return new ArgumentNames(
                "output", outputs.stream().map(OutputDescription::name).toList(), variadic);
    }

    private int fixed() {
        return variadic ? names.size() - 1 : names.size();
    }

    /** The values in the order of the description, {@code ""} where an argument before the last given is left out. */
    List<String> positions(List<OpEntry.Arg> args, SourceRef source) {
        List<String> values = new ArrayList<>();
        List<String> rest = new ArrayList<>();
        Set<Integer> given = new HashSet<>();
        for (OpEntry.Arg arg : args) {
            int at = names.indexOf(arg.arg());
            if (at < 0) {
                throw new GraphException(source, "there is no " + kind + " '" + arg.arg() + "'; there are " + names);
            }
            if (at == fixed()) {
                rest.add(arg.value());
                continue;
            }
            if (!given.add(at)) {
                throw new GraphException(source, kind + " '" + arg.arg() + "' is given twice");
            }
            if (arg.value().isEmpty()) {
                throw new GraphException(source, kind + " '" + arg.arg() + "' has no name");
            }
            fill(values, at + 1);
            values.set(at, arg.value());
        }
        if (!rest.isEmpty()) {
            fill(values, fixed());
            values.addAll(rest);
        }
        return values;
    }

    private static void fill(List<String> values, int size) {
        while (values.size() < size) {
            values.add("");
        }
    }

    /**
     * The inverse of {@link #positions}. A variadic argument keeps its gaps, under an empty name.
     *
     * @throws GraphException if the operator has no argument for a value
     */
    List<OpEntry.Arg> named(List<String> values, SourceRef source) {
        List<OpEntry.Arg> args = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            String value = values.get(i);
            if (i < fixed() && !value.isEmpty()) {
                args.add(new OpEntry.Arg(names.get(i), value));
            } else if (i >= fixed() && variadic) {
                args.add(new OpEntry.Arg(names.get(fixed()), value));
            } else if (!value.isEmpty()) {
                throw new GraphException(
                        source, kind + " " + i + " is '" + value + "', but the operator has " + names.size());
            }
        }
        return args;
    }
}
