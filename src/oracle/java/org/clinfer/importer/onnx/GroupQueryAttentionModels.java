package org.clinfer.importer.onnx;

import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.real;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.tensor.Tensor;

/** Models of GroupQueryAttention: four heads, which share two of keys. */
final class GroupQueryAttentionModels {

    /** The features of a head. */
    private static final int WIDTH = 32;

    private GroupQueryAttentionModels() {}

    private static RuntimeModel queries(Map<String, RuntimeModel> all, String name, int batch, int rows) {
        RuntimeModel model = new RuntimeModel(name.hashCode());
        all.put("GroupQueryAttention " + name, model);
        if (name.contains("any size")) {
            model.symbolic();
        }
        return model.input("q", batch, rows, 4 * WIDTH)
                .input("k", batch, rows, 2 * WIDTH)
                .input("v", batch, rows, 2 * WIDTH)
                .output("y", "nk", "nv");
    }

    private static RuntimeModel past(RuntimeModel model, int batch, int room) {
        return model.input("pk", batch, 2, room, WIDTH).input("pv", batch, 2, room, WIDTH);
    }

    private static RuntimeModel lengths(RuntimeModel model, int total, int... last) {
        return model.input("n", RuntimeModel.ints(last, last.length)).input("t", RuntimeModel.ints(new int[] {total}));
    }

    private static void attend(RuntimeModel model, String more, AttributeProto... options) {
        List<AttributeProto> attributes = new ArrayList<>(List.of(options));
        attributes.add(integer("num_heads", 4));
        attributes.add(integer("kv_num_heads", 2));
        String past = model.inputs().containsKey("pk") ? "pk,pv" : ",";
        String inputs = (model.inputs().containsKey("k") ? "q,k,v," : "q,,,") + past + ",n,t" + more;
        model.node("GroupQueryAttention", inputs, "y,nk,nv", attributes.toArray(new AttributeProto[0]));
    }

    private static RuntimeModel angles(RuntimeModel model, int places, int pairs) {
        return model.constant("c", places, pairs).constant("s", places, pairs);
    }

    static void add(Map<String, RuntimeModel> all) {
        attend(lengths(queries(all, "of a first run", 1, 5), 5, 4), "");
        attend(lengths(queries(all, "of a first run, any size", 1, 5), 5, 4), "");
        attend(lengths(past(queries(all, "of a first run with an empty past", 1, 5), 1, 0), 5, 4), "");
        attend(lengths(past(queries(all, "of a next row", 1, 1), 1, 6), 7, 6), "");
        attend(lengths(past(queries(all, "of a next row, any size", 1, 1), 1, 6), 7, 6), "");
        attend(lengths(past(queries(all, "of several next rows", 1, 3), 1, 6), 9, 8), "");
        attend(lengths(past(queries(all, "of a longer cache", 1, 1), 1, 12), 7, 6), "");
        attend(lengths(past(queries(all, "of a longer cache, any size", 1, 1), 1, 12), 7, 6), "");
        attend(lengths(past(queries(all, "of a first run with a longer cache", 1, 5), 1, 12), 5, 4), "");
        attend(lengths(past(queries(all, "of batches of several lengths", 3, 1), 3, 6), 7, 6, 3, 4), "");
        attend(lengths(past(queries(all, "of several batches of a first run", 3, 5), 3, 9), 5, 4, 4, 4), "");
        attend(lengths(past(queries(all, "of several next rows, any size", 1, 3), 1, 12), 9, 8), "");
        attend(
                lengths(past(queries(all, "of batches of several lengths in a longer cache", 3, 1), 3, 9), 7, 6, 3, 4),
                "");
        attend(
                lengths(past(queries(all, "with a scale and a cap", 2, 1), 2, 6), 7, 6, 6),
                "",
                real("scale", 0.4f),
                real("softcap", 1.5f));
        for (int window : new int[] {1, 3, 5, 20}) {
            AttributeProto size = integer("local_window_size", window);
            attend(lengths(queries(all, "of a first run in a window of " + window, 1, 7), 7, 6), "", size);
            attend(
                    lengths(past(queries(all, "of a next row in a window of " + window, 2, 1), 2, 6), 7, 6, 6),
                    "",
                    size);
        }
        for (int interleaved = 0; interleaved < 2; interleaved++) {
            AttributeProto[] turned = {integer("do_rotary", 1), integer("rotary_interleaved", interleaved)};
            String kind = interleaved == 1 ? "turned by neighbours" : "turned by halves";
            attend(angles(lengths(queries(all, kind, 1, 5), 5, 4), 20, WIDTH / 2), ",c,s", turned);
            attend(
                    angles(lengths(past(queries(all, kind + ", next row", 1, 1), 1, 6), 7, 6), 20, WIDTH / 2),
                    ",c,s",
                    turned);
            attend(
                    angles(
                            lengths(past(queries(all, kind + ", next row, any size", 2, 1), 2, 6), 7, 6, 4),
                            20,
                            WIDTH / 2),
                    ",c,s",
                    turned);
            attend(
                    angles(lengths(past(queries(all, kind + ", several next rows", 1, 3), 1, 6), 9, 8), 20, WIDTH / 2),
                    ",c,s",
                    turned);
        }
        AttributeProto turned = integer("do_rotary", 1);
        attend(angles(lengths(past(queries(all, "turned in part", 1, 2), 1, 6), 8, 7), 20, WIDTH / 4), ",c,s", turned);
        attend(
                angles(lengths(past(queries(all, "turned in part, any size", 1, 2), 1, 6), 8, 7), 20, WIDTH / 2),
                ",c,s",
                turned);
        Tensor places = Tensor.of(new long[] {2, 9}, 1, 2);
        attend(
                angles(lengths(past(queries(all, "of given positions", 1, 2), 1, 6), 8, 7), 20, WIDTH / 2)
                        .input("p", places),
                ",c,s,p",
                turned);
        packedQueries(all);
        attend(
                lengths(past(queries(all, "with a bias", 1, 2), 1, 6), 8, 7).input("b", 1, 4, 2, 8),
                ",,,,b",
                real("softcap", 1.5f));
        attend(
                lengths(past(queries(all, "with a bias for all heads", 2, 1), 2, 6), 7, 6, 6)
                        .input("b", 1, 1, 1, 7),
                ",,,,b");
        attend(
                lengths(past(queries(all, "with a smooth softmax", 2, 1), 2, 6), 7, 6, 4),
                "",
                integer("smooth_softmax", 1));
        attend(lengths(past(queries(all, "with sinks", 1, 2), 1, 6), 8, 7).constant("h", 4), ",,,,,h");
    }

    private static void packedQueries(Map<String, RuntimeModel> all) {
        RuntimeModel model = new RuntimeModel(7);
        all.put("GroupQueryAttention of one input", model);
        model.input("q", 2, 5, 8 * WIDTH).output("y", "nk", "nv");
        attend(lengths(model, 5, 4, 4), "");
        RuntimeModel turned = new RuntimeModel(8);
        all.put("GroupQueryAttention of one input, turned", turned);
        turned.input("q", 1, 2, 8 * WIDTH).output("y", "nk", "nv");
        attend(angles(lengths(past(turned, 1, 6), 8, 7), 20, WIDTH / 2), ",c,s", integer("do_rotary", 1));
    }
}
