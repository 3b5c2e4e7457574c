package org.clinfer.generate;

import java.util.List;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.describe.ParamDescription;

/** An operator as its Java methods show it. */
record OpModel(OpDescription op) {

    /** The factory method. */
    String method() {
        return JavaNames.member(op.optype());
    }

    /** The class of its builder. */
    String type() {
        return JavaNames.type(op.optype()) + "Op";
    }

    /**
     * Whether models have it: neither a graph's own input, output or constant, which {@code Ops} has methods for, nor an
     * operator of planning.
     */
    boolean isOfModels() {
        return !op.isOfLayout()
                && op.checks().stream()
                        .noneMatch(check -> check.condition().source().equals("false"));
    }

    /** Whether its method gives the output at once. */
    boolean isDirect() {
        return op.params().isEmpty()
                && optionalInputs().isEmpty()
                && op.outputs().size() == 1
                && op.outputs().stream().noneMatch(output -> output.variadic() || output.optional());
    }

    List<InputDescription> neededInputs() {
        return op.inputs().stream().filter(input -> !input.optional()).toList();
    }

    List<InputDescription> optionalInputs() {
        return op.inputs().stream().filter(InputDescription::optional).toList();
    }

    /** The parameters without a default. */
    List<ParamDescription> neededParams() {
        return op.params().stream().filter(param -> param.byDefault().isEmpty()).toList();
    }

    List<ParamDescription> settings() {
        return op.params().stream()
                .filter(param -> param.byDefault().isPresent())
                .toList();
    }

    /** Whether one of the needed parameters can come from an input. */
    boolean hasSuppliedParams() {
        return neededParams().stream().anyMatch(param -> !param.fromInput().isEmpty());
    }

    int position(String input) {
        List<String> names = op.inputs().stream().map(InputDescription::name).toList();
        return names.indexOf(input);
    }

    /** How many outputs there are whether they are used or not. */
    long neededOutputs() {
        return op.outputs().stream()
                .filter(output -> !output.optional() && !output.variadic())
                .count();
    }

    /** The parameter that an input feeds, or empty. */
    String fedBy(InputDescription input) {
        return op.params().stream()
                .filter(param -> param.fromInput().equals(input.name()))
                .map(ParamDescription::name)
                .findFirst()
                .orElse("");
    }

    List<OutputDescription> outputs() {
        return op.outputs();
    }
}
