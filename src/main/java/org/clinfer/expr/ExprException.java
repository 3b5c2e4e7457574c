package org.clinfer.expr;

import org.clinfer.errors.ClinferException;

/** An expression that cannot be read or evaluated; the message names where it stands, the reason and the position. */
public final class ExprException extends ClinferException {

    private static final long serialVersionUID = 1L;

    private final String reason;
    private final int position;

    ExprException(String where, String source, int position, String reason) {
        super((where.isEmpty() ? "" : where + ": ") + reason + ", at column " + (position + 1) + " of: "
                + abbreviated(source));
        this.reason = reason;
        this.position = position;
    }

    private static String abbreviated(String source) {
        return source.length() <= 200 ? source : source.substring(0, 200) + "…";
    }

    /** The mistake, without the place. */
    public String reason() {
        return reason;
    }

    /** Offset in the source, from 0. */
    public int position() {
        return position;
    }
}
