package org.clinfer.importer.onnx.export;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.clinfer.tensor.DType;

/** Writers of composed operators that ONNX has, for the uses that it has them for. */
final class ComposedWriters {

    private ComposedWriters() {}

    /** A writer with the uses that it takes. */
    private record Writer(Predicate<Use> taken, NodeWriter writer) implements NodeWriter {

        @Override
        public void write(Use use, ModelWriter model) {
            writer.write(use, model);
        }

        @Override
        public boolean takes(Use use) {
            return taken.test(use);
        }
    }

    static Map<String, NodeWriter> all() {
        return Map.of(
                "Mish", plain(18),
                "Hardmax", new Writer(use -> !use.isInteger(0), ComposedWriters::hardmax),
                "Trilu", ComposedWriters::trilu,
                "OneHot", new Writer(use -> use.flag("wrap", true) && use.hasInput(1), ComposedWriters::oneHot),
                "GroupNorm", new Writer(ComposedWriters::isOfChannels, ComposedWriters::groupNorm),
                "MeanVarianceNorm", new Writer(ComposedWriters::isPlain, ComposedWriters::meanVarianceNorm),
                "LpNorm", new Writer(ComposedWriters::isOfOneAxis, ComposedWriters::lpNorm));
    }

    private static NodeWriter plain(int since) {
        return (use, model) -> {
            model.requireOpset(since);
            model.add(use, use.op(), use.inputs(), new AttributeWriter());
        };
    }

    private static void hardmax(Use use, ModelWriter model) {
        model.add(use, "Hardmax", use.inputs(), new AttributeWriter().put("axis", use.integer("axis", -1)));
    }

    private static void trilu(Use use, ModelWriter model) {
        model.add(use, "Trilu", use.inputs(), new AttributeWriter().put("upper", use.flag("upper", true)));
    }

    private static void oneHot(Use use, ModelWriter model) {
        use.ignore("wrap");
        model.add(use, "OneHot", use.inputs(), new AttributeWriter().put("axis", use.integer("axis", -1)));
    }

    /** {@return whether there is a scale of as many elements as there are channels, as from operator set 21 on} */
    private static boolean isOfChannels(Use use) {
        OptionalLong channels = use.knownSize(0, 1);
        return use.hasInput(1) && channels.isPresent() && channels.equals(use.knownSize(1, 0));
    }

    private static void groupNorm(Use use, ModelWriter model) {
        model.requireOpset(21);
        AttributeWriter attributes = new AttributeWriter()
                .put("num_groups", use.integer("num_groups"))
                .put("epsilon", use.real("epsilon", 1e-5));
        model.add(use, "GroupNormalization", use.inputs(), attributes);
    }

    private static boolean isPlain(Use use) {
        return use.flag("normalize_variance", true)
                && use.text("epsilon_mode", "outside_sqrt").equals("outside_sqrt")
                && use.real("epsilon", 1e-9) == 1e-9
                && use.knownDtype(0).filter(DType.FLOAT64::equals).isEmpty();
    }

    private static void meanVarianceNorm(Use use, ModelWriter model) {
        use.ignore("normalize_variance", "epsilon_mode", "epsilon");
        AttributeWriter attributes =
                new AttributeWriter().put("axes", use.integers("axes").orElseThrow());
        model.add(use, "MeanVarianceNormalization", use.inputs(), attributes);
    }

    private static boolean isOfOneAxis(Use use) {
        return use.text("epsilon_mode", "none").equals("none")
                && use.integers("axes").filter(axes -> axes.length == 1).isPresent();
    }

    private static void lpNorm(Use use, ModelWriter model) {
        use.ignore("epsilon_mode", "epsilon");
        long axis = use.integers("axes").orElseThrow()[0];
        AttributeWriter attributes = new AttributeWriter().put("axis", axis).put("p", use.integer("p", 2));
        model.add(use, "LpNormalization", List.of(use.input(0)), attributes);
    }
}
