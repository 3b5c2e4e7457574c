package org.clinfer.importer.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models with branches and loops, as people write them. */
class ControlOpsTest {

    private static final String LOOP = """
            {'name': 'doubling', 'ops': [
              IN(x, float32, 'n'), IN(limit, float32, 1),
              {'name': 'loop', 'optype': 'Loop', 'tensors_in': [{'arg_name': 'states', 'name': 'x'}],
               'tensors_out': [{'arg_name': 'y', 'name': 'z'}],
               'bodies': [{'arg_name': 'body', 'ops': [
                 IN(iteration, int64, ), IN(before, bool, ), IN(v, float32, 'n'), IN(limit, float32, 1),
                 {'name': 'double', 'optype': 'Add', 'tensors_in': [{'arg_name': 'a', 'name': 'v'},
                  {'arg_name': 'b', 'name': 'v'}], 'tensors_out': [{'arg_name': 'y', 'name': 'w'}]},
                 {'name': 'least', 'optype': 'ReduceMin', 'tensors_in': [{'arg_name': 'x', 'name': 'w'}],
                  'tensors_out': [{'arg_name': 'y', 'name': 'least'}]},
                 {'name': 'less', 'optype': 'Less', 'tensors_in': [{'arg_name': 'a', 'name': 'least'},
                  {'arg_name': 'b', 'name': 'limit'}], 'tensors_out': [{'arg_name': 'y', 'name': 'go'}]},
                 OUT(go), OUT(w)]}]},
              OUT(z)]}
            """;

    private static final String IF = """
            {'name': 'either', 'ops': [
              IN(x, float32, 'n'), IN(c, bool, ),
              {'name': 'if', 'optype': 'If', 'tensors_in': [{'arg_name': 'condition', 'name': 'c'}],
               'tensors_out': [{'arg_name': 'y', 'name': 'z'}],
               'bodies': [{'arg_name': 'else_branch', 'ops': [IN(x, float32, 'n'), ONE(1),
                 {'name': 'f', 'optype': 'Sub', 'tensors_in': [{'arg_name': 'a', 'name': 'x'},
                  {'arg_name': 'b', 'name': 'one'}], 'tensors_out': [{'arg_name': 'y', 'name': 'less'}]}, OUT(less)]},
                {'arg_name': 'then_branch', 'ops': [IN(x, float32, 'n'), ONE(1),
                 {'name': 'f', 'optype': 'Add', 'tensors_in': [{'arg_name': 'a', 'name': 'x'},
                  {'arg_name': 'b', 'name': 'one'}], 'tensors_out': [{'arg_name': 'y', 'name': 'more'}]}, OUT(more)]}]},
              OUT(z)]}
            """;

    @TempDir
    private Path folder;

    private Graph read(String model) throws IOException {
        String text = model.replaceAll(
                        "IN\\((\\w+), (\\w+), ([^)]*)\\)",
                        "{'name':'$1','optype':'Input','tensors_out':[{'arg_name':'y','name':'$1'}],"
                                + "'params':[{'arg_name':'dtype','value':'$2'},{'arg_name':'dims','value':[$3]}]}")
                .replaceAll(
                        "ONE\\((\\w+)\\)",
                        "{'name':'one','optype':'Const','tensors_out':[{'arg_name':'y','name':'one'}],'params':["
                                + "{'arg_name':'dtype','value':'float32'},{'arg_name':'dims','value':[1]},"
                                + "{'arg_name':'data','value':[$1]}]}")
                .replaceAll(
                        "OUT\\((\\w+)\\)",
                        "{'name':'out $1','optype':'Output','tensors_in':[{'arg_name':'x','name':'$1'}]}");
        return Importers.builtIn().read(Files.writeString(folder.resolve("m.json"), text.replace('\'', '"')));
    }

    private float[] run(String model, Map<String, Tensor> inputs) throws IOException {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model loaded = engine.load(read(model));
                Session session = loaded.session();
                Result result = session.run(inputs)) {
            return result.get("z").toFloatArray();
        }
    }

    @Test
    void aLoopRunsUntilItsConditionIsFalse() throws IOException {
        Map<String, Tensor> inputs =
                Map.of("x", Tensor.of(new float[] {1, 2}, 2), "limit", Tensor.of(new float[] {10}, 1));
        assertThat(run(LOOP, inputs)).containsExactly(16, 32);
        Node loop = read(LOOP).nodes().get(0);
        assertThat(loop.inputs()).isEqualTo(List.of("", "", "x", "limit"));
    }

    @Test
    void aConditionChoosesABranch() throws IOException {
        Tensor x = Tensor.of(new float[] {1, 2}, 2);
        Tensor yes = Tensor.allocate(DType.BOOL);
        yes.setLong(0, 1);
        assertThat(run(IF, Map.of("x", x, "c", yes))).containsExactly(2, 3);
        assertThat(run(IF, Map.of("x", x, "c", Tensor.allocate(DType.BOOL)))).containsExactly(0, 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'arg_name': 'body'|'arg_name': 'bodies'|node 2 'loop' (Loop): Loop has the bodies [body], not [bodies]",
                "'optype': 'Loop'|'optype': 'Relu'|node 2 'loop' (Relu): Relu has no bodies",
                "OUT(go), OUT(w)|OUT(go)|its body gives 1 values, but must give a condition, the states",
                "IN(iteration, int64, ), IN(before, bool, ), IN(v, float32, 'n'), IN(limit, float32, 1)"
                        + "|IN(v, float32, 'n'), IN(limit, float32, 1)"
                        + "|its body takes 2 values, but must take the iteration, the condition and the states, 3",
                "IN(iteration, int64, )|IN(x, int64, )|value 'x' is defined twice",
                "IN(limit, float32, 1), {'name': 'double'|{'name': 'double'|'limit' is never produced",
                "'arg_name': 'y', 'name': 'w'|'arg_name': 'y', 'name': 'x'|value 'x' is defined twice",
                "'optype': 'ReduceMin'|'optype': 'ReduceLeast'|(Loop), body, node 5 'least' (ReduceLeast): Clinfer has no",
                "'states', 'name': 'x'|'state', 'name': 'x'|there is no input 'state'; there are [most_turns, condition",
                "'states', 'name': 'x'|'states', 'name': ''|a state has no name",
            })
    void aLoopThatIsNone(String part, String other, String message) {
        assertRefused(LOOP, part, other, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'arg_name': 'else_branch'|'arg_name': 'then_branch'|the body 'then_branch' is given twice",
                "[{'arg_name': 'condition', 'name': 'c'}]|[]|If needs the input 'condition'",
                "OUT(less)|OUT(less), OUT(x)|its else_branch gives 2 values, but must give 1",
                "'less'}]}, OUT(less)|'more'}]}, OUT(more)|value 'more' is defined twice",
                "ONE(1), {'name': 'f', 'optype': 'Add'|ONE(2), {'name': 'f', 'optype': 'Add'|value 'one' is defined twice",
            })
    void anIfThatIsNone(String part, String other, String message) {
        assertRefused(IF, part, other, message);
    }

    private void assertRefused(String model, String part, String other, String message) {
        String oneLine = model.replaceAll("\\n *", " ");
        assertThat(oneLine).contains(part);
        assertThatThrownBy(() -> read(oneLine.replace(part, other)))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining(message);
    }

    @Test
    void graphsWithinEachOtherAreBounded() {
        String deep = "{'ops':[" + "{'name':'l','optype':'Loop','bodies':[{'arg_name':'body','ops':[".repeat(10_000);
        assertThatThrownBy(() -> read(deep)).isInstanceOf(GraphException.class).hasMessageContaining("nesting depth");
    }
}
