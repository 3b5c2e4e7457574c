package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.importer.tensorflow.proto.TensorShapeProto;
import org.clinfer.tensor.DType;

/** Complex numbers as real ones with a last axis of two more, for the real and the imaginary part. */
final class TfComplex {

    private static final long MOST_REPEATED = 1 << 20;

    private TfComplex() {}

    static boolean is(DataType type) {
        return type == DataType.DT_COMPLEX64 || type == DataType.DT_COMPLEX128;
    }

    /** An input that must be complex, as a name of ours with the axis of the parts. */
    static String stored(TfCall call, int index) {
        TfValue x = call.input(index);
        if (!call.graph().isComplex(x)) {
            throw call.unsupportedUse("an input that is no complex number");
        }
        return call.plain(x);
    }

    /** The number of axes of the first input without that of the parts. */
    static int rank(TfCall call) {
        stored(call, 0);
        return call.rank(call.input(0)) - 1;
    }

    /** The real part, 0, or the imaginary one, 1. */
    static String part(TfCall call, String stored, int which) {
        return call.step("Gather", List.of(stored, call.scalar(DType.INT64, which)), new Params().put("axis", -1L));
    }

    /** Numbers of two parts of equal shape. */
    static String joined(TfCall call, String real, String imaginary) {
        Params last = new Params().put("axis", new long[] {-1});
        String first = call.step("Unsqueeze", List.of(real), last);
        String second = call.step("Unsqueeze", List.of(imaginary), last);
        return call.step("Concat", List.of(first, second), new Params().put("axis", -1L));
    }

    static void give(TfCall call, String stored) {
        give(call, 0, stored);
    }

    static void give(TfCall call, int port, String stored) {
        call.graph().markComplex(call.give(port, "Identity", List.of(stored), new Params(), false));
    }

    /** A tensor of complex numbers as one of real ones. */
    static TensorProto asReal(TfCall call, TensorProto proto) {
        if (proto.getDtype() == DataType.DT_COMPLEX128) {
            throw call.unsupportedUse("complex numbers of two doubles");
        }
        long elements = TfTensorReader.shape(proto, call.node().source()).elements();
        List<Float> given = proto.getScomplexValList();
        if (given.size() % 2 != 0 || given.size() / 2 > elements) {
            throw call.malformed("its " + elements + " complex numbers have " + given.size() + " parts");
        }
        TensorProto.Builder real =
                proto.toBuilder().setDtype(DataType.DT_FLOAT).clearScomplexVal().addAllFloatVal(given);
        real.getTensorShapeBuilder().addDim(TensorShapeProto.Dim.newBuilder().setSize(2));
        if (!given.isEmpty() && given.size() / 2 < elements) {
            if (elements > MOST_REPEATED) {
                throw call.unsupportedUse("a large constant that repeats the last of its values");
            }
            List<Float> last = given.subList(given.size() - 2, given.size());
            Collections.nCopies((int) elements - given.size() / 2, last).forEach(real::addAllFloatVal);
        }
        return real.build();
    }

    /** The outputs of a real operator for each of the parts of its complex inputs, by port. */
    static Map<Integer, TfValue> ofPart(TfCall call, TfTranslator translator, int which) {
        List<TfValue> inputs = new ArrayList<>();
        for (int i = 0; i < call.inputs().size(); i++) {
            TfValue input = call.input(i);
            if (call.graph().isComplex(input)) {
                String part = part(call, call.plain(input), which);
                inputs.add(call.graph().value(part, part, false));
            } else {
                inputs.add(input);
            }
        }
        String name = call.graph().freshName(call.node().name() + (which == 0 ? "/real" : "/imaginary"));
        TfCall real = call.as(call.node().ofRealNumbers(name), inputs);
        translator.translate(real);
        return real.outputs();
    }
}
