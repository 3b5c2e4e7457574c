package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.Assertions;
import org.assertj.core.data.Offset;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.importer.onnx.proto.FunctionProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls of functions that a model defines itself. */
class LocalFunctionsTest {

    private static final String DOMAIN = "my.functions";

    @TempDir
    private Path folder;

    private static FunctionProto.Builder function(
            String name, String inputs, String outputs, NodeProto.Builder... body) {
        FunctionProto.Builder function = FunctionProto.newBuilder()
                .setDomain(DOMAIN)
                .setName(name)
                .addAllInput(List.of(inputs.split(",", -1)))
                .addAllOutput(List.of(outputs.split(",", -1)))
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(11));
        Arrays.stream(body).forEach(function::addNode);
        return function;
    }

    private static NodeProto.Builder node(String domain, String op, String inputs, String outputs) {
        return NodeProto.newBuilder()
                .setDomain(domain)
                .setOpType(op)
                .addAllInput(List.of(inputs.split(",", -1)))
                .addAllOutput(List.of(outputs.split(",", -1)));
    }

    private static AttributeProto.Builder reference(String name, AttributeType type, String to) {
        return TestModel.attribute(name, type).setRefAttrName(to);
    }

    private static TestModel model(FunctionProto.Builder... functions) {
        TestModel model = TestModel.opset(18).input("x", 2, 3);
        model.model()
                .addOpsetImport(
                        OperatorSetIdProto.newBuilder().setDomain(DOMAIN).setVersion(1));
        Arrays.stream(functions).forEach(model.model()::addFunctions);
        return model;
    }

    private static void call(TestModel model, String function, String inputs, String outputs, AttributeProto... given) {
        model.graph().addNode(node(DOMAIN, function, inputs, outputs).addAllAttribute(List.of(given)));
    }

    private Map<String, double[]> run(TestModel test, Tensor x) {
        return run(test, Map.of("x", x));
    }

    private Map<String, double[]> run(TestModel test, Map<String, Tensor> inputs) {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(test.write(folder));
                Session session = model.session();
                Result result = session.run(inputs)) {
            Map<String, double[]> values = new HashMap<>();
            result.outputs().forEach((name, tensor) -> {
                double[] elements = new double[(int) tensor.elements()];
                Arrays.setAll(elements, tensor::getDouble);
                values.put(name, elements);
            });
            return values;
        }
    }

    /** Elu with its slope, and the sum of its rows as operator set 11 has it. */
    private static FunctionProto.Builder rows() {
        return function(
                        "Rows",
                        "a",
                        "sum,curve",
                        node("", "Elu", "a", "curve").addAttribute(reference("alpha", AttributeType.FLOAT, "slope")),
                        node("", "ReduceSum", "curve", "sum")
                                .addAttribute(TestModel.ints("axes", 1))
                                .addAttribute(reference("keepdims", AttributeType.INT, "keep")))
                .addAttributeProto(TestModel.real("slope", 2));
    }

    @Test
    void everyCallHasItsOwnValuesAndAttributes() {
        TestModel model = model(rows());
        call(model, "Rows", "x", "first,");
        call(model, "Rows", "x", "second,curve", TestModel.real("slope", 0.5f), TestModel.integer("keep", 0));
        model.output("first", "second", "curve");
        Tensor x = Tensor.of(new float[] {1, -1, 2, -2, 3, 0}, 2, 3);
        Map<String, double[]> y = run(model, x);
        double below = Math.exp(-1) - 1;
        double further = Math.exp(-2) - 1;
        assertThat(y.get("first")).containsExactly(new double[] {3 + 2 * below, 3 + 2 * further}, within());
        assertThat(y.get("second")).containsExactly(new double[] {3 + below / 2, 3 + further / 2}, within());
        assertThat(y.get("curve")).containsExactly(new double[] {1, below / 2, 2, further / 2, 3, 0}, within());

        Graph graph = model.read(folder);
        assertThat(graph.nodes().stream().map(Node::name)).contains("Rows_0/Elu", "Rows_1/Elu");
        assertThat(graph.nodes().get(0).source().toString()).contains("node 0 'Rows_0/Elu' (Elu)");
    }

    private static Offset<Double> within() {
        return Assertions.within(1e-6);
    }

    @Test
    void functionsCallFunctionsAndHandInputsThrough() {
        FunctionProto.Builder outer = function(
                "Outer",
                "a,missing",
                "a,twice,again",
                node(DOMAIN, "Inner", "a", "twice"),
                node("", "Neg", "twice", "again"));
        FunctionProto.Builder inner = function("Inner", "a", "b", node("", "Add", "a,a", "b"));
        TestModel model = model(outer, inner);
        call(model, "Outer", "x", "same,double,negative");
        model.output("same", "double", "negative");
        Map<String, double[]> y = run(model, Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3));
        assertThat(y.get("same")).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(y.get("double")).containsExactly(2, 4, 6, 8, 10, 12);
        assertThat(y.get("negative")).containsExactly(-2, -4, -6, -8, -10, -12);
    }

    private void assertRefused(TestModel model, Class<? extends Exception> type, String message) {
        assertThatThrownBy(() -> model.read(folder)).isExactlyInstanceOf(type).hasMessageContaining(message);
    }

    @Test
    void functionsThatCallThemselvesAreRefused() {
        TestModel model = model(function("Ring", "a", "b", node(DOMAIN, "Ring", "a", "b")));
        call(model, "Ring", "x", "y");
        assertRefused(model.output("y"), GraphException.class, "more than 32 deep");
    }

    /** Thirty functions, each of which calls the next one twice: a thousand million nodes. */
    @Test
    @Timeout(30)
    void callsThatMultiplyAreRefused() {
        TestModel model = model();
        for (int i = 0; i < 30; i++) {
            String next = "F" + (i + 1);
            model.model()
                    .addFunctions(
                            function("F" + i, "a", "b", node(DOMAIN, next, "a", "c"), node(DOMAIN, next, "c", "b")));
        }
        model.model().addFunctions(function("F30", "a", "b", node("", "Neg", "a", "b")));
        call(model, "F0", "x", "y");
        assertRefused(model.output("y"), GraphException.class, "more than 50000 nodes");
    }

    @Test
    void callsThatDoNotFitAreRefused() {
        TestModel twice = model(rows(), rows());
        assertRefused(twice, GraphException.class, "it is defined twice");
        TestModel many = model(rows());
        call(many, "Rows", "x,x", "y");
        assertRefused(many.output("y"), GraphException.class, "more inputs or outputs than the function");
    }

    private static AttributeProto.Builder branch(String name, TestModel body) {
        return TestModel.graph(name, body).toBuilder();
    }

    /** Its condition is an input; both branches read values around them, and one an attribute of the function. */
    private static FunctionProto.Builder chosen() {
        TestModel yes = TestModel.opset(18).node("Add", "x,t", "y").output("y");
        TestModel no = TestModel.opset(18);
        no.graph()
                .addNode(node("", "LeakyRelu", "t", "x").addAttribute(reference("alpha", AttributeType.FLOAT, "slope")))
                .addNode(node("", "Sub", "x,t", "z"));
        return function(
                        "Chosen",
                        "x,c",
                        "y",
                        node("", "Neg", "x", "t"),
                        node("", "If", "c", "y")
                                .addAttribute(branch("then_branch", yes))
                                .addAttribute(branch("else_branch", no.output("z"))))
                .addAttributeProto(TestModel.real("slope", 2));
    }

    @Test
    void branchesAreInFunctions() {
        TestModel model = model(chosen());
        // the names that the branches have inside, with other meanings outside
        model.node("Mul", "x,x", "t").typed("c", TestModel.BOOL);
        model.node("Not", "c", "d");
        call(model, "Chosen", "t,c", "first");
        call(model, "Chosen", "t,d", "second", TestModel.real("slope", 3));
        model.output("first", "second");
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
        for (boolean condition : new boolean[] {true, false}) {
            Tensor c = Tensor.allocate(DType.BOOL);
            c.setLong(0, condition ? 1 : 0);
            Map<String, double[]> y = run(model, Map.of("x", x, "c", c));
            for (int i = 0; i < 6; i++) {
                double squared = (i + 1.0) * (i + 1);
                assertThat(Objects.requireNonNull(y.get("first"))[i]).isEqualTo(condition ? 0 : -squared);
                assertThat(Objects.requireNonNull(y.get("second"))[i]).isEqualTo(condition ? -2 * squared : 0);
            }
        }
    }

    /** A loop whose body calls a function, which calls one that has branches; a run knows its number of iterations. */
    @Test
    void bodiesCallFunctions() {
        FunctionProto.Builder doubled = function(
                "Doubled",
                "x,c",
                "y",
                node(DOMAIN, "Chosen", "x,c", "z").addAttribute(TestModel.real("slope", 3)),
                node("", "Neg", "z", "y"));
        TestModel body = TestModel.opset(18).typed("i", TestModel.INT64).typed("go", TestModel.BOOL);
        body.input("v", 2, 3);
        body.node("Identity", "go", "on");
        body.graph().addNode(node(DOMAIN, "Doubled", "v,no", "w"));
        TestModel model = model(chosen(), doubled);
        model.model().setOpsetImport(0, OperatorSetIdProto.newBuilder().setVersion(11));
        model.typed("n", TestModel.INT64).typed("no", TestModel.BOOL);
        model.node("Loop", "n,,x", "y", TestModel.graph("body", body.output("on", "w")));
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
        Tensor no = Tensor.allocate(DType.BOOL);
        Map<String, double[]> y = run(model.output("y"), Map.of("x", x, "n", Tensor.scalar(3L), "no", no));
        assertThat(y.get("y")).containsExactly(8, 16, 24, 32, 40, 48);
        model.model().setOpsetImport(0, OperatorSetIdProto.newBuilder().setVersion(18));
        assertRefused(model, UnsupportedException.class, "branch or body of other operator sets");
    }

    @Test
    void branchesThatAreNoGraphsAreRefused() {
        NodeProto.Builder branch = node("", "If", "a", "b")
                .addAttribute(
                        TestModel.attribute("then_branch", AttributeType.GRAPH).setG(ByteString.copyFromUtf8("(")));
        TestModel nested = model(function("Branch", "a", "b", branch));
        call(nested, "Branch", "x", "y");
        assertRefused(nested.output("y"), GraphException.class, "attribute 'then_branch' is no graph");
    }

    /** A function in whose body branches lie within branches, so deep. */
    @Test
    void branchesTooDeepAreRefused() {
        TestModel inner = TestModel.opset(18).node("Neg", "a", "b").output("b");
        for (int i = 0; i < 40; i++) {
            TestModel outer = TestModel.opset(18);
            outer.graph()
                    .addNode(node("", "If", "c", "b")
                            .addAttribute(branch("then_branch", inner))
                            .addAttribute(branch(
                                    "else_branch",
                                    TestModel.opset(18).node("Neg", "a", "b").output("b"))));
            inner = outer.output("b");
        }
        NodeProto.Builder first = node("", "If", "c", "b").addAttribute(branch("then_branch", inner));
        TestModel model = model(function("Deep", "a,c", "b", first)).typed("c", TestModel.BOOL);
        call(model, "Deep", "x,c", "y");
        assertRefused(model.output("y"), GraphException.class, "more than 32 deep");
    }
}
