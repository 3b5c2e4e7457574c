package org.clinfer.profile;

import java.util.Locale;

/** How a vendor's restrictions are read where the document and the vendor's own checks differ. */
public enum Reading {
    /** The published text, with its evident misprints corrected. */
    DOCUMENT,
    /** What the vendor's own checks do. */
    CODE;

    /** The word in files and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
