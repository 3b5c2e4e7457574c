package org.clinfer;

import java.util.regex.Pattern;

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

    /** The OpenCL device of this number in the list of {@code clinfer devices}, counted from 0, for all that it takes. */
    record Index(int number) implements DeviceChoice {
        public Index {
            if (number < 0) {
                throw new IllegalArgumentException("a device number must be >= 0, but is " + number);
            }
        }
    }

    Pattern NUMBER = Pattern.compile("[0-9]{1,4}");

    /**
     * Reads {@code auto}, {@code cpu}, {@code opencl} or a device number.
     *
     * @throws IllegalArgumentException for anything else
     */
    static DeviceChoice parse(String text) {
        return switch (text) {
            case "auto" -> new Auto();
            case "cpu" -> new Cpu();
            case "opencl" -> new FirstOpenCl();
            default -> {
                if (!NUMBER.matcher(text).matches()) {
                    throw new IllegalArgumentException(
                            "device '" + text + "' is none of auto, cpu, opencl or a device number");
                }
                yield new Index(Integer.parseInt(text));
            }
        };
    }
}
