package org.clinfer.device;

/** The way in which programs reach a device's matrix units, which multiply small matrices in one instruction. */
public enum MatrixUnits {

    /** There are none, or its compiler does not let programs use them. */
    NONE,

    /** NVIDIA's from compute capability 8.0 on, by PTX within OpenCL C. */
    PTX,

    /** What they do, in plain OpenCL C: a device that says so shows whether kernels for them are right. */
    EMULATED
}
