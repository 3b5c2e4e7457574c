package org.clinfer.run;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clinfer.device.DeviceFacts;

/** The options that a program is built with: its own, and what all programs are told of the device. */
final class BuildOptions {

    /** Compilers of devices with this extension may be told how many registers a work-item has. */
    private static final String NVIDIA_COMPILER = "cl_nv_compiler_options";

    private static final Pattern ITEM_REGISTERS = Pattern.compile("-DITEM_REGISTERS=([1-9][0-9]*)\\b");

    private BuildOptions() {}

    /** The options of a program of this device, whose own may be empty. */
    static String of(String own, DeviceFacts facts) {
        StringBuilder options = new StringBuilder(own);
        if (!own.isEmpty()) {
            options.append(' ');
        }
        options.append("-DREGISTER_LANES=").append(facts.registerLanes());
        Matcher registers = ITEM_REGISTERS.matcher(own);
        if (registers.find() && facts.has(NVIDIA_COMPILER)) {
            options.append(" -cl-nv-maxrregcount=").append(registers.group(1));
        }
        return options.toString();
    }
}
