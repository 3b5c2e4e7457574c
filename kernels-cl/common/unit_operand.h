// An operand of a matrix product as the kernels for matrix units read it: lines (rows of A, columns of B) of terms in
// memory. After common/matrix_unit.h.
//
// Gives:  Operand; tile_of_group  the tile that a group computes.
#ifndef CLINFER_UNIT_OPERAND_H
#define CLINFER_UNIT_OPERAND_H

// Rows of tiles whose groups follow one another, so that they find the same columns in the cache.
#define BAND_ROWS 8

// Where an operand begins for a tile, of how many lines and terms there are more, and how far they lie apart.
typedef struct {
    __global const STORED *from;
    int lines;
    int terms;
    int line_stride;
    int term_stride;
} Operand;

// The tile of this group, [row, column], by bands of rows.
static inline int2 tile_of_group(int rows, int column_tiles) {
    const int row_tiles = (rows + TILE - 1) / TILE;
    const int band = (int)get_group_id(0) / (BAND_ROWS * column_tiles);
    const int within = (int)get_group_id(0) % (BAND_ROWS * column_tiles);
    const int band_rows = min(BAND_ROWS, row_tiles - band * BAND_ROWS);
    return (int2)(band * BAND_ROWS + within % band_rows, within / band_rows);
}

#endif
