package org.clinfer.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.GraphException;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** No parameter of an operator is passed over: in some case another value changes the result, or does not fit. */
class OperatorParamsTest {

    private static final String REFUSED = "refused: ";

    /** Parameters that change no result, each with the reason. */
    private static final Map<String, String> WITHOUT_EFFECT = Map.of(
            "TopK sorted", "elements are sorted either way",
            "BlockedConv zeros", "it says which products are 0 and may be left out");

    private static Stream<Attribute> others(Attribute given, Set<Attribute> texts) {
        if (given instanceof Attribute.BoolValue flag) {
            return Stream.of(Attribute.of(!flag.value()));
        } else if (given instanceof Attribute.IntValue whole) {
            return Stream.of(whole.value() + 1, whole.value() - 1, 0L, 1L, 2L).map(Attribute::of);
        } else if (given instanceof Attribute.RealValue real) {
            return Stream.of(real.value() * 2 + 0.5, real.value() / 2, -real.value())
                    .map(Attribute::of);
        } else if (given instanceof Attribute.ListValue list && !list.values().isEmpty()) {
            return Stream.of(0, 1, 2)
                    .map(which -> list.values().stream()
                            .map(each ->
                                    others(each, texts).skip(which).findFirst().orElse(each))
                            .toList())
                    .map(Attribute.ListValue::new);
        }
        return texts.stream();
    }

    /** All texts of a parameter in the cases of its operator, and those that its description names. */
    private static Set<Attribute> texts(List<OperatorCase> cases, ParamDescription param) {
        Stream<Attribute> tried = cases.stream()
                .flatMap(each -> Stream.ofNullable(each.params().get(param.name())))
                .flatMap(value -> value instanceof Attribute.ListValue list ? list.values().stream() : Stream.of(value))
                .filter(Attribute.TextValue.class::isInstance);
        return Stream.concat(
                        tried,
                        Stream.concat(param.oneOf().stream(), Stream.of("none of these"))
                                .map(Attribute::of))
                .collect(Collectors.toSet());
    }

    private static OperatorCase with(OperatorCase of, String param, Attribute value) {
        Map<String, Attribute> params = new LinkedHashMap<>(of.params());
        params.put(param, value);
        return new OperatorCase(of.op(), of.name(), of.inputs(), params, of.outputs(), of.types());
    }

    /** The results, or the refusal. */
    private static String outcome(Engine engine, OperatorCase of, DType type) {
        CaseRun run = new CaseRun(of, type);
        try (Model model = engine.load(run.graph());
                Session session = model.session();
                Result result = session.run(run.inputs())) {
            return result.outputs().entrySet().stream()
                    .map(y -> y.getKey() + y.getValue() + bytes(y.getValue()))
                    .collect(Collectors.joining());
        } catch (GraphException | InputException | IllegalArgumentException refusal) {
            return REFUSED + refusal.getMessage();
        }
    }

    private static String bytes(Tensor tensor) {
        byte[] bytes = new byte[tensor.bytes().remaining()];
        tensor.bytes().duplicate().get(bytes);
        return Arrays.toString(bytes);
    }

    private static DType type(OperatorCase of, OpDescription op) {
        List<DType> types = CaseRun.of(of, op).stream().map(CaseRun::type).toList();
        return types.contains(DType.FLOAT32) ? DType.FLOAT32 : types.get(0);
    }

    private static boolean counts(
            Engine engine, OpDescription op, ParamDescription described, List<OperatorCase> cases) {
        String param = described.name();
        Set<Attribute> texts = texts(cases, described);
        List<OperatorCase> small = cases.stream()
                .filter(each -> each.params().containsKey(param))
                .sorted(Comparator.comparingLong(OperatorCase::inputElements))
                .toList();
        for (OperatorCase each : small) {
            DType type = type(each, op);
            String before = outcome(engine, each, type);
            if (before.startsWith(REFUSED)) {
                continue;
            }
            Attribute given = Objects.requireNonNull(each.params().get(param));
            boolean told = others(given, texts)
                    .filter(other -> !other.equals(given))
                    .map(other -> outcome(engine, with(each, param, other), type))
                    .anyMatch(after -> !after.equals(before));
            if (told) {
                return true;
            }
        }
        return false;
    }

    @Test
    void everyParameterChangesAResultOrIsRefused() {
        List<String> passedOver = new ArrayList<>();
        Map<String, List<OperatorCase>> cases = OperatorCase.byOperator();
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()))) {
            for (OpDescription op : OpCatalog.builtIn().operators()) {
                List<OperatorCase> own = cases.getOrDefault(op.optype(), List.of());
                for (ParamDescription param : own.isEmpty() ? List.<ParamDescription>of() : op.params()) {
                    String name = op.optype() + " " + param.name();
                    if (counts(engine, op, param, own) == WITHOUT_EFFECT.containsKey(name)) {
                        passedOver.add(name);
                    }
                }
            }
        }
        assertThat(passedOver).isEmpty();
    }
}
