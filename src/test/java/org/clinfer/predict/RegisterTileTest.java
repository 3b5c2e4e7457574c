package org.clinfer.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Offset;
import org.clinfer.costs.MachineCosts;
import org.clinfer.kernel.KernelLaunch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tiles that times are predicted with are those of the kernels. */
class RegisterTileTest {

    private static final MachineCosts.Tiles COSTS = MachineCosts.builtIn().tiles();

    private static KernelLaunch launch(String options, Long... local) {
        List<Long> global = List.of(local);
        return new KernelLaunch("a.cl", "a", options, Map.of(), -1, global, List.of(local));
    }

    private static RegisterTile tile(int rows) {
        return switch (rows) {
            case 128 ->
                RegisterTile.of(launch("-DELEMENT=float32 -DTILE=128", 16L, 16L, 1L))
                        .orElseThrow();
            case 64 ->
                RegisterTile.of(launch("-DTILE=64 -DSPLIT=1", 16L, 8L, 1L)).orElseThrow();
            case 32 -> RegisterTile.of(launch("-DTILE=32", 8L, 8L)).orElseThrow();
            default -> RegisterTile.of(launch("-DTILE=16", 32L, 4L, 1L)).orElseThrow();
        };
    }

    /** The macros of a tile in the header, from its {@code #if} on. */
    private static long macro(int rows, String name) throws IOException {
        String header = Files.readString(Path.of("kernels-cl/common/group_tile.h"));
        String begin = rows == 16 ? "#else\n" : "TILE == " + rows + "\n";
        Matcher found = Pattern.compile("#define " + name + " (\\d+)")
                .matcher(header.substring(header.indexOf(begin, header.indexOf("TILE == 128"))));
        assertThat(found.find()).isTrue();
        return Long.parseLong(found.group(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 64, 32, 16})
    void tilesAreThoseOfTheHeader(int rows) throws IOException {
        RegisterTile tile = tile(rows);
        assertThat(tile.groupRows()).isEqualTo(macro(rows, "GROUP_ROWS"));
        assertThat(tile.groupColumns()).isEqualTo(macro(rows, "GROUP_COLUMNS"));
        assertThat(tile.rows()).isEqualTo(macro(rows, "EACH_ROWS") * tile.groupRows());
        assertThat(tile.columns()).isEqualTo(macro(rows, "EACH_COLUMNS") * tile.groupColumns());
        assertThat(tile.depth()).isEqualTo(macro(rows, "DEPTH"));
        double reads = COSTS.localReads().get(COSTS.sizes().indexOf((long) rows));
        assertThat(16 * tile.readsPerProduct()).isCloseTo(reads, Offset.offset(1e-9));
    }

    /** As compilers say: 16896 bytes for the tile of 128, 9216 for that of 32. */
    @Test
    void localMemoryIsThatOfBothOperandsInTwoHalves() {
        assertThat(tile(128).localBytes()).isEqualTo(16896);
        assertThat(tile(32).localBytes()).isEqualTo(9216);
    }

    @Test
    void whatEndsTheSumsOfATileComputesNone() {
        assertThat(RegisterTile.of(launch("-DTILE=64", 64L))).isEmpty();
        assertThat(RegisterTile.of(launch("-DTILE=64", 64L, 1L, 1L))).isEmpty();
        assertThat(RegisterTile.of(launch("-DTILE_ROWS=64", 16L, 8L))).isEmpty();
        assertThat(tile(16)).hasToString("16x128");
    }
}
