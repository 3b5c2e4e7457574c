// Sums of products of lines of terms, for which the items of a work-group take turns along the terms, and what these
// have is added at the end. After common/quads.h.
//
// Macros: LINES, EACH  sums of an item; GROUP_ITEMS, GROUP_TERMS  items of a work-group of one axis, and how many of
//         them share the terms of a sum: powers of 2; TERMS_ADJACENT  1: neighbouring items take neighbouring terms
//         (default), 0: neighbouring lines.
// Gives:  GROUP_LINES, ITEM_LINE, ITEM_TERM  lines of items in a group, the item's place among them and along the
//         terms; clear_joined, join_terms  the sums, and those of all items along the terms for the first of them.
#ifndef CLINFER_JOINED_TERMS_H
#define CLINFER_JOINED_TERMS_H

#ifndef TERMS_ADJACENT
#define TERMS_ADJACENT 1
#endif

#define GROUP_LINES (GROUP_ITEMS / GROUP_TERMS)

#if TERMS_ADJACENT
#define ITEM_TERM ((int)get_local_id(0) % GROUP_TERMS)
#define ITEM_LINE ((int)get_local_id(0) / GROUP_TERMS)
#define NEXT_TERM 1
#else
#define ITEM_TERM ((int)get_local_id(0) / GROUP_LINES)
#define ITEM_LINE ((int)get_local_id(0) % GROUP_LINES)
#define NEXT_TERM GROUP_LINES
#endif

static inline __attribute__((always_inline)) void clear_joined(TERM sums[LINES][EACH]) {
    _Pragma("unroll")
    for (int i = 0; i < LINES * EACH; ++i) {
        sums[i / EACH][i % EACH] = 0;
    }
}

// `shared` has LINES * EACH * GROUP_ITEMS elements.
static inline __attribute__((always_inline)) void join_terms(TERM sums[LINES][EACH], __local TERM *shared) {
    const int item = get_local_id(0);
    _Pragma("unroll")
    for (int others = GROUP_TERMS / 2; others > 0; others /= 2) {
        if (ITEM_TERM >= others && ITEM_TERM < 2 * others) {
            _Pragma("unroll")
            for (int i = 0; i < LINES * EACH; ++i) {
                shared[i * GROUP_ITEMS + item] = sums[i / EACH][i % EACH];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (ITEM_TERM < others) {
            _Pragma("unroll")
            for (int i = 0; i < LINES * EACH; ++i) {
                sums[i / EACH][i % EACH] += shared[i * GROUP_ITEMS + item + others * NEXT_TERM];
            }
        }
    }
}

#endif
