package org.clinfer.image;

/** The colours that a network expects, and their order. */
public enum Channels {
    /** Gray for one channel, red, green, blue for three. */
    AUTO,
    RGB,
    BGR,
    GRAY
}
