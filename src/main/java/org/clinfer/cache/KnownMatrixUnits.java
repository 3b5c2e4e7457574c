package org.clinfer.cache;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.MatrixUnits;
import org.clinfer.options.CacheFolder;

/** Findings on one device's matrix units with one driver, in a text file, if there is a cache folder. */
public final class KnownMatrixUnits {

    private static final String FOLDER = "units";
    private static final String KEY = "matrix_units";

    private final DeviceFile file;

    private KnownMatrixUnits(DeviceFile file) {
        this.file = file;
    }

    /**
     * The finding about a device.
     *
     * @param trial text of the program that was tried; another one is another trial
     */
    public static KnownMatrixUnits of(CacheFolder cache, DeviceFacts device, String trial) {
        return new KnownMatrixUnits(DeviceFile.of(cache, FOLDER, device, Map.of("trial", trial)));
    }

    /** The finding; empty where it was not tried yet. */
    public Optional<MatrixUnits> find() {
        String name = file.read().path(KEY).asString("");
        return Arrays.stream(MatrixUnits.values())
                .filter(units -> units.name().equals(name))
                .findFirst();
    }

    /** Keeps what was found. */
    public void store(MatrixUnits units) {
        file.change(before -> Map.of(KEY, units.name()));
    }

    /**
     * Takes away all that is known in a cache folder.
     *
     * @return of how many devices something was known
     * @throws IOException if a file cannot be taken away
     */
    public static int clear(Path cache) throws IOException {
        return DeviceFile.clear(cache, FOLDER);
    }
}
