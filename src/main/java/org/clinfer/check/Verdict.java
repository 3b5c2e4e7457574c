package org.clinfer.check;

/** The verdict of the checker on one node. */
public enum Verdict {
    /** The device runs it. */
    ON_DEVICE("on-device"),
    /** The device refuses it, the CPU runs it. */
    FALLS_BACK("falls-back"),
    /** Neither the device nor the CPU can. */
    UNSUPPORTED("unsupported"),
    /** A dimension or limit is not known, so there is no answer. */
    UNKNOWN("unknown"),
    /** The model breaks the operator's own description. */
    INVALID("invalid");

    private final String label;

    Verdict(String label) {
        this.label = label;
    }

    /** {@return the word in reports} */
    public String label() {
        return label;
    }
}
