package org.clinfer.importer.tensorflow.savedmodel;

import java.io.IOException;
import java.util.List;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.ModelSource;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.tensorflow.functional.Functionalization;
import org.clinfer.importer.tensorflow.proto.GraphDef;
import org.clinfer.importer.tensorflow.proto.MetaGraphDef;

/** Graphs without a signature whose control flow data decide, or that call functions. */
public final class FrozenGraph {

    private FrozenGraph() {}

    /**
     * {@return a graph with functions in the place of their calls, and those of control flow as graphs; its inputs are not said}
     *
     * @param file that it was read from
     * @param graph the nodes, and the functions that they call
     * @param outputs the names of the nodes that are needed
     */
    public static FrozenModel of(ModelSource file, GraphDef graph, List<String> outputs) {
        MetaGraphDef written = MetaGraphDef.newBuilder().setGraphDef(graph).build();
        Library library = new Library(written, file.ref());
        MetaGraphDef meta = MetaGraphDef.newBuilder()
                .setGraphDef(Functionalization.of(graph, library::port))
                .build();
        try (NeighbourFiles files = new NeighbourFiles(file)) {
            return new Freezing(meta, files, file.ref()).freeze(outputs);
        } catch (IOException failed) {
            throw new GraphException(file.ref(), "its data files cannot be closed: " + failed.getMessage(), failed);
        }
    }
}
