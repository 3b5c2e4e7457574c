package org.clinfer.generate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.tensor.DType;

/**
 * The Java types of parameters with a list of spellings: the data types where these are spelt; an enum of its own for a
 * parameter that several operators have with equal spellings; else an enum inside the builder of the operator.
 */
final class EnumTypes {

    private final Map<String, List<String>> shared = new TreeMap<>();

    EnumTypes(List<OpDescription> operators) {
        Map<String, List<List<String>>> uses = new HashMap<>();
        operators.forEach(op -> op.params().stream()
                .filter(param -> !param.oneOf().isEmpty() && !isDType(param))
                .forEach(param -> uses.computeIfAbsent(param.name(), name -> new ArrayList<>())
                        .add(param.oneOf())));
        uses.forEach((name, spellings) -> {
            if (spellings.size() > 1 && spellings.stream().distinct().count() == 1) {
                shared.put(JavaNames.type(name), spellings.get(0));
            }
        });
    }

    static boolean isDType(ParamDescription param) {
        return !param.oneOf().isEmpty() && param.oneOf().stream().map(DType::of).allMatch(Optional::isPresent);
    }

    /** The enums in files of their own, with their spellings. */
    Map<String, List<String>> shared() {
        return shared;
    }

    /** The enums inside the builder of an operator, with their spellings. */
    Map<String, List<String>> own(OpDescription op) {
        Map<String, List<String>> own = new LinkedHashMap<>();
        op.params().stream()
                .filter(param -> !param.oneOf().isEmpty() && !isDType(param))
                .filter(param -> !shared.containsKey(JavaNames.type(param.name())))
                .forEach(param -> own.put(JavaNames.type(param.name()), param.oneOf()));
        return own;
    }

    /** The type of a parameter as the builder class itself names it. */
    String name(ParamDescription param) {
        return isDType(param) ? "DType" : JavaNames.type(param.name());
    }

    /** The type of a parameter as other classes name it. */
    String nameOutside(OpModel model, ParamDescription param) {
        boolean own = own(model.op()).containsKey(JavaNames.type(param.name()));
        return own ? model.type() + "." + name(param) : name(param);
    }
}
