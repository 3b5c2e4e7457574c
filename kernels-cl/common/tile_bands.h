// The order in which groups compute the tiles of a matrix product. After common/matrix_unit.h.
//
// Gives:  tile_of_group  the tile that a group computes.
#ifndef CLINFER_TILE_BANDS_H
#define CLINFER_TILE_BANDS_H

// Rows of tiles whose groups follow one another, so that they find the same columns in the cache.
#define BAND_ROWS 8

// The tile of this group, [row, column], by bands of rows.
static inline int2 tile_of_group(int rows, int column_tiles) {
    const int row_tiles = (rows + TILE - 1) / TILE;
    const int band = (int)get_group_id(0) / (BAND_ROWS * column_tiles);
    const int within = (int)get_group_id(0) % (BAND_ROWS * column_tiles);
    const int band_rows = min(BAND_ROWS, row_tiles - band * BAND_ROWS);
    return (int2)(band * BAND_ROWS + within % band_rows, within / band_rows);
}

#endif
