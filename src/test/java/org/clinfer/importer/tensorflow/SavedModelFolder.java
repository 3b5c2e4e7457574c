package org.clinfer.importer.tensorflow;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.clinfer.importer.tensorflow.checkpoint.TableWriter;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.BundleEntryProto;
import org.clinfer.importer.tensorflow.proto.BundleHeaderProto;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.FunctionDef;
import org.clinfer.importer.tensorflow.proto.GraphDef;
import org.clinfer.importer.tensorflow.proto.MetaGraphDef;
import org.clinfer.importer.tensorflow.proto.NameAttrList;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.OpDef;
import org.clinfer.importer.tensorflow.proto.SavedModel;
import org.clinfer.importer.tensorflow.proto.SignatureDef;
import org.clinfer.importer.tensorflow.proto.TensorInfo;
import org.clinfer.importer.tensorflow.proto.TensorProto;

/** Builds small SavedModels whose variables have the keys of their names. */
public final class SavedModelFolder {

    private static final String SCHEMA_VERSION = "\u0008\u0001";

    private final GraphDef.Builder graph;
    private final Map<String, SignatureDef.Builder> signatures = new LinkedHashMap<>();
    private final Map<String, TensorProto> variables = new TreeMap<>();
    private final List<OpDef> operators = new ArrayList<>();
    private boolean compressed;
    private BundleHeaderProto.Endianness order = BundleHeaderProto.Endianness.LITTLE;

    public SavedModelFolder(TfGraph graph) {
        this.graph = graph.build().toBuilder();
    }

    /** An input of a signature, which is an output of a node. */
    public SavedModelFolder input(String signature, String key, String tensor, long... sizes) {
        signature(signature).putInputs(key, info(tensor, sizes));
        return this;
    }

    public SavedModelFolder output(String signature, String key, String tensor) {
        signature(signature).putOutputs(key, info(tensor));
        return this;
    }

    private SignatureDef.Builder signature(String name) {
        return signatures.computeIfAbsent(name, none -> SignatureDef.newBuilder());
    }

    private static TensorInfo info(String tensor, long... sizes) {
        return TensorInfo.newBuilder()
                .setName(tensor)
                .setDtype(DataType.DT_FLOAT)
                .setTensorShape(TfGraph.tensor(DataType.DT_FLOAT, sizes).getTensorShape())
                .build();
    }

    /** A function; arguments are separated by blanks, its results are {@code output=node:argument:0}. */
    public SavedModelFolder function(String name, String arguments, TfGraph body, String... results) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder().setName(name);
        for (String argument : arguments.split(" ", -1)) {
            function.getSignatureBuilder().addInputArgBuilder().setName(argument);
        }
        for (String result : results) {
            String output = result.substring(0, result.indexOf('='));
            function.getSignatureBuilder().addOutputArgBuilder().setName(output);
            function.putRet(output, result.substring(output.length() + 1));
        }
        function.addAllNodeDef(body.build().getNodeList());
        graph.getLibraryBuilder().addFunction(function);
        return this;
    }

    /** The outputs of an operator by their names, each of one value. */
    public SavedModelFolder operator(String name, String... outputs) {
        OpDef.Builder op = OpDef.newBuilder().setName(name);
        for (String output : outputs) {
            op.addOutputArgBuilder().setName(output);
        }
        operators.add(op.build());
        return this;
    }

    /** An attribute that names a function, for {@link TfGraph#with}. */
    public static void calls(NodeDef.Builder node, String attribute, String function) {
        node.putAttr(
                attribute,
                AttrValue.newBuilder()
                        .setFunc(NameAttrList.newBuilder().setName(function))
                        .build());
    }

    /** Lets a node call one of several functions. */
    public static void callsOneOf(NodeDef.Builder node, String attribute, String... functions) {
        AttrValue.ListValue.Builder all = AttrValue.ListValue.newBuilder();
        for (String function : functions) {
            all.addFunc(NameAttrList.newBuilder().setName(function));
        }
        node.putAttr(attribute, AttrValue.newBuilder().setList(all).build());
    }

    /** A tensor of the checkpoint, with the lowest byte first in its {@code tensor_content}. */
    public SavedModelFolder variable(String key, TensorProto value) {
        variables.put(key, value);
        return this;
    }

    public SavedModelFolder compressed() {
        compressed = true;
        return this;
    }

    /** Says that the highest byte stands first, whatever the content is. */
    public SavedModelFolder bigEndian() {
        order = BundleHeaderProto.Endianness.BIG;
        return this;
    }

    public byte[] bytes() {
        MetaGraphDef.Builder meta = MetaGraphDef.newBuilder().setGraphDef(graph);
        meta.getMetaInfoDefBuilder().addTags("serve").getStrippedOpListBuilder().addAllOp(operators);
        signatures.forEach((name, signature) -> meta.putSignatureDef(name, signature.build()));
        byte[] model = SavedModel.newBuilder().addMetaGraphs(meta).build().toByteArray();
        return ByteString.copyFromUtf8(SCHEMA_VERSION)
                .concat(ByteString.copyFrom(model))
                .toByteArray();
    }

    public byte[] data() {
        ByteString all = ByteString.EMPTY;
        for (TensorProto variable : variables.values()) {
            all = all.concat(variable.getTensorContent());
        }
        return all.toByteArray();
    }

    public byte[] index() {
        TableWriter table = new TableWriter(compressed);
        table.put(
                "",
                BundleHeaderProto.newBuilder()
                        .setNumShards(1)
                        .setEndianness(order)
                        .build()
                        .toByteArray());
        long offset = 0;
        for (Map.Entry<String, TensorProto> variable : variables.entrySet()) {
            ByteString content = variable.getValue().getTensorContent();
            table.put(
                    variable.getKey(),
                    BundleEntryProto.newBuilder()
                            .setDtype(variable.getValue().getDtype())
                            .setShape(variable.getValue().getTensorShape())
                            .setOffset(offset)
                            .setSize(content.size())
                            .setCrc32C(TableWriter.checksum(content.toByteArray()))
                            .build()
                            .toByteArray());
            offset += content.size();
        }
        return table.bytes();
    }

    /** Writes the model; its {@code saved_model.pb}. */
    public Path write(Path folder) throws IOException {
        Path own = Files.createDirectories(folder.resolve("variables"));
        Files.write(own.resolve("variables.index"), index());
        Files.write(own.resolve("variables.data-00000-of-00001"), data());
        return Files.write(folder.resolve("saved_model.pb"), bytes());
    }
}
