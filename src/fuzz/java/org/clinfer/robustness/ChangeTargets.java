package org.clinfer.robustness;

import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.fuzz.Choices;
import org.clinfer.fuzz.Target;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.tensorflow.TfControlGraphs;

/** Models of binary formats that are well-formed as files: the fuzzer's bytes choose which facts of them are changed. */
public final class ChangeTargets {

    private static final int MOST_ROUNDS = 6;
    private static final int SEED_BYTES = 12;

    private ChangeTargets() {}

    public static List<Target> all() {
        List<ModelProto> onnx = SeedModels.all();
        List<Message> caffe = List.of(CaffeFuzzTest.binary());
        List<Message> tensorflow = List.of(
                TensorflowFuzzTest.classifier().build(),
                TensorflowFuzzTest.movements().build(),
                TfControlGraphs.mapped().build());
        return List.of(
                target("onnx-changes", onnx.size(), "x.onnx", (choices, number) -> {
                    ModelMutator mutator = new ModelMutator(choices);
                    ModelProto model = onnx.get(number);
                    for (int i = 0; i < MOST_ROUNDS && !choices.isUsedUp(); i++) {
                        model = mutator.change(model);
                    }
                    return model;
                }),
                target(
                        "caffe-changes",
                        caffe.size(),
                        "x.caffemodel",
                        (choices, number) -> changed(caffe.get(number), choices, CaffeFuzzTest.NAMES)),
                target(
                        "tensorflow-changes",
                        tensorflow.size(),
                        "x.pb",
                        (choices, number) -> changed(tensorflow.get(number), choices, TensorflowFuzzTest.TEXTS)));
    }

    private static Message changed(Message message, Choices choices, List<String> texts) {
        ProtoMutator mutator = new ProtoMutator(choices, texts);
        Message model = message;
        for (int i = 0; i < MOST_ROUNDS && !choices.isUsedUp(); i++) {
            model = mutator.change(model);
        }
        return model;
    }

    /** Makes a model of one that has a number. */
    @FunctionalInterface
    private interface Change {
        Message of(Choices choices, int number);
    }

    /** The first byte says which model is changed. */
    private static Target target(String name, int models, String file, Change change) {
        Target.Body whole = ModelTargets.body(file);
        Target.Body body = (bytes, folder) -> {
            if (bytes.length > 0) {
                Choices choices = new Choices(Arrays.copyOfRange(bytes, 1, bytes.length));
                whole.take(change.of(choices, (bytes[0] & 0xff) % models).toByteArray(), folder);
            }
        };
        return new Target(name, folder -> seeds(models), List.of(), body);
    }

    private static List<byte[]> seeds(int models) {
        List<byte[]> seeds = new ArrayList<>();
        for (int i = 0; i < models; i++) {
            byte[] seed = new byte[SEED_BYTES];
            seed[0] = (byte) i;
            seeds.add(seed);
            seeds.add(new byte[] {(byte) i});
        }
        return seeds;
    }
}
