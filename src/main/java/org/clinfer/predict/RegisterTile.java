package org.clinfer.predict;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clinfer.kernel.KernelLaunch;

/**
 * The tile of a product that a work-group computes, in parts that its work-items keep in registers ({@code
 * common/group_tile.h}).
 *
 * @param rows rows of the tile
 * @param columns columns of the tile
 * @param groupRows work-items of a group along the rows
 * @param groupColumns work-items of a group along the columns
 */
public record RegisterTile(long rows, long columns, long groupRows, long groupColumns) {

    private static final Pattern TILE = Pattern.compile("-DTILE=(\\d+)(?!\\S)");

    /** The tile of 16 rows has this many columns; the others are square. */
    private static final long NARROW_ROWS = 16;

    private static final long NARROW_COLUMNS = 128;

    private static final long SMALL_ROWS = 32;
    private static final long DEPTH = 8;
    private static final long SMALL_DEPTH = 16;

    /** Elements that a line of a tile has more, so that neighbouring work-items meet different banks. */
    private static final long PITCH = 4;

    /** The tile of a launch; empty where it computes none. */
    static Optional<RegisterTile> of(KernelLaunch launch) {
        Matcher option = TILE.matcher(launch.options());
        List<Long> local = launch.local();
        if (local.size() < 2 || !option.find()) {
            return Optional.empty();
        }
        long rows = Long.parseLong(option.group(1));
        long columns = rows == NARROW_ROWS ? NARROW_COLUMNS : rows;
        return rows % local.get(1) == 0 && columns % local.get(0) == 0
                ? Optional.of(new RegisterTile(rows, columns, local.get(1), local.get(0)))
                : Optional.empty();
    }

    /** Elements of the tile. */
    long elements() {
        return rows * columns;
    }

    /** Terms that go through local memory at a time. */
    long depth() {
        return rows == SMALL_ROWS ? SMALL_DEPTH : DEPTH;
    }

    /** Elements that a work-item reads from local memory for each of its products. */
    double readsPerProduct() {
        double eachRows = (double) rows / groupRows;
        double eachColumns = (double) columns / groupColumns;
        return (eachRows + eachColumns) / (eachRows * eachColumns);
    }

    /** Bytes of local memory of both operands, each in two halves. */
    long localBytes() {
        return 2 * depth() * (rows + columns + 2 * PITCH) * Float.BYTES;
    }

    /** As {@code 64x64}. */
    @Override
    public String toString() {
        return rows + "x" + columns;
    }
}
