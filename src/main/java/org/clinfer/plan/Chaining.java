package org.clinfer.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.clinfer.infer.CheckedNode;
import org.clinfer.kernel.KernelLaunch;

/**
 * The conditions under which launches that follow one another become one.
 *
 * @param takes whether a launch can be one of several
 * @param launches how many at most
 * @param multiplyAdds how many of these at most, so that a launch ends in good time; one node may exceed it
 */
public record Chaining(Predicate<KernelLaunch> takes, int launches, long multiplyAdds) {

    /** Every node has launches of its own. */
    public static final Chaining NONE = new Chaining(launch -> false, 0, 0);

    private static final int MOST_LAUNCHES = 256;

    /** A few seconds on a small processor. */
    private static final long MOST_MULTIPLY_ADDS = 1L << 34;

    /** Chains of usual length. */
    public static Chaining of(Predicate<KernelLaunch> takes) {
        return new Chaining(takes, MOST_LAUNCHES, MOST_MULTIPLY_ADDS);
    }

    /**
     * The same steps, those that may be in one launch put together.
     *
     * @param isLent whether a value has memory that nothing else is in, so that it may be there sooner
     */
    List<Step> chained(List<Step> steps, Predicate<String> isLent) {
        Grouping grouping = new Grouping();
        for (Step step : steps) {
            if (step instanceof Step.Launch launch && launch.kernels().stream().allMatch(takes)) {
                grouping.add(launch);
            } else if (step instanceof Step.Upload upload && isLent.test(upload.value())) {
                grouping.steps.add(step);
            } else {
                grouping.end();
                grouping.steps.add(step);
            }
        }
        grouping.end();
        return grouping.steps;
    }

    /** The steps so far, and the nodes of the chain that may go on. */
    private final class Grouping {

        private final List<Step> steps = new ArrayList<>();
        private final List<Step.Launch> open = new ArrayList<>();
        private int kernels;
        private long work;

        private void add(Step.Launch launch) {
            int more = launch.kernels().size();
            long itsWork = work(launch.node().node());
            if (kernels > 0 && (kernels + more > launches || itsWork > multiplyAdds - work)) {
                end();
            }
            open.add(launch);
            kernels += more;
            work += itsWork;
        }

        private void end() {
            if (kernels > 1) {
                steps.add(new Step.Chain(open));
            } else {
                steps.addAll(open);
            }
            open.clear();
            kernels = 0;
            work = 0;
        }
    }

    private static long work(CheckedNode node) {
        return Math.min(node.multiplyAdds().orElse(Long.MAX_VALUE), Long.MAX_VALUE / 4);
    }
}
