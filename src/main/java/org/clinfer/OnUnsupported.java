package org.clinfer;

/** The fate of nodes that the device does not take. */
public enum OnUnsupported {

    /** The CPU computes them. */
    CPU,

    /**
     * The model is refused with a {@link org.clinfer.graph.FallbackException} that names all of them: when it is loaded if
     * the shapes of its inputs are known, else when it is first planned for some. Also a device that fails is not replaced
     * by the CPU, and {@link DeviceChoice.Auto} leaves nothing to it. Operators that only decide shapes, and control flow,
     * are the host's in any case.
     */
    FAIL
}
