package org.clinfer.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.clinfer.cache.CacheFolder;
import org.clinfer.cache.KnownMatrixUnits;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.MatrixUnits;
import org.clinfer.opencl.ClBuildException;
import org.clinfer.opencl.ClContext;
import org.clinfer.opencl.ClException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds whether programs reach a device's matrix units: where the device says that it may have some, a program with their
 * instructions is built. What comes of it is kept for the driver.
 */
final class MatrixUnitTrial {

    private static final Logger LOG = LoggerFactory.getLogger(MatrixUnitTrial.class);

    private static final String SOURCE = "matrix_unit_trial.cl";

    /** A device with this extension emulates them; no driver has it. */
    private static final String EMULATED = "cl_clinfer_emulated_matrix_units";

    private static final String NVIDIA_ATTRIBUTES = "cl_nv_device_attribute_query";
    private static final long FIRST_CAPABILITY = 8;

    private MatrixUnitTrial() {}

    /** The same device with what is known, or found now, of its matrix units. */
    static DeviceFacts tried(DeviceFacts facts, ClContext context, CacheFolder cache) {
        Optional<MatrixUnits> promised = promised(facts);
        if (promised.isEmpty()) {
            return facts;
        }
        String source = source();
        KnownMatrixUnits known = KnownMatrixUnits.of(cache, facts, promised.get() + " " + checksum(source));
        return facts.withMatrixUnits(
                known.find().orElseGet(() -> found(promised.get(), source, facts, context, known)));
    }

    /** What the device says that it may have. */
    private static Optional<MatrixUnits> promised(DeviceFacts facts) {
        if (facts.has(EMULATED)) {
            return Optional.of(MatrixUnits.EMULATED);
        }
        boolean hasPtx =
                facts.has(NVIDIA_ATTRIBUTES) && facts.limit("compute_capability_major_nv", 0) >= FIRST_CAPABILITY;
        return hasPtx ? Optional.of(MatrixUnits.PTX) : Optional.empty();
    }

    private static MatrixUnits found(
            MatrixUnits promised, String source, DeviceFacts facts, ClContext context, KnownMatrixUnits known) {
        MatrixUnits found = promised;
        String options = "-DUNIT_PTX=" + (promised == MatrixUnits.PTX ? 1 : 0);
        try {
            context.program(SOURCE, source, options).close();
        } catch (ClBuildException refused) {
            LOG.info(
                    "the matrix units of {} are not used: its driver {} does not compile their instructions",
                    facts.name(),
                    facts.driver());
            LOG.debug("the trial of matrix units", refused);
            found = MatrixUnits.NONE;
        } catch (ClException failure) {
            // says nothing of the compiler
            LOG.info("the matrix units of {} are not used: {}", facts.name(), failure.getMessage());
            return MatrixUnits.NONE;
        }
        known.store(found);
        return found;
    }

    private static String checksum(String text) {
        CRC32C checksum = new CRC32C();
        checksum.update(text.getBytes(UTF_8));
        return Long.toHexString(checksum.getValue());
    }

    private static String source() {
        try (InputStream stream = MatrixUnitTrial.class.getResourceAsStream(SOURCE)) {
            return new String(
                    Objects.requireNonNull(stream, () -> SOURCE + " is missing").readAllBytes(), UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
