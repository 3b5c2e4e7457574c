package org.clinfer.demo.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.awt.image.BufferedImage;
import java.util.List;

/**
 * Scenes as the network takes them.
 *
 * @param images float32, batch x 3 x size x size, RGB in [0, 1]
 * @param targets float32, batch x classes x size x size, one where the pixel has the class
 */
record Batch(NDArray images, NDArray targets) {

    static Batch of(NDManager manager, List<Scene> scenes) {
        int size = scenes.get(0).size();
        int plane = size * size;
        int classCount = ShapeClass.values().length;
        float[] images = new float[scenes.size() * 3 * plane];
        float[] targets = new float[scenes.size() * classCount * plane];
        for (int index = 0; index < scenes.size(); index++) {
            writePicture(scenes.get(index).picture(), images, index * 3 * plane);
            byte[] classes = scenes.get(index).classes();
            for (int pixel = 0; pixel < plane; pixel++) {
                targets[(index * classCount + classes[pixel]) * plane + pixel] = 1;
            }
        }
        return new Batch(
                manager.create(images, new Shape(scenes.size(), 3, size, size)),
                manager.create(targets, new Shape(scenes.size(), classCount, size, size)));
    }

    private static void writePicture(BufferedImage picture, float[] images, int offset) {
        int width = picture.getWidth();
        int plane = width * picture.getHeight();
        for (int pixel = 0; pixel < plane; pixel++) {
            int rgb = picture.getRGB(pixel % width, pixel / width);
            images[offset + pixel] = (rgb >> 16 & 0xff) / 255f;
            images[offset + plane + pixel] = (rgb >> 8 & 0xff) / 255f;
            images[offset + 2 * plane + pixel] = (rgb & 0xff) / 255f;
        }
    }
}
