package org.clinfer.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.clinfer.cache.KnownMatrixUnits;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.MatrixUnits;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClBuildException;
import org.clinfer.opencl.ClContext;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClKernel;
import org.clinfer.opencl.ClProgram;
import org.clinfer.opencl.ClQueue;
import org.clinfer.options.CacheFolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds whether programs reach a device's matrix units: where the device says that it may have some, a program with their
 * instructions is built, and runs where that says too little. What comes of it is kept for the driver.
 */
final class MatrixUnitTrial {

    private static final Logger LOG = LoggerFactory.getLogger(MatrixUnitTrial.class);

    private static final String SOURCE = "matrix_unit_trial.cl";

    /** Devices with these extensions emulate them; no driver has one. */
    private static final Map<String, MatrixUnits> EMULATED = Map.of(
            "cl_clinfer_emulated_matrix_units", MatrixUnits.EMULATED,
            "cl_clinfer_emulated_wgmma", MatrixUnits.EMULATED_WGMMA,
            "cl_clinfer_emulated_dpas8", MatrixUnits.EMULATED_DPAS8,
            "cl_clinfer_emulated_dpas16", MatrixUnits.EMULATED_DPAS16);

    private static final String INTEL_UNITS = "cl_intel_subgroup_matrix_multiply_accumulate";
    private static final String NVIDIA_ATTRIBUTES = "cl_nv_device_attribute_query";
    private static final long FIRST_CAPABILITY = 8;
    private static final long WGMMA_CAPABILITY = 9;

    private static final Map<MatrixUnits, String> OPTIONS = Map.of(
            MatrixUnits.PTX, "-DUNIT_PTX=1",
            MatrixUnits.WGMMA, "-DUNIT_WGMMA=1",
            MatrixUnits.EMULATED_WGMMA, "-DUNIT_WGMMA=2",
            MatrixUnits.DPAS8, "-DUNIT_DPAS=8",
            MatrixUnits.DPAS16, "-DUNIT_DPAS=16");

    /** Units whose instructions compilers take without saying that they know them: the results of the trial are compared. */
    private static final Set<MatrixUnits> RUN = EnumSet.of(MatrixUnits.WGMMA, MatrixUnits.EMULATED_WGMMA);

    private static final int ITEMS = 128;

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

    /** The ways that the device says it may have; of several ways the first that builds is taken. */
    private static List<MatrixUnits> promised(DeviceFacts facts) {
        for (Map.Entry<String, MatrixUnits> emulated : EMULATED.entrySet()) {
            if (facts.has(emulated.getKey())) {
                return List.of(emulated.getValue());
            }
        }
        if (facts.has(INTEL_UNITS)) {
            return List.of(MatrixUnits.DPAS16, MatrixUnits.DPAS8);
        }
        long capability = facts.has(NVIDIA_ATTRIBUTES) ? facts.limit("compute_capability_major_nv", 0) : 0;
        if (capability == WGMMA_CAPABILITY) {
            return List.of(MatrixUnits.WGMMA, MatrixUnits.PTX);
        }
        return capability >= FIRST_CAPABILITY ? List.of(MatrixUnits.PTX) : List.of();
    }

    private static MatrixUnits found(
            List<MatrixUnits> promised, String source, DeviceFacts facts, ClContext context, KnownMatrixUnits known) {
        MatrixUnits found = MatrixUnits.NONE;
        try {
            for (MatrixUnits units : promised) {
                if (found == MatrixUnits.NONE && works(units, source, context)) {
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
                    "the matrix units of {} are not used: its driver {} does not compile their instructions, or multiplies wrongly by them",
                    facts.name(),
                    facts.driver());
        }
        known.store(found);
        return found;
    }

    private static boolean works(MatrixUnits units, String source, ClContext context) {
        try (ClProgram program = context.program(SOURCE, source, OPTIONS.getOrDefault(units, ""))) {
            return !RUN.contains(units) || multiplies(program, context);
        } catch (ClBuildException refused) {
            LOG.debug("the trial of matrix units by {}", units, refused);
            return false;
        }
    }

    private static boolean multiplies(ClProgram program, ClContext context) {
        ByteBuffer right = ByteBuffer.allocateDirect(ITEMS * Integer.BYTES).order(ByteOrder.nativeOrder());
        try (ClKernel kernel = program.kernel("matrix_unit_trial", List.of("y"));
                ClBuffer y = context.buffer(right.capacity());
                ClQueue queue = context.queue(false)) {
            kernel.arg("y", y);
            queue.launch(kernel, new long[] {ITEMS}, new long[] {ITEMS});
            queue.read(y, 0, right);
        }
        return IntStream.range(0, ITEMS).allMatch(item -> right.getInt(item * Integer.BYTES) == 1);
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
