package org.clinfer.importer.tensorflow;

/** The position of the channels in the values of an operator. */
enum DataFormat {
    CHANNELS_LAST,
    CHANNELS_SECOND;

    static DataFormat of(TfCall call) {
        String format = call.node().text("data_format", "NHWC");
        return switch (format) {
            case "", "NHWC", "NDHWC", "NWC" -> CHANNELS_LAST;
            case "NCHW", "NCDHW", "NCW" -> CHANNELS_SECOND;
            default -> throw call.unsupportedUse("data_format " + format);
        };
    }

    /** {@return whether operators of ours hold the channels second where those of the file have them last} */
    boolean second() {
        return this == CHANNELS_LAST;
    }

    /** The first axis of the space. */
    int firstSpatial() {
        return this == CHANNELS_LAST ? 1 : 2;
    }

    /** The axis of the channels. */
    int channels(int rank) {
        return this == CHANNELS_LAST ? rank - 1 : 1;
    }

    /** A value with the channels second, as a name of ours. */
    String read(TfCall call, TfValue value) {
        return this == CHANNELS_LAST ? call.second(value) : call.plain(value);
    }
}
