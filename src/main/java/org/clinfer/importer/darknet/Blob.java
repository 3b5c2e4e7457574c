package org.clinfer.importer.darknet;

/** The output of a layer: a value of the graph, and its sizes at the size of picture that the file states. */
record Blob(String name, long channels, long height, long width) {

    Blob named(String other) {
        return new Blob(other, channels, height, width);
    }

    Blob withChannels(String other, long count) {
        return new Blob(other, count, height, width);
    }

    boolean isSamePlane(Blob other) {
        return height == other.height && width == other.width;
    }
}
