package org.clinfer.importer.caffe;

import java.util.List;

/** The layers of the network in use: its phase is TEST, its level and stages are those that the file gives it. */
final class Inclusion {

    private static final int MOST_LEVEL = Integer.MAX_VALUE;

    private final long level;
    private final List<String> stages;

    private Inclusion(long level, List<String> stages) {
        this.level = level;
        this.stages = List.copyOf(stages);
    }

    static Inclusion of(CaffeFields net) {
        CaffeFields state = net.message("state");
        return new Inclusion(state.integer("level", 0, Integer.MIN_VALUE, MOST_LEVEL), state.texts("stage"));
    }

    /** {@return whether a layer has a rule that includes it, or none that excludes it} */
    boolean includes(CaffeFields layer) {
        List<CaffeFields> include = layer.messages("include");
        List<CaffeFields> exclude = layer.messages("exclude");
        if (include.isEmpty()) {
            return exclude.stream().noneMatch(this::meets);
        }
        return include.stream().anyMatch(this::meets);
    }

    private boolean meets(CaffeFields rule) {
        return rule.choice("phase", "TEST", "TRAIN", "TEST").equals("TEST")
                && rule.integer("min_level", level, Integer.MIN_VALUE, MOST_LEVEL) <= level
                && rule.integer("max_level", level, Integer.MIN_VALUE, MOST_LEVEL) >= level
                && stages.containsAll(rule.texts("stage"))
                && rule.texts("not_stage").stream().noneMatch(stages::contains);
    }
}
