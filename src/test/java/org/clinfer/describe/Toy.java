package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** A small operator for a test, put together from the JSON of its fields, in which backquotes stand for quotes. */
final class Toy {

    private final List<String> inputs = new ArrayList<>();
    private final List<String> params = new ArrayList<>();
    private final List<String> privs = new ArrayList<>();
    private final List<String> outputs = new ArrayList<>();
    private String more = "";

    private static String object(String first, String fields) {
        return "{" + first + (fields.isEmpty() ? "" : ", " + fields) + "}";
    }

    Toy input(String name, String fields) {
        inputs.add(object("`arg_name`: `" + name + "`, `mtype`: `LN_MEM_NONE`", fields));
        return this;
    }

    /** A parameter of the type {@code LN_PARAM_<type>}. */
    Toy param(String name, String type, String fields) {
        params.add(object("`arg_name`: `" + name + "`, `ptype`: `LN_PARAM_" + type + "`", fields));
        return this;
    }

    Toy priv(String type, String name, String value) {
        privs.add("{`type`: `" + type + "`, `name`: `" + name + "`, `value`: `" + value + "`}");
        return this;
    }

    Toy output(String name, String fields) {
        outputs.add(object("`arg_name`: `" + name + "`, `mtype`: `LN_MEM_NONE`", fields));
        return this;
    }

    /** An output of the type and shape of an input. */
    Toy outputLike(String name, String input) {
        return output(name, "`dtype`: `" + input + ".dtype`, `dims`: `" + input + ".dims`");
    }

    /** Other fields of the operator. */
    Toy with(String fields) {
        more = ", " + fields;
        return this;
    }

    /** The description of the operator under this name. */
    String json(String optype) {
        return "{`optype`: `" + optype + "`, `author`: `me`, `arch`: `none`, `tensors_in`: " + inputs + ", `params`: "
                + params + ", `extra_privs`: " + privs + ", `tensors_out`: " + outputs + more + "}";
    }

    /** The operator, called Toy. */
    OpDescription op() {
        return catalog(json("Toy")).find("Toy").orElseThrow();
    }

    /** Kernels, elements or parts of an operator. */
    static String variant(String inherits, String arch, String variant, String fields) {
        return object(
                "`optype`: `" + inherits + "_" + variant + "`, `author`: `me`, `arch`: `" + arch + "`, `inherits`: `"
                        + inherits + "`, `variant`: `" + variant + "`",
                fields);
    }

    /** The catalogue of a file toy.json with these operators and variants. */
    static OpCatalog catalog(String... ops) {
        String json = "{`ops`: [" + String.join(", ", ops) + "]}";
        return OpCatalog.empty().with(Map.of("toy.json", json.replace('`', '"').getBytes(UTF_8)));
    }

    Binding bind(int outputCount, @Nullable ArgValue... values) {
        return bind(Map.of(), outputCount, values);
    }

    Binding bind(Map<String, ExpressionValue> given, int outputCount, @Nullable ArgValue... values) {
        return OpBinder.bind(op(), "n", Arrays.asList(values), given, outputCount);
    }

    /** What is wrong, without operator and node, which every message starts with. */
    static List<String> violations(Binding binding) {
        return withoutSubject(
                binding.violations().stream().map(Violation::message).toList());
    }

    static List<String> withoutSubject(List<String> messages) {
        assertThat(messages).allSatisfy(message -> assertThat(message).startsWith("Toy 'n': "));
        return messages.stream()
                .map(message -> message.substring("Toy 'n': ".length()))
                .toList();
    }

    static List<String> types(Binding binding) {
        return binding.outputs().stream().map(TensorType::toString).toList();
    }

    /** An int64 tensor whose elements are not known; a size that is no number is a name. */
    static ArgValue ints(String... sizes) {
        List<Dim> dims = Stream.of(sizes)
                .map(size -> size.matches("[0-9]+") ? Dim.of(Long.parseLong(size)) : Dim.named(size))
                .toList();
        return ArgValue.of(new TensorType(DType.INT64, new Shape(dims)));
    }

    /** A constant of one axis. */
    static ArgValue constant(long... elements) {
        return ArgValue.of(Tensor.of(elements, elements.length));
    }
}
