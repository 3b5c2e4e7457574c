package org.clinfer.cpu.call;

import org.clinfer.errors.ClinferException;

/** Elements that an operator is not defined for, such as an index outside its axis; found only while it runs. */
public final class DataException extends ClinferException {

    private static final long serialVersionUID = 1L;

    public DataException(String message) {
        super(message);
    }
}
