package org.clinfer.cli.bench;

import org.clinfer.errors.ClinferException;

/** The program to compare with is not there, or fails; the message says which and why. */
public final class PeerException extends ClinferException {

    private static final long serialVersionUID = 1L;

    public PeerException(String message) {
        super(message);
    }

    PeerException(String message, Throwable cause) {
        super(message, cause);
    }
}
