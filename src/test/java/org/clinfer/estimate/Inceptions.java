package org.clinfer.estimate;

import org.clinfer.estimate.Layers.Window;
import org.clinfer.ops.Edge;
import org.clinfer.ops.PadMode;

/** The networks of Szegedy et al.: 2014 (with normalizations), 2015 and 2016, as TensorFlow's slim has them. */
final class Inceptions {

    private static final Window ONE = Window.of(1);
    private static final Window THREE = Window.of(3);
    private static final Window HALVING = Window.of(3).stride(2).valid();

    private Inceptions() {}

    static Edge version1(Layers net, Edge image) {
        Edge x = net.rectified(image, 64, Window.of(7).stride(2));
        x = net.maxPool(x, 3, 2, PadMode.SAME);
        x = net.rectified(net.rectified(x, 64, ONE), 192, THREE);
        x = net.maxPool(x, 3, 2, PadMode.SAME);
        x = mixed(net, mixed(net, x, 64, 96, 128, 16, 32, 32), 128, 128, 192, 32, 96, 64);
        x = net.maxPool(x, 3, 2, PadMode.SAME);
        x = mixed(net, mixed(net, x, 192, 96, 208, 16, 48, 64), 160, 112, 224, 24, 64, 64);
        x = mixed(net, mixed(net, x, 128, 128, 256, 24, 64, 64), 112, 144, 288, 32, 64, 64);
        x = mixed(net, x, 256, 160, 320, 32, 128, 128);
        x = net.maxPool(x, 3, 2, PadMode.SAME);
        x = mixed(net, mixed(net, x, 256, 160, 320, 32, 128, 128), 384, 192, 384, 48, 128, 128);
        return net.dense(net.globalAverage(x), 1001);
    }

    /** @param widths 1x1; before and in 3x3; before and in the second 3x3 (5x5 in the paper); behind the pool */
    private static Edge mixed(Layers net, Edge x, int... widths) {
        Edge one = net.rectified(x, widths[0], ONE);
        Edge three = net.rectified(net.rectified(x, widths[1], ONE), widths[2], THREE);
        Edge five = net.rectified(net.rectified(x, widths[3], ONE), widths[4], THREE);
        Edge pool = net.rectified(net.maxPool(x, 3, 1, PadMode.SAME), widths[5], ONE);
        return net.concat(one, three, five, pool);
    }

    static Edge version3(Layers net, Edge image) {
        Edge x = net.rectified(image, 32, HALVING);
        x = net.rectified(net.rectified(x, 32, THREE.valid()), 64, THREE);
        x = net.maxPool(x, 3, 2, PadMode.VALID);
        x = net.rectified(net.rectified(x, 80, ONE), 192, THREE.valid());
        x = net.maxPool(x, 3, 2, PadMode.VALID);
        for (int pooled : new int[] {32, 64, 64}) {
            Edge five = net.rectified(net.rectified(x, 48, ONE), 64, Window.of(5));
            Edge threes = net.rectified(net.rectified(net.rectified(x, 64, ONE), 96, THREE), 96, THREE);
            x = net.concat(net.rectified(x, 64, ONE), five, threes, pooled(net, x, pooled));
        }
        Edge threes = net.rectified(net.rectified(net.rectified(x, 64, ONE), 96, THREE), 96, HALVING);
        x = net.concat(net.rectified(x, 384, HALVING), threes, net.maxPool(x, 3, 2, PadMode.VALID));
        for (int width : new int[] {128, 160, 160, 192}) {
            Edge two = crossed(net, net.rectified(x, width, ONE), 7, width, 192);
            Edge four = crossed(net, crossed(net, net.rectified(x, width, ONE), 7, width, width), 7, width, 192);
            x = net.concat(net.rectified(x, 192, ONE), two, four, pooled(net, x, 192));
        }
        Edge seven = net.rectified(crossed(net, net.rectified(x, 192, ONE), 7, 192, 192), 192, HALVING);
        x = net.concat(
                net.rectified(net.rectified(x, 192, ONE), 320, HALVING), seven, net.maxPool(x, 3, 2, PadMode.VALID));
        for (int block = 0; block < 2; block++) {
            Edge short2 = parted(net, net.rectified(x, 384, ONE), 384);
            Edge long2 = parted(net, net.rectified(net.rectified(x, 448, ONE), 384, THREE), 384);
            x = net.concat(net.rectified(x, 320, ONE), short2, long2, pooled(net, x, 192));
        }
        return net.dense(net.globalAverage(x), 1001);
    }

    private static Edge pooled(Layers net, Edge x, int width) {
        return net.rectified(net.averagePool(x, 3, 1), width, ONE);
    }

    /** A row and a column, one after the other. */
    private static Edge crossed(Layers net, Edge x, int size, int between, int width) {
        return net.rectified(net.rectified(x, between, Window.of(1, size)), width, Window.of(size, 1));
    }

    /** A row and a column, side by side. */
    private static Edge parted(Layers net, Edge x, int width) {
        return net.concat(net.rectified(x, width, Window.of(1, 3)), net.rectified(x, width, Window.of(3, 1)));
    }

    static Edge version4(Layers net, Edge image) {
        Edge x = stem4(net, image);
        for (int block = 0; block < 4; block++) {
            Edge three = net.rectified(net.rectified(x, 64, ONE), 96, THREE);
            Edge threes = net.rectified(net.rectified(net.rectified(x, 64, ONE), 96, THREE), 96, THREE);
            x = net.concat(net.rectified(x, 96, ONE), three, threes, pooled(net, x, 96));
        }
        Edge threes = net.rectified(net.rectified(net.rectified(x, 192, ONE), 224, THREE), 256, HALVING);
        x = net.concat(net.rectified(x, 384, HALVING), threes, net.maxPool(x, 3, 2, PadMode.VALID));
        for (int block = 0; block < 7; block++) {
            Edge two = crossed(net, net.rectified(x, 192, ONE), 7, 224, 256);
            Edge four = crossed(net, crossed(net, net.rectified(x, 192, ONE), 7, 192, 224), 7, 224, 256);
            x = net.concat(net.rectified(x, 384, ONE), two, four, pooled(net, x, 128));
        }
        Edge seven = net.rectified(crossed(net, net.rectified(x, 256, ONE), 7, 256, 320), 320, HALVING);
        x = net.concat(
                net.rectified(net.rectified(x, 192, ONE), 192, HALVING), seven, net.maxPool(x, 3, 2, PadMode.VALID));
        for (int block = 0; block < 3; block++) {
            Edge short2 = parted(net, net.rectified(x, 384, ONE), 256);
            Edge long2 = parted(net, crossed(net, net.rectified(x, 384, ONE), 3, 448, 512), 256);
            x = net.concat(net.rectified(x, 256, ONE), short2, long2, pooled(net, x, 256));
        }
        return net.dense(net.globalAverage(x), 1001);
    }

    private static Edge stem4(Layers net, Edge image) {
        Edge x = net.rectified(net.rectified(image, 32, HALVING), 32, THREE.valid());
        x = net.rectified(x, 64, THREE);
        x = net.concat(net.maxPool(x, 3, 2, PadMode.VALID), net.rectified(x, 96, HALVING));
        Edge one = net.rectified(net.rectified(x, 64, ONE), 96, THREE.valid());
        Edge two = net.rectified(crossed(net, net.rectified(x, 64, ONE), 7, 64, 64), 96, THREE.valid());
        x = net.concat(one, two);
        return net.concat(net.rectified(x, 192, HALVING), net.maxPool(x, 3, 2, PadMode.VALID));
    }
}
