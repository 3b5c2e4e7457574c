package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Bindings on the CPU. */
class BindingTest extends BindingContract {

    @Override
    Engine open() {
        return Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
    }

    /** Three pieces for each doubling, the first of which is too small for the second length. */
    @Test
    void memoryOfValuesThatGrowGoesFromRunToRun() {
        try (Model model = engine().load(growing());
                Session session = model.session();
                IoBinding binding = session.bind()) {
            binding.carry("present", "past").set("past", Tensor.allocate(DType.FLOAT32, 1, 0, 3));
            List<ByteBuffer> pieces = new ArrayList<>();
            for (int run = 1; run <= 63; run++) {
                binding.run(Map.of("x", Tensor.of(new float[] {run, 0, -run}, 1, 1, 3)))
                        .close();
                Tensor held = Objects.requireNonNull(binding.held("past"));
                if (!isOneOf(pieces, held.bytes())) {
                    pieces.add(held.bytes());
                }
                assertThat(held.getDouble(3L * run - 1)).isEqualTo(-run);
                assertThat(held.getDouble(0)).isEqualTo(1);
            }
            assertThat(pieces).hasSizeBetween(7, 3 * 7);
        }
    }

    /** Writes where memory begins, and looks whether others see it. */
    private static boolean isOneOf(List<ByteBuffer> pieces, ByteBuffer memory) {
        long before = memory.getLong(0);
        long mark = ~before;
        List<Long> seen = pieces.stream().map(piece -> piece.getLong(0)).toList();
        memory.putLong(0, mark);
        boolean isOne = false;
        for (int i = 0; i < seen.size(); i++) {
            isOne |= pieces.get(i).getLong(0) != seen.get(i);
        }
        memory.putLong(0, before);
        return isOne;
    }
}
