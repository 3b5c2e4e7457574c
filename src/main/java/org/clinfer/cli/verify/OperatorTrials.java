package org.clinfer.cli.verify;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.clinfer.Engine;
import org.clinfer.KernelTrial;
import org.clinfer.Model;
import org.clinfer.Session;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.VariantDescription;
import org.clinfer.errors.ClinferException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.Tolerance;

/** Tries the operators and kernels of users without a model, on made-up uses: each kernel against the CPU. */
public final class OperatorTrials {

    /** Failures that are told of one variant. */
    private static final int MOST_TOLD = 3;

    /** Lines of a compiler's log that are told. */
    private static final int LOG_LINES = 20;

    private final Engine engine;
    private final OpCatalog catalog;
    private final Tolerance tolerance;

    /** @param catalog the operators of the engine */
    public OperatorTrials(Engine engine, OpCatalog catalog, Tolerance tolerance) {
        this.engine = engine;
        this.catalog = catalog;
        this.tolerance = tolerance;
    }

    /** The operators that are not Clinfer's own, or have variants that are not. */
    public static List<OpDescription> operators(OpCatalog catalog) {
        return catalog.operators().stream()
                .filter(op -> OpCatalog.builtIn().find(op.optype()).isEmpty()
                        || !own(catalog, op).isEmpty())
                .toList();
    }

    private static List<VariantDescription> own(OpCatalog catalog, OpDescription op) {
        List<VariantDescription> builtIn = OpCatalog.builtIn().variants(op.optype());
        return catalog.variants(op.optype()).stream()
                .filter(variant -> !builtIn.contains(variant))
                .toList();
    }

    /** The uses with one variant. */
    private static final class Tally {
        private int right;
        private int wrong;
        private final Set<DType> types = EnumSet.noneOf(DType.class);
        /** The first use of each failure. */
        private final Map<String, String> failures = new LinkedHashMap<>();

        private final Set<DType> notBuilt = EnumSet.noneOf(DType.class);
        private List<String> log = List.of();
        private String refusal = "";
        private String uncompared = "";

        void add(TrialUse use, KernelTrial trial) {
            switch (trial.outcome()) {
                case RIGHT -> {
                    right++;
                    types.add(use.type());
                }
                case WRONG -> fail(use, trial.detail());
                case FAILED -> {
                    notBuilt.add(use.type());
                    log = log.isEmpty() ? trial.log().lines().limit(LOG_LINES).toList() : log;
                    fail(use, trial.detail());
                }
                case UNCOMPARED -> uncompared = trial.detail();
                case REFUSED -> refusal = refusal.isEmpty() ? use + ": " + trial.detail() : refusal;
            }
        }

        void fail(TrialUse use, String detail) {
            wrong++;
            failures.putIfAbsent(detail, use.toString());
        }

        Outcome outcome(String refused) {
            if (wrong > 0) {
                String told = failures.entrySet().stream()
                        .limit(MOST_TOLD)
                        .map(failure -> failure.getValue() + ": " + failure.getKey())
                        .collect(Collectors.joining("; "));
                String more = failures.size() > MOST_TOLD ? "; and more" : "";
                return new Outcome.Fail(wrong + " of " + (wrong + right) + " uses: " + told + more, log);
            }
            if (right > 0) {
                return new Outcome.Pass(right + " uses in "
                        + types.stream().map(DType::label).collect(Collectors.joining(", ")) + " are as on the CPU");
            }
            return new Outcome.Unsupported(
                    uncompared.isEmpty() ? (refusal.isEmpty() ? refused : "takes no use, as " + refusal) : uncompared);
        }
    }

    /**
     * Tries one operator.
     *
     * @param to takes the outcome of each of its kernel variants that is not Clinfer's own, or of the operator where it has
     *     none
     */
    public void run(OpDescription op, BiConsumer<String, Outcome> to) {
        TrialUses.Found found = TrialUses.of(op);
        Map<String, Tally> variants = new LinkedHashMap<>();
        own(catalog, op).forEach(variant -> variants.put(variant.optype(), new Tally()));
        Tally whole = new Tally();
        for (TrialUse use : found.uses()) {
            boolean isHopeless = !variants.isEmpty()
                    && variants.values().stream().allMatch(tally -> tally.notBuilt.contains(use.type()));
            if (isHopeless) {
                continue;
            }
            try {
                List<KernelTrial> trials = variants.isEmpty() ? computed(use) : trials(use);
                for (KernelTrial trial : trials) {
                    Tally tally = variants.get(trial.variant());
                    if (tally != null) {
                        tally.add(use, trial);
                    }
                }
                whole.right++;
            } catch (UnsupportedException nowhere) {
                whole.refusal = whole.refusal.isEmpty() ? use + ": " + nowhere.getMessage() : whole.refusal;
            } catch (ClinferException | ArithmeticException failed) {
                whole.fail(use, String.valueOf(failed.getMessage()));
            }
        }
        String none = found.uses().isEmpty()
                ? "no use of it could be made up"
                        + found.objection().map(why -> " (" + why + ")").orElse("")
                        + "; verify a folder with a model and recorded tensors instead"
                : engine.deviceNote();
        if (variants.isEmpty() || whole.wrong > 0) {
            to.accept(op.optype(), outcome(whole, none));
        }
        variants.forEach((name, tally) -> to.accept(name, tally.outcome(none)));
    }

    private static Outcome outcome(Tally whole, String none) {
        if (whole.wrong > 0) {
            return whole.outcome(none);
        }
        return whole.right == 0
                ? new Outcome.Unsupported(whole.refusal.isEmpty() ? none : whole.refusal)
                : new Outcome.Pass(whole.right + " uses are computed; it has no kernels to compare");
    }

    private List<KernelTrial> trials(TrialUse use) {
        return with(use, (model, inputs) -> model.tryKernels(inputs, tolerance));
    }

    /** A use without kernels to compare, wherever it runs. */
    private List<KernelTrial> computed(TrialUse use) {
        return with(use, (model, inputs) -> {
            try (Session session = model.session()) {
                session.run(inputs).close();
                return List.of();
            }
        });
    }

    private List<KernelTrial> with(TrialUse use, BiFunction<Model, Map<String, Tensor>, List<KernelTrial>> trial) {
        Graph graph = use.graph();
        Map<String, Tensor> inputs = use.tensors();
        try (Model model = engine.load(graph)) {
            return trial.apply(model, inputs);
        } finally {
            inputs.values().forEach(Tensor::close);
            graph.closeConstants();
        }
    }
}
