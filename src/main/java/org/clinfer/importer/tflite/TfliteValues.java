package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Tensor;
import org.clinfer.text.Printable;

/** The tensors of a network that are known so far, and the other forms that operators wanted them in. */
final class TfliteValues {

    private final TfliteNetwork network;
    private final NamedGraph graph;
    private final Map<Integer, TfliteValue> known = new HashMap<>();
    private final Map<Integer, Optional<Tensor>> constants = new HashMap<>();
    private final Map<String, Value> forms = new HashMap<>();
    private final Set<String> formNames = new HashSet<>();

    /** Those that the operator at hand made, which are there only if it is translated. */
    private final List<String> newForms = new ArrayList<>();

    TfliteValues(TfliteNetwork network, NamedGraph graph) {
        this.network = network;
        this.graph = graph;
    }

    boolean isKnown(int tensor) {
        return known.containsKey(tensor);
    }

    void put(int tensor, TfliteValue value) {
        known.put(tensor, value);
    }

    /** {@return whether the file has the elements of a tensor, or none are needed} */
    boolean isConstant(int tensor) {
        return tensor >= 0 && constant(tensor).isPresent();
    }

    private Optional<Tensor> constant(int number) {
        Optional<Tensor> found = constants.get(number);
        if (found == null) {
            TfliteTensor tensor = network.tensor(number);
            found = tensor.constant().or(() -> empty(tensor));
            constants.put(number, found);
        }
        return found;
    }

    /** A tensor without elements has no bytes. */
    private static Optional<Tensor> empty(TfliteTensor tensor) {
        var shape = tensor.type().shape();
        return shape.isKnown() && shape.elements() == 0
                ? Optional.of(Tensor.allocate(tensor.type()))
                : Optional.empty();
    }

    /** The value of a tensor: what an operator gave, or a constant, which is made when it is first wanted. */
    TfliteValue get(int tensor, TfliteCall reader) {
        TfliteValue value = known.get(tensor);
        if (value == null) {
            TfliteTensor missing = network.tensor(tensor);
            Tensor elements = constant(tensor)
                    .orElseThrow(() -> reader.unsupportedUse("the variable '"
                            + Printable.shortened(missing.name())
                            + "', which keeps its elements from one run to the next"));
            value = new TfliteValue(reader.shared(missing.name(), () -> elements), false);
            known.put(tensor, value);
        }
        return value;
    }

    /** {@return whether a tensor is known already as this value} */
    boolean is(int tensor, Value value) {
        TfliteValue found = known.get(tensor);
        return found != null && found.held().name().equals(value.name());
    }

    /** The elements of a value that is a constant. */
    Optional<Tensor> elements(Value value) {
        return Optional.ofNullable(graph.constants().get(value.name()));
    }

    /** Another form of a value, which only the first that wants it makes. */
    Value form(Value value, String form, Supplier<Value> made) {
        String key = value.name() + "\n" + form;
        Value found = forms.get(key);
        if (found == null) {
            found = made.get();
            forms.put(key, found);
            newForms.add(key);
            formNames.add(found.name());
        }
        return found;
    }

    /** Keeps the forms that an operator made. */
    void keepForms() {
        newForms.clear();
    }

    /** Drops the forms that an operator made which is not translated. */
    void dropForms() {
        newForms.forEach(forms::remove);
        newForms.clear();
    }

    /** Notes that a value has another name now. */
    void renamed(Value before, Value after) {
        if (formNames.contains(before.name())) {
            formNames.add(after.name());
            forms.replaceAll((key, form) -> form.name().equals(before.name()) ? after : form);
        }
    }
}
