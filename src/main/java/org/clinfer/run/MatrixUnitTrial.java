package org.clinfer.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /** Devices with these extensions emulate them; no driver has one. */
    private static final Map<String, MatrixUnits> EMULATED = Map.of(
            "cl_clinfer_emulated_matrix_units", MatrixUnits.EMULATED,
            "cl_clinfer_emulated_dpas8", MatrixUnits.EMULATED_DPAS8,
            "cl_clinfer_emulated_dpas16", MatrixUnits.EMULATED_DPAS16);

    private static final String INTEL_UNITS = "cl_intel_subgroup_matrix_multiply_accumulate";
    private static final String NVIDIA_ATTRIBUTES = "cl_nv_device_attribute_query";
    private static final long FIRST_CAPABILITY = 8;

    private static final Map<MatrixUnits, String> OPTIONS = Map.of(
            MatrixUnits.PTX, "-DUNIT_PTX=1",
            MatrixUnits.DPAS8, "-DUNIT_DPAS=8",
            MatrixUnits.DPAS16, "-DUNIT_DPAS=16");

    private MatrixUnitTrial() {}

    /** The same device with what is known, or found now, of its matrix units. */
    static DeviceFacts tried(DeviceFacts facts, ClContext context, CacheFolder cache) {
        List<MatrixUnits> promised = promised(facts);
        if (promised.isEmpty()) {
            return facts;
        }
        String source = source();
        KnownMatrixUnits known = KnownMatrixUnits.of(cache, facts, promised + " " + checksum(source));
        return facts.withMatrixUnits(known.find().orElseGet(() -> found(promised, source, facts, context, known)));
    }

    /** What the device says that it may have; of several ways the first that builds is taken. */
    private static List<MatrixUnits> promised(DeviceFacts facts) {
        for (Map.Entry<String, MatrixUnits> emulated : EMULATED.entrySet()) {
            if (facts.has(emulated.getKey())) {
                return List.of(emulated.getValue());
            }
        }
        if (facts.has(INTEL_UNITS)) {
            return List.of(MatrixUnits.DPAS16, MatrixUnits.DPAS8);
        }
        boolean hasPtx =
                facts.has(NVIDIA_ATTRIBUTES) && facts.limit("compute_capability_major_nv", 0) >= FIRST_CAPABILITY;
        return hasPtx ? List.of(MatrixUnits.PTX) : List.of();
    }

    private static MatrixUnits found(
            List<MatrixUnits> promised, String source, DeviceFacts facts, ClContext context, KnownMatrixUnits known) {
        MatrixUnits found = MatrixUnits.NONE;
        try {
            for (MatrixUnits units : promised) {
                if (found == MatrixUnits.NONE && builds(units, source, context)) {
                    found = units;
                }
            }
        } catch (ClException failure) {
            // says nothing of the compiler
            LOG.info("the matrix units of {} are not used: {}", facts.name(), failure.getMessage());
            return MatrixUnits.NONE;
        }
        if (found == MatrixUnits.NONE) {
            LOG.info(
                    "the matrix units of {} are not used: its driver {} does not compile their instructions",
                    facts.name(),
                    facts.driver());
        }
        known.store(found);
        return found;
    }

    private static boolean builds(MatrixUnits units, String source, ClContext context) {
        try {
            context.program(SOURCE, source, OPTIONS.getOrDefault(units, "")).close();
            return true;
        } catch (ClBuildException refused) {
            LOG.debug("the trial of matrix units by {}", units, refused);
            return false;
        }
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
