package org.clinfer.opencl;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import org.clinfer.options.ClBinding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A context and a queue on the first device of one binding; a test that leaves a handle over fails. */
abstract class OpenClFixture {

    static final String SCALE = """
            kernel void scale(global float *x, float factor, int offset, long count) {
                size_t i = get_global_id(0);
                if (i < count) x[i] = x[i] * factor + offset;
            }
            """;

    final ClBinding binding;
    CountingClApi counting;
    OpenCl openCl;
    ClDevice device;
    ClContext context;
    ClQueue queue;

    OpenClFixture(ClBinding binding) {
        this.binding = binding;
    }

    @BeforeEach
    void open() {
        counting = CountingClApi.over(binding);
        openCl = ((ClLoad.Available) OpenCl.over(counting.api())).openCl();
        device = openCl.devices().get(0);
        context = openCl.context(device);
        queue = context.queue(false);
    }

    @AfterEach
    void everythingIsReleased() {
        queue.close();
        context.close();
        counting.assertAllReleased();
    }

    static ByteBuffer random(int bytes, long seed) {
        byte[] content = new byte[bytes];
        new Random(seed).nextBytes(content);
        return ByteBuffer.allocateDirect(bytes).put(content).flip();
    }

    static ByteBuffer floats(float... values) {
        ByteBuffer buffer =
                ByteBuffer.allocateDirect(values.length * Float.BYTES).order(ByteOrder.nativeOrder());
        buffer.asFloatBuffer().put(values);
        return buffer;
    }

    ByteBuffer read(ClBuffer buffer) {
        ByteBuffer target = ByteBuffer.allocateDirect((int) buffer.bytes()).order(ByteOrder.nativeOrder());
        queue.read(buffer, 0, target);
        return target;
    }

    static List<String> scaleArguments() {
        return List.of("x", "factor", "offset", "count");
    }
}
