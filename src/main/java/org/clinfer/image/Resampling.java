package org.clinfer.image;

/** The way in which a picture is made larger or smaller. Both are bilinear where it grows, with half-pixel centres. */
public enum Resampling {
    /**
     * A triangle filter as wide as the shrinking asks for, so that every source pixel counts: Pillow's {@code BILINEAR},
     * torchvision's {@code Resize} of PIL images or with {@code antialias=True}. Pillow rounds to whole numbers after each of
     * the two directions, which is not done here: values differ by less than 1.
     */
    ANTIALIASED {
        @Override
        Picture resize(Picture source, CropWindow window) {
            return Resampler.resize(source, window, true);
        }
    },
    /**
     * The four nearest source pixels, however much the picture shrinks: OpenCV's {@code INTER_LINEAR}, torchvision's {@code
     * Resize} of tensors with {@code antialias=False}, ONNX {@code Resize} in mode {@code linear} with {@code half_pixel}.
     * OpenCV computes with weights of 11 bits and rounds pixels to whole numbers: values differ by less than 1.
     */
    BILINEAR {
        @Override
        Picture resize(Picture source, CropWindow window) {
            return Resampler.resize(source, window, false);
        }
    };

    /** A part of the picture in another size. */
    abstract Picture resize(Picture source, CropWindow window);
}
