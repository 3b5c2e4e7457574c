package org.clinfer.run;

import org.clinfer.opencl.ClException;

/** The elements of a value were on a device that was lost. */
public final class LostValueException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LostValueException() {
        super("the value was on a device that was lost");
    }

    LostValueException(ClException cause) {
        super("the value was on a device that does not give it back", cause);
    }
}
