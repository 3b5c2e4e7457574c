package org.clinfer.robustness;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.clinfer.importer.tensorflow.SavedModelFolder;
import org.clinfer.importer.tensorflow.TfGraph;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.SavedModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged SavedModels: graphs with functions and variables, and the files of the variables. */
class SavedModelFuzzTest {

    private static final int CASES = 1500;
    private static final int SCHEMA_VERSION_BYTES = 2;

    static final List<String> WORDS = List.of(
            "serve",
            "serving_default",
            "in:0",
            "call:1",
            "inner",
            "inner:y:0",
            "VarHandleOp",
            "VariableV2",
            "ReadVariableOp",
            "ResourceGather",
            "RestoreV2",
            "AssignVariableOp",
            "PartitionedCall",
            "StatelessIf",
            "Placeholder",
            "Const",
            "outer",
            "w",
            "");

    @TempDir
    Path folder;

    /** A function that calls another one, with a condition that is known and two variables. */
    static SavedModelFolder sound() {
        TfGraph graph = new TfGraph()
                .input("in", -1, 3)
                .node("VarHandleOp", "w", "", "shared_name=w", "dtype=float")
                .node("VariableV2", "b", "", "dtype=float")
                .bool("truth", true)
                .node("PartitionedCall", "call", "in w b truth")
                .with(node -> SavedModelFolder.calls(node, "f", "outer"));
        TfGraph outer = new TfGraph()
                .node("ReadVariableOp", "read", "w", "dtype=float")
                .node("Mul", "m", "x read:value:0", "T=float")
                .node("inner", "i", "m:z:0 b")
                .node("StatelessIf", "choice", "t i:y:0")
                .with(node -> SavedModelFolder.calls(node, "then_branch", "negate"))
                .with(node -> SavedModelFolder.calls(node, "else_branch", "negate"));
        TfGraph inner = new TfGraph().node("AddV2", "a", "x b", "T=float");
        return new SavedModelFolder(graph)
                .function("outer", "x w b t", outer, "y=choice:output:0")
                .function("inner", "x b", inner, "y=a:z:0")
                .function("negate", "x", new TfGraph().node("Neg", "n", "x"), "y=n:y:0")
                .variable(
                        "w",
                        TfGraph.tensor(DataType.DT_FLOAT, 3)
                                .setTensorContent(ByteString.copyFrom(new byte[12]))
                                .build())
                .variable(
                        "b",
                        TfGraph.tensor(DataType.DT_FLOAT)
                                .setTensorContent(ByteString.copyFrom(new byte[4]))
                                .build())
                .input("serving_default", "x", "in:0", -1, 3)
                .output("serving_default", "y", "call:0");
    }

    @Test
    void theModelIsSound() throws IOException {
        FormatFuzz.requireSound(sound().write(folder));
    }

    @Test
    @Timeout(value = 1000, unit = TimeUnit.SECONDS)
    void damagedModels() throws IOException {
        Path file = sound().write(folder);
        byte[] whole = sound().bytes();
        SavedModel model = SavedModel.parseFrom(whole);
        FormatFuzz.run("SavedModels", CASES, seed -> {
            ByteString changed = seed % 5 == 0
                    ? ByteString.copyFrom(new ModelMutator(seed).damage(whole))
                    : ByteString.copyFrom(whole, 0, SCHEMA_VERSION_BYTES)
                            .concat(new ProtoMutator(seed, WORDS).change(model).toByteString());
            return Files.write(file, changed.toByteArray());
        });
    }
}
