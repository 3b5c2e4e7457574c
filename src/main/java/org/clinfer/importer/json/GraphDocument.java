package org.clinfer.importer.json;

import java.io.IOException;
import java.io.OutputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Metadata;
import org.clinfer.graph.Node;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.JacksonIOException;

/** One graph's way to a document. */
final class GraphDocument {

    private final OpCatalog catalog;
    private final Set<String> outside;
    private final String weights;
    private final Set<String> opNames = new HashSet<>();

    /**
     * @param outside the constants that stand in the file {@code weights}
     */
    GraphDocument(OpCatalog catalog, Set<String> outside, String weights) {
        this.catalog = catalog;
        this.outside = outside;
        this.weights = weights;
    }

    void write(Graph graph, OutputStream out) throws IOException {
        try (DocumentWriter to = new DocumentWriter(out)) {
            to.start("name", graph.name(), graph.metadata());
            ops(graph, to);
            to.end();
            to.newline();
        } catch (JacksonIOException failed) {
            throw failed.getCause();
        } catch (JacksonException failed) {
            throw new GraphException(graph.source(), "cannot be written: " + failed.getOriginalMessage(), failed);
        }
    }

    private void ops(Graph graph, DocumentWriter to) {
        graph.nodes().forEach(node -> opNames.add(node.name()));
        for (Graph.Input input : graph.inputs()) {
            to.op(
                    unused(input.name()),
                    Placeholders.INPUT,
                    List.of(),
                    List.of(new OpEntry.Arg(Placeholders.GIVEN, input.name())));
            type(input.type(), to);
            to.endOp();
        }
        graph.constants().forEach((name, tensor) -> constant(name, tensor, to));
        graph.nodes().forEach(node -> node(node, to));
        for (String output : graph.outputs()) {
            to.op(
                    unused("output_" + output),
                    Placeholders.OUTPUT,
                    List.of(new OpEntry.Arg(Placeholders.TAKEN, output)),
                    List.of());
            to.endOp();
        }
    }

    private String unused(String wanted) {
        String name = wanted;
        for (int number = 2; !opNames.add(name); number++) {
            name = wanted + "_" + number;
        }
        return name;
    }

    private static void type(TensorType type, DocumentWriter to) {
        to.param("dtype", Attribute.of(type.dtype().label()));
        to.dims("dims", type.shape());
    }

    private void constant(String name, Tensor tensor, DocumentWriter to) {
        to.op(unused(name), Placeholders.CONST, List.of(), List.of(new OpEntry.Arg(Placeholders.GIVEN, name)));
        type(tensor.type(), to);
        if (outside.contains(name)) {
            to.param("from_file", Attribute.of(weights));
        } else {
            to.data("data", tensor);
        }
        to.endOp();
    }

    private void node(Node node, DocumentWriter to) {
        if (node.isControl()) {
            control(node, to);
            return;
        }
        OpDescription op = catalog.find(node.op())
                .orElseThrow(() -> new GraphException(node.source(), "there is no operator " + node.op()));
        to.op(
                node.name(),
                node.op(),
                ArgumentNames.inputs(op).named(node.inputs(), node.source()),
                ArgumentNames.outputs(op).named(node.outputs(), node.source()));
        Map<String, Attribute> rest = new TreeMap<>(node.params());
        for (ParamDescription param : op.params()) {
            Attribute value = rest.remove(param.name());
            if (value != null) {
                to.param(param.name(), value);
            }
        }
        rest.forEach(to::param);
        to.endOp();
    }

    private void control(Node node, DocumentWriter to) {
        to.op(node.name(), node.op(), ControlOps.inputs(node), ControlOps.outputs(node));
        to.startBodies();
        node.bodies().forEach((name, body) -> {
            to.start("arg_name", name, Metadata.NONE);
            new GraphDocument(catalog, outside, weights).ops(body, to);
            to.end();
        });
        to.endOp();
    }
}
