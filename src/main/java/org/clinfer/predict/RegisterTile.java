package org.clinfer.predict;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clinfer.costs.MachineCosts;
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

    private static final MachineCosts.Tiles COSTS = MachineCosts.builtIn().tiles();

    /** The tiles there are, by their rows. */
    private static final Map<Long, RegisterTile> TILES = Map.of(
            128L, new RegisterTile(128, 128, 16, 16),
            64L, new RegisterTile(64, 64, 8, 16),
            32L, new RegisterTile(32, 32, 8, 8),
            16L, new RegisterTile(16, 128, 4, 32));

    private static final long SMALL_ROWS = 32;
    private static final long DEPTH = 8;
    private static final long SMALL_DEPTH = 16;

    /** Elements that a line of a tile has more, so that neighbouring work-items meet different banks. */
    private static final long PITCH = 4;

    /** The tile of a launch; empty where it computes none, as what ends the sums of a tile's program. */
    static Optional<RegisterTile> of(KernelLaunch launch) {
        Matcher option = TILE.matcher(launch.options());
        return option.find()
                ? Optional.ofNullable(TILES.get(Long.parseLong(option.group(1))))
                        .filter(tile -> tile.isOf(launch.local()))
                : Optional.empty();
    }

    private boolean isOf(List<Long> local) {
        return local.size() >= 2 && local.get(0) == groupColumns && local.get(1) == groupRows;
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

    /** Registers of a work-item. */
    long registers() {
        return COSTS.registers().get(COSTS.sizes().indexOf(rows));
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
