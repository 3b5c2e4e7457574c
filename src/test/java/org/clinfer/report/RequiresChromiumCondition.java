package org.clinfer.report;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Decides for {@link RequiresChromium}. */
final class RequiresChromiumCondition implements ExecutionCondition {

    private static final String REASON = "no Chromium is on the path (apt-get install chromium)";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (Chromium.find().isPresent()) {
            return ConditionEvaluationResult.enabled("Chromium is there");
        }
        if (Boolean.getBoolean("require.chromium")) {
            throw new AssertionError("require.chromium is set, but " + REASON);
        }
        LoggerFactory.getLogger(RequiresChromium.class).warn("{} skipped: {}", context.getDisplayName(), REASON);
        return ConditionEvaluationResult.disabled(REASON);
    }
}
