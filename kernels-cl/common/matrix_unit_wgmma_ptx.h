// What common/matrix_unit_wgmma.h needs of wgmma in PTX. NVIDIA's OpenCL compiler names the target sm_90, which has no wgmma,
// and assembles for sm_90a, which has it: a directive within the statement names that one. All products of a slab stand in
// one statement, because an instruction between them that copies a sum would make the assembler end each before the next.
//
// Gives:  show_copies, multiply_described, multiply_words, end_products, end_sums.
#ifndef CLINFER_MATRIX_UNIT_WGMMA_PTX_H
#define CLINFER_MATRIX_UNIT_WGMMA_PTX_H

#define WGMMA_TARGET ".target sm_90a\n\t"
#define WGMMA_END "wgmma.commit_group.sync.aligned;"
#define WGMMA_BEGIN WGMMA_TARGET "wgmma.fence.sync.aligned;\n\t"

#if ELEMENT_KIND == 5
#define WGMMA_TYPES "k16.f32.f16.f16 "
#elif ELEMENT_KIND == 6
#define WGMMA_TYPES "k16.f32.bf16.bf16 "
#else
#define WGMMA_TYPES "k8.f32.tf32.tf32 "
#endif
#if READ_SIDE != 0 && ELEMENT_KIND == 7
#define WGMMA_SCALES ", 1, 1, 1;\n\t"
#elif READ_SIDE != 0
#define WGMMA_SCALES ", 1, 1, 1, 1;\n\t"
#elif LEFT_ADJACENT && RIGHT_ADJACENT
#define WGMMA_SCALES ", 1, 1, 1, 0, 0;\n\t"
#elif LEFT_ADJACENT
#define WGMMA_SCALES ", 1, 1, 1, 0, 1;\n\t"
#elif RIGHT_ADJACENT
#define WGMMA_SCALES ", 1, 1, 1, 1, 0;\n\t"
#else
#define WGMMA_SCALES ", 1, 1, 1, 1, 1;\n\t"
#endif

#define SUMS_OF(i, j) "+f"(sums[i][j][0]), "+f"(sums[i][j][1]), "+f"(sums[i][j][2]), "+f"(sums[i][j][3])
#define SUMS_OF_4(i, j) SUMS_OF(i, j), SUMS_OF(i, j + 1), SUMS_OF(i, j + 2), SUMS_OF(i, j + 3)
#define SUMS_OF_8(i, j) SUMS_OF_4(i, j), SUMS_OF_4(i, j + 4)
#define WORDS_OF(step, i) \
    "r"(words[step][i][0]), "r"(words[step][i][1]), "r"(words[step][i][2]), "r"(words[step][i][3])
#define LINES_OF(slab, i, step, adjacent) "l"(described_lines(slab, i, step, adjacent).bits)

#if TILE == 128
#define SUMS SUMS_OF_8(0, 0), SUMS_OF_8(0, 8), SUMS_OF_8(1, 0), SUMS_OF_8(1, 8)
#define FIRST_SUMS \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
    "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, " \
    "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, " \
    "%62, %63"
#define SECOND_SUMS \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, " \
    "%84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, " \
    "%103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, " \
    "%119, %120, %121, %122, %123, %124, %125, %126, %127"
#define WGMMA(sums, left, right) \
    "wgmma.mma_async.sync.aligned.m64n128" WGMMA_TYPES "{" sums "}, " left ", " right WGMMA_SCALES
#else
#define SUMS SUMS_OF_8(0, 0)
#define FIRST_SUMS \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
    "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define WGMMA(sums, left, right) \
    "wgmma.mma_async.sync.aligned.m64n64" WGMMA_TYPES "{" sums "}, " left ", " right WGMMA_SCALES
#endif

#if READ_SIDE == 0
static inline __attribute__((always_inline)) void multiply_described(
        float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS], __local const uint4 *left, __local const uint4 *right) {
#if TILE == 128
    __asm__ volatile(WGMMA_BEGIN WGMMA(FIRST_SUMS, "%128", "%130") WGMMA(SECOND_SUMS, "%129", "%130")
                             WGMMA(FIRST_SUMS, "%131", "%133") WGMMA(SECOND_SUMS, "%132", "%133") WGMMA_END
                     : SUMS
                     : LINES_OF(left, 0, 0, LEFT_ADJACENT), LINES_OF(left, 1, 0, LEFT_ADJACENT),
                     LINES_OF(right, 0, 0, RIGHT_ADJACENT), LINES_OF(left, 0, 1, LEFT_ADJACENT),
                     LINES_OF(left, 1, 1, LEFT_ADJACENT), LINES_OF(right, 0, 1, RIGHT_ADJACENT)
                     : "memory");
#else
    __asm__ volatile(WGMMA_BEGIN WGMMA(FIRST_SUMS, "%32", "%33") WGMMA(FIRST_SUMS, "%34", "%35") WGMMA_END
                     : SUMS
                     : LINES_OF(left, 0, 0, LEFT_ADJACENT), LINES_OF(right, 0, 0, RIGHT_ADJACENT),
                     LINES_OF(left, 0, 1, LEFT_ADJACENT), LINES_OF(right, 0, 1, RIGHT_ADJACENT)
                     : "memory");
#endif
}
#else
static inline __attribute__((always_inline)) void multiply_words(
        Unit unit,
        float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS],
        uint words[UNIT_STEPS][WAVE_ROWS][4],
        __local const uint4 *slab) {
#if STRAIGHT
    __asm__ volatile(WGMMA_BEGIN WGMMA(FIRST_SUMS, "{%128, %129, %130, %131}", "%160")
                             WGMMA(SECOND_SUMS, "{%132, %133, %134, %135}", "%160")
                                     WGMMA(FIRST_SUMS, "{%136, %137, %138, %139}", "%161")
                                             WGMMA(SECOND_SUMS, "{%140, %141, %142, %143}", "%161")
                             WGMMA(FIRST_SUMS, "{%144, %145, %146, %147}", "%162")
                                     WGMMA(SECOND_SUMS, "{%148, %149, %150, %151}", "%162")
                                             WGMMA(FIRST_SUMS, "{%152, %153, %154, %155}", "%163")
                                                     WGMMA(SECOND_SUMS, "{%156, %157, %158, %159}", "%163") WGMMA_END
                     : SUMS
                     : WORDS_OF(0, 0), WORDS_OF(0, 1), WORDS_OF(1, 0), WORDS_OF(1, 1), WORDS_OF(2, 0), WORDS_OF(2, 1),
                     WORDS_OF(3, 0), WORDS_OF(3, 1), LINES_OF(slab, 0, 0, READ_ADJACENT),
                     LINES_OF(slab, 0, 1, READ_ADJACENT), LINES_OF(slab, 0, 2, READ_ADJACENT),
                     LINES_OF(slab, 0, 3, READ_ADJACENT)
                     : "memory");
#elif TILE == 128
    __asm__ volatile(WGMMA_BEGIN WGMMA(FIRST_SUMS, "{%128, %129, %130, %131}", "%144")
                             WGMMA(SECOND_SUMS, "{%132, %133, %134, %135}", "%144")
                                     WGMMA(FIRST_SUMS, "{%136, %137, %138, %139}", "%145")
                                             WGMMA(SECOND_SUMS, "{%140, %141, %142, %143}", "%145") WGMMA_END
                     : SUMS
                     : WORDS_OF(0, 0), WORDS_OF(0, 1), WORDS_OF(1, 0), WORDS_OF(1, 1), LINES_OF(slab, 0, 0, 1),
                     LINES_OF(slab, 0, 1, 1)
                     : "memory");
#else
    __asm__ volatile(WGMMA_BEGIN WGMMA(FIRST_SUMS, "{%32, %33, %34, %35}", "%40")
                             WGMMA(FIRST_SUMS, "{%36, %37, %38, %39}", "%41") WGMMA_END
                     : SUMS
                     : WORDS_OF(0, 0), WORDS_OF(1, 0), LINES_OF(slab, 0, 0, 1), LINES_OF(slab, 0, 1, 1)
                     : "memory");
#endif
}
#endif

// Lets the instructions see what this item has written to local memory: without the scope the fence is one of all memory of
// the whole device, which took as long as all products of a slab.
static inline void show_copies(void) {
    __asm__ volatile("fence.proxy.async.shared::cta;" : : : "memory");
}

// Waits until the products are added and both slabs may be written again.
static inline void end_products(
        Unit unit, __local const uint4 *left, __local const uint4 *right, float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS]) {
    __asm__ volatile(WGMMA_TARGET "wgmma.wait_group.sync.aligned 0;" : : : "memory");
}

// Keeps the compiler from reading sums before the last end_products.
static inline __attribute__((always_inline)) void end_sums(float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS]) {
    __asm__ volatile("" : SUMS : : "memory");
}

#endif
