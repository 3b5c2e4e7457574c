package org.clinfer.opencl;

/** The Java library through which OpenCL is called. */
public enum Binding {
    LWJGL,
    JOCL
}
