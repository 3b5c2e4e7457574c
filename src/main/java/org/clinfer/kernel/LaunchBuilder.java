package org.clinfer.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.clinfer.describe.LaunchDescription;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.VariantDescription;
import org.clinfer.device.DeviceFacts;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;

/** Makes launches from their descriptions, for one use of an operator. */
final class LaunchBuilder {

    /** The text that may stand behind a build option: more could be a further option. */
    private static final Pattern MACRO_TEXT = Pattern.compile("[A-Za-z0-9_.+-]*");

    /** A use of an operator on a device, with the values of all names. */
    record Use(OperatorUse operator, DeviceFacts device, Scope scope) {}

    private final OpDescription op;
    private final VariantDescription variant;
    private final KernelSources sources;
    private final Use use;

    LaunchBuilder(OpDescription op, VariantDescription variant, KernelSources sources, Use use) {
        this.op = op;
        this.variant = variant;
        this.sources = sources;
        this.use = use;
    }

    /** The launches, repeated as described; those with nothing to do are left out. */
    List<KernelLaunch> launches(List<LaunchDescription> descriptions) {
        List<KernelLaunch> launches = new ArrayList<>();
        for (LaunchDescription launch : descriptions) {
            int repeats = launch.each().isEmpty() ? 1 : use.operator().variadicCount(op, launch.each());
            for (int index = 0; index < repeats; index++) {
                addLaunch(launch, new Frame(use, launch.each(), index), launches);
            }
        }
        return launches;
    }

    private static boolean isTrue(ExpressionValue value) {
        return value instanceof ExpressionValue.Bool flag && flag.value();
    }

    /** The names in force for one launch, and which tensor each argument name means. */
    record Frame(Use use, String each, int index) {

        Scope scope() {
            Scope outer = use.scope();
            if (each.isEmpty()) {
                return outer;
            }
            ExpressionValue all = outer.find(each).orElseThrow();
            ExpressionValue one = ((ExpressionValue.ListOf) all).elements().get(index);
            return outer.with(each, one).with("index", ExpressionValue.of(index));
        }
    }

    private void addLaunch(LaunchDescription launch, Frame frame, List<KernelLaunch> launches) {
        Scope scope = frame.scope();
        if (launch.when().isPresent() && !isTrue(launch.when().get().evaluate(scope))) {
            return;
        }
        List<Long> global = sizes(launch.global(), scope);
        if (global.contains(0L)) {
            return;
        }
        requireFewWorkItems(global);
        List<Long> local = sizes(launch.local(), scope);
        launches.add(new KernelLaunch(
                launch.file(),
                launch.entry(),
                options(launch, scope),
                new ArgumentBinder(op, variant, sources).arguments(launch, frame, scope),
                launch.each().isEmpty() ? -1 : frame.index(),
                rounded(global, local),
                local));
    }

    /** Drivers count work-items, or their groups, in 32 bits, and some end the process when the count does not fit. */
    private static void requireFewWorkItems(List<Long> global) {
        long items = 1;
        for (long size : global) {
            if (size > Integer.MAX_VALUE / items) {
                throw new IllegalArgumentException("a launch of " + global + " work-items, 2^31 or more");
            }
            items *= size;
        }
    }

    private static List<Long> sizes(List<Expr> expressions, Scope scope) {
        List<Long> sizes = new ArrayList<>();
        for (Expr expression : expressions) {
            if (!(expression.evaluate(scope) instanceof ExpressionValue.Int size) || size.value() < 0) {
                throw new IllegalArgumentException(
                        expression.where() + ": a launch size must be a number >= 0: " + expression.source());
            }
            sizes.add(size.value());
        }
        return sizes;
    }

    /** Global sizes rounded up to whole work-groups, as OpenCL before 2.0 demands; kernels test their bounds. */
    private static List<Long> rounded(List<Long> global, List<Long> local) {
        if (local.isEmpty()) {
            return global;
        }
        if (local.size() != global.size() || local.contains(0L)) {
            throw new IllegalArgumentException("work-group size " + local + " does not fit the global size " + global);
        }
        List<Long> rounded = new ArrayList<>();
        for (int axis = 0; axis < global.size(); axis++) {
            long group = local.get(axis);
            rounded.add((global.get(axis) + group - 1) / group * group);
        }
        return rounded;
    }

    private static String options(LaunchDescription launch, Scope scope) {
        StringBuilder options = new StringBuilder();
        launch.build().forEach((macro, expression) -> {
            ExpressionValue value = expression.evaluate(scope);
            options.append(options.isEmpty() ? "-D" : " -D").append(macro).append('=');
            options.append(macroText(value, expression));
        });
        return options.toString();
    }

    private static String macroText(ExpressionValue value, Expr expression) {
        if (value instanceof ExpressionValue.Bool flag) {
            return flag.value() ? "1" : "0";
        }
        if (value instanceof ExpressionValue.Text text
                && MACRO_TEXT.matcher(text.value()).matches()) {
            return text.value();
        }
        if (value instanceof ExpressionValue.Int || value instanceof ExpressionValue.Real) {
            return value.toString();
        }
        throw new IllegalArgumentException(
                expression.where() + ": a build option must be a number, a bool or a word, not " + value.described()
                        + ": " + expression.source());
    }
}
