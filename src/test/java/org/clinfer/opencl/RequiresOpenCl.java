package org.clinfer.opencl;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.clinfer.options.ClBinding;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that needs an OpenCL device. Without one it is skipped and says why; with {@code -Drequire.opencl=true} that
 * fails it.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(RequiresOpenClCondition.class)
public @interface RequiresOpenCl {

    /** The binding through which the device must be reached. */
    ClBinding value() default ClBinding.LWJGL;
}
