package org.clinfer.importer.tfjs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.graph.Graph;
import org.clinfer.importer.Importers;
import org.junit.jupiter.api.io.TempDir;

/** Models of TensorFlow.js written as text, in a folder of the test's own. */
abstract class TfjsDocuments {

    @TempDir
    Path folder;

    /** A document with single quotes; its weights are in files already written. */
    Graph read(String network, String manifest) throws IOException {
        return Importers.builtIn()
                .read(Files.writeString(folder.resolve("model.json"), TfjsModel.document(network, manifest, "2.15.0")));
    }

    static String layer(String kind, String name, String config) {
        return "{'class_name':'" + kind + "','config':{'name':'" + name + "'" + (config.isEmpty() ? "" : "," + config)
                + "}}";
    }

    static String sequential(String... layers) {
        return "{'class_name':'Sequential','config':{'name':'seq','layers':[" + String.join(",", layers) + "]}}";
    }

    void writeFloats(String file, float... values) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            buffer.putFloat(value);
        }
        Files.write(folder.resolve(file), buffer.array());
    }
}
