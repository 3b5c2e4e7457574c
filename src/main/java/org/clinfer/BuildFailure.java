package org.clinfer;

import java.util.Optional;
import org.clinfer.opencl.BuildError;
import org.clinfer.opencl.ClBuildException;

/**
 * A kernel that the device's compiler refused; runs do without its variant.
 *
 * @param variant the unique name of the kernel variant
 * @param reason the first error in one line, with file and line where the compiler says them
 * @param log all that the compiler said
 */
public record BuildFailure(String variant, String reason, String log) {

    static BuildFailure of(String variant, ClBuildException failure) {
        Optional<BuildError> error = BuildError.first(failure.log());
        String reason = error.map(found -> (found.file().isEmpty() ? failure.label() : found.file()) + ":"
                        + found.line() + ": " + found.text())
                .orElseGet(() -> failure.label() + ": the build log names no line");
        return new BuildFailure(variant, reason, failure.log());
    }
}
