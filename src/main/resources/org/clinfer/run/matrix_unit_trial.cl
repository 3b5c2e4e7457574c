// Whether a compiler takes the instructions of matrix units: the program is built, and runs only with wgmma, where y says of
// each of a group's 128 items whether its sums are right.
//
// Macros: UNIT_PTX  1: mma.sync, ldmatrix and cp.async of PTX; UNIT_WGMMA  1: wgmma.mma_async of
//         PTX; 2: plain sums in its place; UNIT_DPAS  8 or 16: products of sub-groups of so many items
//         by cl_intel_subgroup_matrix_multiply_accumulate.
#ifndef UNIT_PTX
#define UNIT_PTX 0
#endif
#ifndef UNIT_WGMMA
#define UNIT_WGMMA 0
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
#elif UNIT_WGMMA
#define FIRST_BLOCKS 256
#define FIRST_WORDS 384
#define CHUNKS 416

static inline float value(int line, int term) {
    return (line * 3 + term * 5) % 7 - 3;
}

// Where the instruction looks for an element of 16 bits, or for word 2 * term of a line of TF32, with adjacent terms.
static inline int line_at(int line, int term) {
    return line * 32 + ((term / 8 ^ line / 2 % 4) * 8 + term % 8);
}

// The same with adjacent lines.
static inline int block_at(int line, int term) {
    return FIRST_BLOCKS * 8 + term * 64 + ((line / 8 ^ term % 8) * 8 + line % 8);
}

static inline ulong descriptor(__local const uint4 *at, int eight, int kind) {
    return (ulong)((uint)(size_t)at >> 4 & 0x3fff) | (ulong)1 << 16 | (ulong)(eight / 16) << 32 | (ulong)kind << 62;
}

__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void matrix_unit_trial(__global int *y) {
    __local uint4 operands[CHUNKS] __attribute__((aligned(1024)));
    __local half *halves = (__local half *)operands;
    __local float *words = (__local float *)(operands + FIRST_WORDS);
    const int item = get_local_id(0);
    for (int term = item / 64; term < 16; term += 2) {
        vstore_half(value(item % 64, term), line_at(item % 64, term), halves);
        vstore_half(value(item % 64, term), block_at(item % 64, term), halves);
        if (item % 64 < 8 && term < 8) {
            words[line_at(item % 64, 2 * term) / 2] = value(item % 64, term);
        }
    }
#if UNIT_WGMMA == 1
    __asm__ volatile("fence.proxy.async;" : : : "memory");
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    float sums[4] = {0, 0, 0, 0};
    float wanted[4] = {0, 0, 0, 0};
    const int first_row = item / 32 * 16 + item % 32 / 4;
    for (int part = 0; part < 4; ++part) {
        const int row = first_row + part / 2 * 8;
        const int column = item % 4 * 2 + part % 2;
        for (int term = 0; term < 16; ++term) {
            wanted[part] += value(row, term) * value(column, term) * (term < 8 ? 3 : 2);
#if UNIT_WGMMA == 2
            sums[part] += vload_half(line_at(row, term), halves) * vload_half(line_at(column, term), halves)
                    + vload_half(block_at(row, term), halves) * vload_half(block_at(column, term), halves)
                    + (term < 8 ? value(row, term) * words[line_at(column, 2 * term) / 2] : 0);
#endif
        }
    }
#if UNIT_WGMMA == 1
    __asm__ volatile(".target sm_90a\n\t"
                     "wgmma.fence.sync.aligned;\n\t"
                     "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %8, %8, 1, 1, 1, 0, 0;\n\t"
                     "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %9, %9, 1, 1, 1, 1, 1;\n\t"
                     "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %10, 1, 1, 1;\n\t"
                     "wgmma.commit_group.sync.aligned;\n\t"
                     "wgmma.wait_group.sync.aligned 0;"
                     : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                     : "r"(as_uint(value(first_row, item % 4))), "r"(as_uint(value(first_row + 8, item % 4))),
                     "r"(as_uint(value(first_row, item % 4 + 4))), "r"(as_uint(value(first_row + 8, item % 4 + 4))),
                     "l"(descriptor(operands, 512, 2)), "l"(descriptor(operands + FIRST_BLOCKS, 1024, 1)),
                     "l"(descriptor(operands + FIRST_WORDS, 512, 2))
                     : "memory");
#endif
    y[item] = sums[0] == wanted[0] && sums[1] == wanted[1] && sums[2] == wanted[2] && sums[3] == wanted[3];
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
