// What common/matrix_unit.h needs of NVIDIA's matrix units from compute capability 8.0 on, in PTX: mma.sync, ldmatrix and
// cp.async, as "Parallel Thread Execution ISA" describes them. Addresses of local memory are those of PTX's shared space.
//
// Gives:  Unit, UNIT_LOCAL, UNIT_UNROLL; copy_chunk, end_copies, await_copies; load_rows, load_columns  four matrices of
//         8 x 16 bytes, of which item i has the address of line i % 8 of matrix i / 8; round_words; multiply_add.
#ifndef CLINFER_MATRIX_UNIT_PTX_H
#define CLINFER_MATRIX_UNIT_PTX_H

typedef int Unit;

#define UNIT_LOCAL(unit) const Unit unit = 0
#define UNIT_UNROLL _Pragma("unroll")

static inline uint shared_address(__local const uint4 *at) {
    return (uint)(size_t)at;
}

// Copies a chunk, or writes zeros where it does not exist.
static inline void copy_chunk(__local uint4 *to, __global const void *from, bool exists) {
    const uint bytes = exists ? 16 : 0;
    __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                     :
                     : "r"(shared_address(to)), "l"(from), "r"(bytes)
                     : "memory");
}

// Ends what await_copies counts as one.
static inline void end_copies(void) {
    __asm__ volatile("cp.async.commit_group;" : : : "memory");
}

// Waits until all copies of this item are done but those ended last, STAGES - 2 times.
static inline void await_copies(void) {
    __asm__ volatile("cp.async.wait_group 1;" : : : "memory");
}

static inline void load_rows(Unit unit, __local const uint4 *slab, int at, uint *words) {
    __asm__ volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                     : "r"(shared_address(slab + at))
                     : "memory");
}

static inline void load_columns(Unit unit, __local const uint4 *slab, int at, uint *words) {
    __asm__ volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                     : "r"(shared_address(slab + at))
                     : "memory");
}

static inline void round_words(uint *words) {
#if ELEMENT_KIND == 7
    UNIT_UNROLL
    for (int i = 0; i < 4; ++i) {
        uint rounded_word;
        __asm__("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded_word) : "f"(as_float(words[i])));
        words[i] = rounded_word;
    }
#endif
}

#if ELEMENT_KIND == 5
#define UNIT_MULTIPLY "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
#elif ELEMENT_KIND == 6
#define UNIT_MULTIPLY "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
#else
#define UNIT_MULTIPLY "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"
#endif

static inline void multiply_add(Unit unit, const uint *rows, const uint *columns, float *sums) {
    __asm__ volatile(UNIT_MULTIPLY " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                     : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(columns[0]), "r"(columns[1]));
}

#endif
