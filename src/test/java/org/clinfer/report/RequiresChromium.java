package org.clinfer.report;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that needs the browser Chromium. Without one it is skipped and says why; with {@code
 * -Drequire.chromium=true} that fails it.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresChromiumCondition.class)
public @interface RequiresChromium {}
