package org.clinfer.networks;

/** Szegedy et al. 2014, as its authors published it for Caffe, without the outputs that only training needs. */
final class Inception {

    /**
     * Widths of one module.
     *
     * @param one the 1x1 branch
     * @param beforeThree what the 3x3 branch begins with
     * @param beforeFive what the 5x5 branch begins with
     * @param pool what follows the pool
     */
    private record Module(int one, int beforeThree, int three, int beforeFive, int five, int pool) {}

    private static final Module[] AT_28 = {new Module(64, 96, 128, 16, 32, 32), new Module(128, 128, 192, 32, 96, 64)};
    private static final Module[] AT_14 = {
        new Module(192, 96, 208, 16, 48, 64),
        new Module(160, 112, 224, 24, 64, 64),
        new Module(128, 128, 256, 24, 64, 64),
        new Module(112, 144, 288, 32, 64, 64),
        new Module(256, 160, 320, 32, 128, 128)
    };
    private static final Module[] AT_7 = {
        new Module(256, 160, 320, 32, 128, 128), new Module(384, 192, 384, 48, 128, 128)
    };

    private Inception() {}

    static void version1(NetworkWriter net) {
        Value x = net.rectified(net.image(), new Filter(net.width(64), 7, 2, 3, 1));
        x = net.localResponse(net.maxPoolCeil(x, 3, 2));
        x = net.rectified(x, Filter.of(net.width(64), 1));
        x = net.localResponse(net.rectified(x, Filter.of(net.width(192), 3)));
        x = modules(net, net.maxPoolCeil(x, 3, 2), AT_28);
        x = modules(net, net.maxPoolCeil(x, 3, 2), AT_14);
        x = modules(net, net.maxPoolCeil(x, 3, 2), AT_7);
        net.output(net.dense(net.flatten(net.globalAverage(x)), net.width(1000), NetworkWriter.LINEAR));
    }

    private static Value modules(NetworkWriter net, Value from, Module... modules) {
        Value x = from;
        for (Module module : modules) {
            Value one = net.rectified(x, Filter.of(net.width(module.one()), 1));
            Value three = net.rectified(x, Filter.of(net.width(module.beforeThree()), 1));
            three = net.rectified(three, Filter.of(net.width(module.three()), 3));
            Value five = net.rectified(x, Filter.of(net.width(module.beforeFive()), 1));
            five = net.rectified(five, Filter.of(net.width(module.five()), 5));
            Value pool = net.rectified(net.maxPool(x, 3, 1, 1), Filter.of(net.width(module.pool()), 1));
            x = net.concat(one, three, five, pool);
        }
        return x;
    }
}
