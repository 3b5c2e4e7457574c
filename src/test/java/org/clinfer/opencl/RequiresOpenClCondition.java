package org.clinfer.opencl;

import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.slf4j.LoggerFactory;

/** Decides for {@link RequiresOpenCl}. */
final class RequiresOpenClCondition implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<RequiresOpenCl> wanted = AnnotationSupport.findAnnotation(context.getElement(), RequiresOpenCl.class);
        if (wanted.isEmpty()) {
            return ConditionEvaluationResult.enabled("needs no OpenCL");
        }
        boolean required = Boolean.getBoolean("require.opencl");
        ClLoad load = OpenCl.open(wanted.get().value());
        if (load instanceof ClLoad.Available available) {
            KeptContext.keep(available.openCl());
        }
        return decide(context.getDisplayName(), load, required);
    }

    /** Runs with a device, skips without, and fails without when one is required. */
    static ConditionEvaluationResult decide(String test, ClLoad load, boolean required) {
        if (load instanceof ClLoad.Missing missing) {
            if (required) {
                throw new AssertionError("require.opencl is set, but " + missing.reason());
            }
            LoggerFactory.getLogger(RequiresOpenCl.class).warn("{} skipped: {}", test, missing.reason());
            return ConditionEvaluationResult.disabled(missing.reason());
        }
        return ConditionEvaluationResult.enabled("OpenCL is there");
    }
}
