package org.clinfer.image;

/** The colours that a network expects, and their order. */
public enum Channels {
    /** Gray for one channel, red, green, blue for three. */
    AUTO,
    /** Red, green, blue. */
    RGB,
    /** Blue, green, red, as in OpenCV and Caffe. */
    BGR,
    /** One channel: ITU-R BT.601 luma. */
    GRAY
}
