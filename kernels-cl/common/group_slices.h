// The sums of a tile as runs of 4, added up where a work-group cut its terms into slices: then each slice gets a share of
// the runs, so that all items take part in what follows. After common/group_tile.h.
//
// Macros: SLICES (common/group_tile.h); RUNS_DOWN  1: a run is 4 rows of a column, else 4 columns of a row.
// Gives:  QUADS  how many runs of the tile's sums an item has, of which QUADS_EACH are its share: gathered_sums;
//         quad_row, quad_column  row and column of the tile where the i-th of them begins; slice.
#ifndef CLINFER_GROUP_SLICES_H
#define CLINFER_GROUP_SLICES_H

#ifndef RUNS_DOWN
#define RUNS_DOWN 0
#endif

#define QUADS (EACH_ROWS * EACH_COLUMNS / 4)
#define QUADS_EACH (QUADS / SLICES)
// Of local memory that holds the operands of all slices: each slice hands over what is not its share.
#define PARTS_FIT ((SLICES - 1) * QUADS * GROUP_ITEMS * 4 <= SLICES * (LEFT_SIZE + RIGHT_SIZE))

static inline int slice(void) {
    return SLICES == 1 ? 0 : (int)get_local_id(2);
}

static inline int quad_row(int i) {
    const int quad = slice() * QUADS_EACH + i;
    return tile_row(quad / 4 % (EACH_ROWS / 4) * 4 + (RUNS_DOWN ? 0 : quad % 4));
}

static inline int quad_column(int i) {
    const int quad = slice() * QUADS_EACH + i;
    return tile_column(quad / 4 / (EACH_ROWS / 4), RUNS_DOWN ? quad % 4 : 0);
}

static inline void quads_of_sums(TERM4 quads[QUADS], TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4]) {
    _Pragma("unroll")
    for (int block = 0; block < QUADS / 4; ++block) {
        const int row = block % (EACH_ROWS / 4) * 4;
        const int column = block / (EACH_ROWS / 4);
        const TERM4 a = sums[row][column];
        const TERM4 b = sums[row + 1][column];
        const TERM4 c = sums[row + 2][column];
        const TERM4 d = sums[row + 3][column];
        quads[4 * block] = RUNS_DOWN ? (TERM4)(a.x, b.x, c.x, d.x) : a;
        quads[4 * block + 1] = RUNS_DOWN ? (TERM4)(a.y, b.y, c.y, d.y) : b;
        quads[4 * block + 2] = RUNS_DOWN ? (TERM4)(a.z, b.z, c.z, d.z) : c;
        quads[4 * block + 3] = RUNS_DOWN ? (TERM4)(a.w, b.w, c.w, d.w) : d;
    }
}

// This item's share of all slices' sums, added in the order of the slices; `tiles` held the operands, which nobody reads
// any more.
static inline __attribute__((always_inline)) void gathered_sums(
        TERM4 share[QUADS_EACH], TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4], __local TERM4 *tiles) {
#if SLICES == 1
    quads_of_sums(share, sums);
#else
    TERM4 quads[QUADS];
    quads_of_sums(quads, sums);
    __local TERM4 *parts = tiles + group_item();
    const int own = slice();
    _Pragma("unroll")
    for (int to = 0; to < SLICES; ++to) {
        _Pragma("unroll")
        for (int i = 0; i < QUADS_EACH; ++i) {
            if (to == own) {
                share[i] = quads[to * QUADS_EACH + i];
            } else {
                parts[((own * (SLICES - 1) + to - (to > own)) * QUADS_EACH + i) * GROUP_ITEMS] =
                        quads[to * QUADS_EACH + i];
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    _Pragma("unroll")
    for (int i = 0; i < QUADS_EACH; ++i) {
        TERM4 total = 0;
        _Pragma("unroll")
        for (int from = 0; from < SLICES; ++from) {
            const int place = (from * (SLICES - 1) + own - (own > from)) * QUADS_EACH + i;
            total += from == own ? share[i] : parts[(from == own ? 0 : place) * GROUP_ITEMS];
        }
        share[i] = total;
    }
#endif
}

#endif
