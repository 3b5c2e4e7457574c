package org.clinfer.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.clinfer.cli.io.TypeText;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.describe.RealType;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Spelling;

/** A network of one operator: the {@code --op}, {@code --input} and {@code --param} arguments of {@code check}. */
final class OperatorArguments {

    private final OpDescription op;
    private final Map<String, List<TensorType>> tensors = new LinkedHashMap<>();
    private final Map<String, Attribute> params = new LinkedHashMap<>();

    private OperatorArguments(OpDescription op) {
        this.op = op;
    }

    /**
     * The network; its inputs have the names of the operator's tensors.
     *
     * @param inputs {@code x=1x64x28x28:float16}; without a type one that the operator takes: the first tensor's where it
     *     can, else float32
     * @param params {@code strides=2,2}
     * @param outputs how many outputs it has where that is open
     * @throws UsageException if the operator, a tensor or a parameter is not there, missing, or cannot be read
     */
    static Graph graph(OpCatalog catalog, String name, List<String> inputs, List<String> params, int outputs) {
        OpDescription op = catalog.meant(name)
                .or(() -> catalog.operators().stream()
                        .filter(known -> known.optype().equalsIgnoreCase(name))
                        .findFirst())
                .orElseThrow(() -> OperatorFolders.unknown(name, catalog));
        OperatorArguments arguments = new OperatorArguments(op);
        inputs.forEach(arguments::input);
        params.forEach(arguments::param);
        return arguments.build(outputs);
    }

    private void input(String argument) {
        String name = nameOf("--input", argument, "x=1x3x224x224:float16");
        InputDescription input = op.input(name)
                .orElseThrow(() -> new UsageException(op.optype() + " has no tensor '" + name + "'; it has "
                        + names(op.inputs(), InputDescription::name)
                        + Spelling.question(
                                name,
                                op.inputs().stream().map(InputDescription::name).toList())));
        List<TensorType> given = tensors.computeIfAbsent(name, key -> new ArrayList<>());
        if (!given.isEmpty() && !input.variadic()) {
            throw new UsageException("--input " + argument + ": " + name + " is given twice");
        }
        try {
            given.add(TypeText.parseOpen(argument.substring(name.length() + 1), otherwise(input)));
        } catch (IllegalArgumentException wrong) {
            throw new UsageException("--input " + argument + ": " + wrong.getMessage());
        }
    }

    /** The type of a tensor for which none is written. */
    private DType otherwise(InputDescription input) {
        List<DType> wanted = new ArrayList<>();
        tensors.values().stream().flatMap(List::stream).findFirst().ifPresent(first -> wanted.add(first.dtype()));
        wanted.add(DType.FLOAT32);
        wanted.addAll(input.dtypes());
        return wanted.stream()
                .filter(type -> input.dtypes().isEmpty() || input.dtypes().contains(type))
                .findFirst()
                .orElse(DType.FLOAT32);
    }

    private void param(String argument) {
        String name = nameOf("--param", argument, "strides=2,2");
        ParamDescription param = op.param(name)
                .orElseThrow(() -> new UsageException(op.optype() + " has no parameter '" + name + "'; it has "
                        + names(op.params(), ParamDescription::name)
                        + Spelling.question(
                                name,
                                op.params().stream().map(ParamDescription::name).toList())));
        String text = argument.substring(name.length() + 1);
        Attribute value = attribute(param, text)
                .orElseThrow(
                        () -> new UsageException("--param " + argument + ": expected " + param.expected() + ", such as "
                                + (param.type().isArray() ? "2,2" : param.type().isText() ? "SAME" : "1")));
        if (params.put(name, value) != null) {
            throw new UsageException("--param " + argument + ": " + name + " is given twice");
        }
    }

    private static String nameOf(String option, String argument, String example) {
        int equals = argument.indexOf('=');
        if (equals < 1) {
            throw new UsageException(option + " " + argument + ": expected NAME=VALUE, such as " + example);
        }
        return argument.substring(0, equals);
    }

    private static <T> String names(List<T> items, Function<T, String> name) {
        return items.isEmpty() ? "none" : items.stream().map(name).collect(Collectors.joining(", "));
    }

    private static Optional<Attribute> attribute(ParamDescription param, String text) {
        if (!param.type().isArray()) {
            return single(param, text.strip());
        }
        String list = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        List<Attribute> values = new ArrayList<>();
        for (String item : list.isBlank() ? new String[0] : list.split(",", -1)) {
            Optional<Attribute> value = single(param, item.strip());
            if (value.isEmpty()) {
                return Optional.empty();
            }
            values.add(value.get());
        }
        return Optional.of(new Attribute.ListValue(values));
    }

    private static Optional<Attribute> single(ParamDescription param, String text) {
        if (param.type().isText() || param.fromFunc().isPresent()) {
            return Optional.of(Attribute.of(text));
        }
        if (!param.type().isNumber()) {
            return text.equals("true") || text.equals("false")
                    ? Optional.of(Attribute.of(text.equals("true")))
                    : Optional.empty();
        }
        try {
            return Optional.of(
                    param.realType().filter(RealType.INT::equals).isPresent()
                            ? Attribute.of(Long.parseLong(text))
                            : Attribute.of(Double.parseDouble(text)));
        } catch (NumberFormatException wrong) {
            return Optional.empty();
        }
    }

    private List<String> outputs(int count) {
        List<String> outputs = new ArrayList<>();
        for (OutputDescription output : op.outputs()) {
            if (output.variadic()) {
                IntStream.range(0, count).forEach(i -> outputs.add(output.name() + i));
            } else if (!output.optional()) {
                outputs.add(output.name());
            }
        }
        return outputs;
    }

    private Graph build(int count) {
        GraphBuilder builder = new GraphBuilder(op.optype(), new SourceRef("--op " + op.optype(), ""));
        List<String> names = new ArrayList<>();
        for (InputDescription input : op.inputs()) {
            List<TensorType> given = tensors.getOrDefault(input.name(), List.of());
            if (given.isEmpty() && !input.optional()) {
                throw new UsageException(op.optype() + " needs --input " + input.name() + "=SHAPE[:TYPE]");
            }
            for (int i = 0; i < given.size(); i++) {
                String name = input.variadic() ? input.name() + i : input.name();
                builder.input(name, given.get(i));
                names.add(name);
            }
            if (given.isEmpty()) {
                names.add("");
            }
        }
        while (!names.isEmpty() && names.get(names.size() - 1).isEmpty()) {
            names.remove(names.size() - 1);
        }
        List<String> outputs = outputs(count);
        outputs.forEach(builder::output);
        return builder.node(op.optype(), names, outputs, params).build();
    }
}
