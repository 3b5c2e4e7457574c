package org.clinfer.cli.image;

/** Which colours a network expects, in which order. */
public enum Channels {
    /** Gray for one channel, red, green, blue for three. */
    AUTO,
    RGB,
    BGR,
    GRAY
}
