package org.clinfer.serve;

import org.clinfer.errors.ClinferException;

/** A request that is refused, with one sentence for the client. */
public final class ServiceException extends ClinferException {

    private static final long serialVersionUID = 1L;

    private final ServiceError error;

    public ServiceException(ServiceError error, String sentence) {
        super(sentence);
        this.error = error;
    }

    /** The kind of refusal. */
    public ServiceError error() {
        return error;
    }
}
