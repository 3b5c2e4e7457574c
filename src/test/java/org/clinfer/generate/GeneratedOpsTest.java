package org.clinfer.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.ParamDescription;
import org.clinfer.describe.RealType;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Node;
import org.clinfer.ops.Edge;
import org.clinfer.ops.OpBuilder;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every generated method puts into the node what the operator's description calls so, and nothing else. */
class GeneratedOpsTest {

    static Stream<OpModel> operators() {
        return OpCatalog.builtIn().operators().stream().map(OpModel::new).filter(OpModel::isOfModels);
    }

    private static List<Method> factories(OpModel model) {
        return Arrays.stream(Ops.class.getMethods())
                .filter(method -> method.getName().equals(model.method()))
                .toList();
    }

    private static List<Method> setters(OpModel model) throws ClassNotFoundException {
        Class<?> builder = Class.forName(Ops.class.getPackageName() + "." + model.type());
        return Arrays.stream(builder.getDeclaredMethods())
                .filter(method -> method.getReturnType().equals(builder) && method.getParameterCount() == 1)
                .toList();
    }

    /** Calls the factory with arguments made up from their types, then the setters, and gives the node. */
    private static Node node(OpModel model, Method factory, List<Method> setters) throws ReflectiveOperationException {
        Ops ops = Ops.graph(model.method());
        Object made = call(ops, ops, factory);
        for (Method setter : setters) {
            made = call(ops, made, setter);
        }
        if (made instanceof OpBuilder<?>) {
            String output = JavaNames.member(model.outputs().get(0).name());
            boolean variadic = model.outputs().get(0).variadic();
            Class<?>[] types = variadic ? new Class<?>[] {int.class} : new Class<?>[0];
            Object[] arguments = variadic ? new Object[] {2} : new Object[0];
            made = made.getClass().getMethod(output, types).invoke(made, arguments);
        }
        Edge edge = (Edge) Objects.requireNonNull(made instanceof List<?> list ? list.get(0) : made);
        ops.output("the output", edge);
        List<Node> nodes = ops.build().nodes();
        Node last = nodes.get(nodes.size() - 1);
        assertThat(last.outputs()).contains("the output");
        assertThat(nodes.subList(0, nodes.size() - 1))
                .hasSameSizeAs(filled(last))
                .allMatch(node -> node.op().equals(UNTYPED));
        return last;
    }

    private static Object call(Ops ops, Object target, Method method) throws ReflectiveOperationException {
        Object[] arguments = Arrays.stream(method.getGenericParameterTypes())
                .map(type -> sample(ops, type))
                .toArray();
        return Objects.requireNonNull(method.invoke(target, arguments));
    }

    /** The operator that makes a value of which not even the type is known, so that every other one takes it. */
    private static final String UNTYPED = "ConstantOfShape";

    private static final TensorType VECTOR = new TensorType(DType.INT64, new Shape(List.of(Dim.named("rank"))));

    private static int inputs;

    private static Edge input(Ops ops) {
        return ops.op(UNTYPED, ops.input("in" + inputs++, VECTOR)).y();
    }

    private static Object sample(Ops ops, Type type) {
        if (type instanceof ParameterizedType) {
            return List.of(input(ops), input(ops));
        }
        Class<?> plain = (Class<?>) type;
        if (plain == Edge.class) {
            return input(ops);
        }
        if (plain == Edge[].class) {
            return new Edge[] {input(ops), input(ops)};
        }
        if (plain == DType.class) {
            return DType.FLOAT32; // which every parameter that names a type takes
        }
        if (plain.isEnum()) {
            return plain.getEnumConstants()[0];
        }
        if (plain == long.class || plain == double.class) {
            return plain == long.class ? (Object) 3L : (Object) 0.5;
        }
        if (plain == boolean.class) {
            return true;
        }
        if (plain == long[].class) {
            return new long[] {1, 2};
        }
        if (plain == String[].class) {
            return new String[] {"text", "another"};
        }
        return plain == double[].class ? new double[] {0.5, 1.5} : "text";
    }

    @ParameterizedTest
    @MethodSource("operators")
    void whatIsNotGivenIsLeftToTheDescription(OpModel model) throws ReflectiveOperationException {
        assertThat(factories(model)).as(model.method()).isNotEmpty();
        for (Method factory : factories(model)) {
            Node node = node(model, factory, List.of());

            TreeSet<String> expected = new TreeSet<>();
            TreeSet<Integer> places = new TreeSet<>();
            boolean supplied = Arrays.stream(factory.getParameters())
                    .anyMatch(parameter -> model.optionalInputs().stream()
                            .anyMatch(input -> JavaNames.member(input.name()).equals(parameter.getName())));
            for (ParamDescription param : model.neededParams()) {
                if (supplied && !param.fromInput().isEmpty()) {
                    places.add(model.position(param.fromInput()));
                } else {
                    expected.add(param.name());
                }
            }
            for (InputDescription input : model.neededInputs()) {
                places.add(model.position(input.name()));
                if (input.variadic()) {
                    places.add(model.position(input.name()) + 1);
                }
            }
            assertThat(node.op()).isEqualTo(model.op().optype());
            assertThat(node.params().keySet()).isEqualTo(expected);
            assertThat(filled(node)).isEqualTo(places);
            node.params()
                    .forEach((name, value) -> assertKind(model.op().param(name).orElseThrow(), value));
        }
    }

    private static Collection<Integer> filled(Node node) {
        TreeSet<Integer> filled = new TreeSet<>();
        for (int i = 0; i < node.inputs().size(); i++) {
            if (!node.inputs().get(i).isEmpty()) {
                filled.add(i);
            }
        }
        return filled;
    }

    @ParameterizedTest
    @MethodSource("operators")
    void everyOptionalFieldHasAMethod(OpModel model) throws ReflectiveOperationException {
        if (model.isDirect()) {
            return;
        }
        Method factory = factories(model).get(0);
        Node plain = node(model, factory, List.of());
        List<String> set = new ArrayList<>();
        for (Method setter : setters(model)) {
            Node node = node(model, factory, List.of(setter));

            List<ParamDescription> params = model.settings().stream()
                    .filter(param -> JavaNames.member(param.name()).equals(setter.getName()))
                    .toList();
            set.add(setter.getName());
            if (params.isEmpty()) {
                assertThat(model.optionalInputs())
                        .filteredOn(input -> JavaNames.member(input.name()).equals(setter.getName()))
                        .singleElement()
                        .satisfies(input -> assertThat(filled(node)).contains(model.position(input.name())));
            } else {
                TreeSet<String> names = new TreeSet<>(plain.params().keySet());
                names.add(params.get(0).name());
                assertThat(node.params().keySet()).isEqualTo(names);
                Attribute value =
                        Objects.requireNonNull(node.params().get(params.get(0).name()));
                assertKind(params.get(0), value);
            }
        }
        List<String> fields = new ArrayList<>();
        model.optionalInputs().forEach(input -> fields.add(JavaNames.member(input.name())));
        model.settings().forEach(param -> fields.add(JavaNames.member(param.name())));
        assertThat(set).containsExactlyInAnyOrderElementsOf(fields);
    }

    /** The value is of the kind that the description demands. */
    private static void assertKind(ParamDescription param, Attribute value) {
        Attribute one = value;
        if (param.type().isArray()) {
            assertThat(value).isInstanceOf(Attribute.ListValue.class);
            one = ((Attribute.ListValue) value).values().get(0);
        }
        boolean whole = param.realType().filter(RealType.INT::equals).isPresent();
        Class<?> kind = switch (param.type()) {
            case LN_PARAM_NUMBER, LN_PARAM_ARRAY_NUMBER -> whole ? Attribute.IntValue.class : Attribute.RealValue.class;
            case LN_PARAM_BOOL, LN_PARAM_ARRAY_BOOL -> Attribute.BoolValue.class;
            default -> Attribute.TextValue.class;
        };
        assertThat(one).as(param.name()).isInstanceOf(kind);
        if (!param.oneOf().isEmpty()) {
            assertThat(param.oneOf()).contains(one.toString());
        }
    }

    @ParameterizedTest
    @MethodSource("operators")
    void enumsHaveTheSpellingsOfTheDescription(OpModel model) throws ReflectiveOperationException {
        EnumTypes enums = new EnumTypes(operators().map(OpModel::op).toList());
        for (ParamDescription param : model.op().params()) {
            if (!param.oneOf().isEmpty() && !EnumTypes.isDType(param)) {
                String name = enums.nameOutside(model, param).replace('.', '$');
                Object[] constants =
                        Class.forName(Ops.class.getPackageName() + "." + name).getEnumConstants();
                assertThat(Arrays.stream(constants).map(Object::toString)).isEqualTo(param.oneOf());
            }
        }
    }
}
