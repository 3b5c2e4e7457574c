package org.clinfer.image;

/**
 * The part that is wanted of a picture in another size. Only this part is computed: of a picture of one row whose shortest
 * side is to be 256, the whole would be 256 times as large in both directions.
 *
 * @param scaledWidth the width of the whole picture in the other size
 * @param scaledHeight the height of the same
 * @param left of the part, at least 0
 * @param top of the part, at least 0
 * @param width of the part, which ends within the whole
 * @param height of the part, which ends within the whole
 */
record CropWindow(int scaledWidth, int scaledHeight, int left, int top, int width, int height) {

    static CropWindow whole(int width, int height) {
        return new CropWindow(width, height, 0, 0, width, height);
    }
}
