package org.clinfer;

import java.util.List;
import java.util.stream.Stream;

/** The choice of the device that an engine is to use. */
public sealed interface DeviceChoice {

    /**
     * The first OpenCL device if there is one, else the CPU alone. Of what the device takes, groups of neighbouring nodes
     * stay on the CPU where that is estimated to compute them clearly sooner, launches, kernels and transfers counted;
     * see {@link EngineOptions#byCost}. Under a profile everything runs on the device that it takes.
     */
    record Auto() implements DeviceChoice {}

    /** The CPU alone. */
    record Cpu() implements DeviceChoice {}

    /** The first OpenCL device, for all that it takes; it is an error if there is none. */
    record FirstOpenCl() implements DeviceChoice {}

    /**
     * The OpenCL device of this number in the list of {@code clinfer devices}, counted from 0, for all that it takes.
     *
     * @param number from 0
     */
    record Index(int number) implements DeviceChoice {
        public Index {
            if (number < 0) {
                throw new IllegalArgumentException("a device number must be >= 0, but is " + number);
            }
        }
    }

    /**
     * The OpenCL devices of these numbers, for all that they take: each run of a session is on one of them, the one with the
     * fewest runs at that time.
     *
     * @param numbers in the list of {@code clinfer devices}, counted from 0; at least one, each once
     */
    record Several(List<Integer> numbers) implements DeviceChoice {
        public Several {
            numbers = List.copyOf(numbers);
            if (numbers.isEmpty() || numbers.stream().anyMatch(number -> number < 0)) {
                throw new IllegalArgumentException("device numbers must be >= 0, but are " + numbers);
            }
            if (numbers.stream().distinct().count() < numbers.size()) {
                throw new IllegalArgumentException("a device is named twice: " + numbers);
            }
        }
    }

    /** All OpenCL devices of the type of the first one, GPUs before others, as in {@link Several}; an error without any. */
    record All() implements DeviceChoice {}

    /**
     * Reads {@code auto}, {@code cpu}, {@code opencl}, {@code all}, a device number or several with commas between.
     *
     * @param text the choice as on the command line
     * @return the choice
     * @throws IllegalArgumentException for anything else
     */
    static DeviceChoice parse(String text) {
        return switch (text) {
            case "auto" -> new Auto();
            case "cpu" -> new Cpu();
            case "opencl" -> new FirstOpenCl();
            case "all" -> new All();
            default -> {
                if (!text.matches("[0-9]{1,4}(,[0-9]{1,4})*")) {
                    throw new IllegalArgumentException(
                            "device '" + text + "' is none of auto, cpu, opencl, all or device numbers, as 0 or 0,1");
                }
                List<Integer> numbers =
                        Stream.of(text.split(",")).map(Integer::valueOf).toList();
                yield numbers.size() == 1 ? new Index(numbers.get(0)) : new Several(numbers);
            }
        };
    }
}
