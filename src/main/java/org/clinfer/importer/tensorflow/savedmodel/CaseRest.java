package org.clinfer.importer.tensorflow.savedmodel;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.clinfer.importer.tensorflow.functional.DataInputs;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.FunctionDef;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.OpDef;
import org.clinfer.importer.tensorflow.proto.TensorProto;

/**
 * The function that a Case of three branches or more runs where its number is not 0: a Case of the branches after the first, by the
 * number less one. What is below 0 stays there, and is the last branch as before.
 */
final class CaseRest {

    private static final String NUMBER = "number";
    private static final String CASE = "case";

    private CaseRest() {}

    /**
     * {@return the function, which takes what the node takes and gives what it gives}
     *
     * @param name the name that it gets
     * @param node a Case
     * @param results how many values each of its branches gives
     */
    static FunctionDef of(String name, NodeDef node, int results) {
        List<String> arguments = new ArrayList<>(List.of(NUMBER));
        IntStream.range(1, DataInputs.data(node).size()).forEach(i -> arguments.add("argument" + i));
        NodeDef.Builder rest = node.toBuilder()
                .setName(CASE)
                .clearInput()
                .addInput("less:0")
                .addAllInput(arguments.subList(1, arguments.size()));
        AttrValue.Builder branches = rest.getAttrOrThrow("branches").toBuilder();
        branches.getListBuilder().removeFunc(0);
        rest.putAttr("branches", branches.build());

        OpDef.Builder signature = OpDef.newBuilder().setName(name);
        FunctionDef.Builder function = FunctionDef.newBuilder()
                .addNodeDef(one())
                .addNodeDef(NodeDef.newBuilder()
                        .setName("less")
                        .setOp("Sub")
                        .addInput(NUMBER)
                        .addInput("one:0")
                        .putAttr("T", integers()))
                .addNodeDef(rest);
        arguments.forEach(argument -> signature.addInputArg(argument(argument)));
        for (int i = 0; i < results; i++) {
            signature.addOutputArg(argument("result" + i));
            function.putRet("result" + i, CASE + ":" + i);
        }
        return function.setSignature(signature).build();
    }

    private static NodeDef one() {
        TensorProto value = TensorProto.newBuilder()
                .setDtype(DataType.DT_INT32)
                .addIntVal(1)
                .build();
        return NodeDef.newBuilder()
                .setName("one")
                .setOp("Const")
                .putAttr("dtype", integers())
                .putAttr("value", AttrValue.newBuilder().setTensor(value).build())
                .build();
    }

    private static AttrValue integers() {
        return AttrValue.newBuilder().setType(DataType.DT_INT32).build();
    }

    private static OpDef.ArgDef argument(String name) {
        return OpDef.ArgDef.newBuilder().setName(name).build();
    }
}
