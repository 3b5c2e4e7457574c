package org.clinfer.options;

/** The Java libraries through which OpenCL can be reached, in the order in which they are tried. */
public enum ClBinding {
    /** The default: fastest calls. */
    LWJGL,
    /** For systems whose C library is too old for LWJGL. */
    JOCL
}
