package org.clinfer.device;

/** The way in which programs reach a device's matrix units, which multiply small matrices in one instruction. */
public enum MatrixUnits {

    /** There are none, or its compiler does not let programs use them. */
    NONE,

    /** NVIDIA's from compute capability 8.0 on, by PTX within OpenCL C. */
    PTX,

    /** NVIDIA's of compute capability 9.0, whose groups of four waves multiply what lies in local memory, likewise. */
    WGMMA,

    /** Intel's, by cl_intel_subgroup_matrix_multiply_accumulate, in sub-groups of 8. */
    DPAS8,

    /** The same in sub-groups of 16. */
    DPAS16,

    /** PTX's instructions in plain OpenCL C: a device that says so shows whether kernels for it are right. */
    EMULATED,

    /** Those of WGMMA, likewise. */
    EMULATED_WGMMA,

    /** Those of DPAS8, likewise. */
    EMULATED_DPAS8,

    /** Those of DPAS16, likewise. */
    EMULATED_DPAS16
}
