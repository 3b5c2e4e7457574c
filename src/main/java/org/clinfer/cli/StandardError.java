package org.clinfer.cli;

import java.io.FileDescriptor;
import java.lang.reflect.Field;

/**
 * The descriptor to which Java's own code writes errors: the launcher leads the stderr of the process through a filter,
 * because the virtual machine prints there, and keeps the real one as another descriptor.
 */
final class StandardError {

    private static final String DESCRIPTOR = "clinfer.stderr";

    private StandardError() {}

    /** Takes the descriptor that the launcher names; without one everything stays as it is. */
    static void direct() {
        Integer number = Integer.getInteger(DESCRIPTOR);
        if (number == null) {
            return;
        }
        try {
            Field descriptor = FileDescriptor.class.getDeclaredField("fd");
            descriptor.setAccessible(true);
            descriptor.setInt(FileDescriptor.err, number);
        } catch (ReflectiveOperationException | RuntimeException unknown) {
            // the filter passes on what is written
        }
    }
}
