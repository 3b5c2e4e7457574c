// Whether a compiler takes the instructions of matrix units: the program is built and never runs.
//
// Macros: UNIT_PTX  1: mma.sync, ldmatrix and cp.async of PTX; UNIT_DPAS  8 or 16: products of sub-groups of so many items
//         by cl_intel_subgroup_matrix_multiply_accumulate.
#ifndef UNIT_PTX
#define UNIT_PTX 0
#endif
#ifndef UNIT_DPAS
#define UNIT_DPAS 0
#endif

#if UNIT_DPAS
__kernel __attribute__((intel_reqd_sub_group_size(UNIT_DPAS)))
void matrix_unit_trial(__global const int8 *x, __global float8 *y) {
    const int item = get_local_id(0);
    const int8 rows = x[item];
    float8 sums = 0;
#if UNIT_DPAS == 8
    sums = intel_sub_group_f16_f16_matrix_mad_k16(rows, x[item + 8], sums);
    y[item] = intel_sub_group_bf16_bf16_matrix_mad_k16(rows, x[item + 8], sums);
#else
    sums = intel_sub_group_f16_f16_matrix_mad_k16(convert_short8(rows), x[item + 16], sums);
    y[item] = intel_sub_group_bf16_bf16_matrix_mad_k16(convert_short8(rows), x[item + 16], sums);
#endif
}
#else
__kernel void matrix_unit_trial(__global const uint4 *x, __global float4 *y) {
#if UNIT_PTX
    __local uint4 rows[32];
    const int item = get_local_id(0);
    const uint at = (uint)(size_t)(rows + item);
    __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(at), "l"(x + item), "r"(16) : "memory");
    __asm__ volatile("cp.async.commit_group;" : : : "memory");
    __asm__ volatile("cp.async.wait_group 0;" : : : "memory");
    barrier(CLK_LOCAL_MEM_FENCE);
    uint a, b, c, d;
    __asm__ volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "r"(at)
                     : "memory");
    uint t;
    __asm__("cvt.rna.tf32.f32 %0, %1;" : "=r"(t) : "f"(as_float(a)));
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    __asm__ volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3)
                     : "r"(a), "r"(b), "r"(c), "r"(d), "r"(a), "r"(b));
    __asm__ volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                     "{%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"
                     : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3)
                     : "r"(t));
    y[item] = (float4)(s0, s1, s2, s3);
#else
    y[get_local_id(0)] = as_float4(x[get_local_id(0)]);
#endif
}
#endif
