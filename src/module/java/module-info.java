import org.jspecify.annotations.NullMarked;

/**
 * Neural-network operators on OpenCL devices and on the CPU.
 *
 * <p>What is exported is the API. {@link org.clinfer.Engine} is the entry point for running networks, {@link
 * org.clinfer.CapabilityChecker} for checking them without a device, {@link org.clinfer.ops.Ops} for building them in Java.
 */
@NullMarked
module org.clinfer {
    requires static jdk.incubator.vector;
    requires static jdk.jfr;
    requires static metadata.extractor;
    requires transitive java.desktop;
    requires com.google.protobuf;
    requires flatbuffers.java;
    requires java.logging;
    requires java.xml;
    requires jocl;
    requires org.lwjgl;
    requires org.lwjgl.opencl;
    requires org.slf4j;
    requires tools.jackson.databind;
    requires static transitive org.jspecify;

    exports org.clinfer;
    exports org.clinfer.check;
    exports org.clinfer.device;
    exports org.clinfer.errors;
    exports org.clinfer.graph;
    exports org.clinfer.image;
    exports org.clinfer.ops;
    exports org.clinfer.options;
    exports org.clinfer.profile;
    exports org.clinfer.tensor;
    exports org.clinfer.trace;
}
