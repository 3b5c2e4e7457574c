package org.clinfer.importer.caffe;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Layers of the format's first two versions, as the current one writes them. */
final class OldLayers {

    /** Types as names of an enumeration, where they are not the current names in capitals. */
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("ABSVAL", "AbsVal"),
            Map.entry("ACCURACY", "Accuracy"),
            Map.entry("ARGMAX", "ArgMax"),
            Map.entry("BN", "BN"),
            Map.entry("BNLL", "BNLL"),
            Map.entry("CONCAT", "Concat"),
            Map.entry("CONTRASTIVE_LOSS", "ContrastiveLoss"),
            Map.entry("CONVOLUTION", "Convolution"),
            Map.entry("CROP", "Crop"),
            Map.entry("DATA", "Data"),
            Map.entry("DECONVOLUTION", "Deconvolution"),
            Map.entry("DROPOUT", "Dropout"),
            Map.entry("DUMMY_DATA", "DummyData"),
            Map.entry("ELTWISE", "Eltwise"),
            Map.entry("EUCLIDEAN_LOSS", "EuclideanLoss"),
            Map.entry("EXP", "Exp"),
            Map.entry("FLATTEN", "Flatten"),
            Map.entry("HDF5_DATA", "HDF5Data"),
            Map.entry("HDF5_OUTPUT", "HDF5Output"),
            Map.entry("HINGE_LOSS", "HingeLoss"),
            Map.entry("IM2COL", "Im2col"),
            Map.entry("IMAGE_DATA", "ImageData"),
            Map.entry("INFOGAIN_LOSS", "InfogainLoss"),
            Map.entry("INNER_PRODUCT", "InnerProduct"),
            Map.entry("LRN", "LRN"),
            Map.entry("MEMORY_DATA", "MemoryData"),
            Map.entry("MULTINOMIAL_LOGISTIC_LOSS", "MultinomialLogisticLoss"),
            Map.entry("MVN", "MVN"),
            Map.entry("POOLING", "Pooling"),
            Map.entry("POWER", "Power"),
            Map.entry("PRELU", "PReLU"),
            Map.entry("RELU", "ReLU"),
            Map.entry("RESHAPE", "Reshape"),
            Map.entry("SIGMOID", "Sigmoid"),
            Map.entry("SIGMOID_CROSS_ENTROPY_LOSS", "SigmoidCrossEntropyLoss"),
            Map.entry("SILENCE", "Silence"),
            Map.entry("SLICE", "Slice"),
            Map.entry("SOFTMAX", "Softmax"),
            Map.entry("SOFTMAX_LOSS", "SoftmaxWithLoss"),
            Map.entry("SPLIT", "Split"),
            Map.entry("TANH", "TanH"),
            Map.entry("THRESHOLD", "Threshold"),
            Map.entry("UNPOOLING", "Unpooling"),
            Map.entry("UPSAMPLE", "Upsample"),
            Map.entry("WINDOW_DATA", "WindowData"),
            // the oldest names
            Map.entry("CONV", "Convolution"),
            Map.entry("IMAGES", "ImageData"),
            Map.entry("INNERPRODUCT", "InnerProduct"),
            Map.entry("PADDING", "Padding"),
            Map.entry("POOL", "Pooling"));

    /** Fields of the oldest layers that have other names now. */
    private static final Map<String, String> RENAMED = Map.of(
            "biasterm", "bias_term", "kernelsize", "kernel_size", "batchsize", "batch_size", "cropsize", "crop_size");

    private static final Map<String, String> PARAMETERS = Map.of(
            "Concat", "concat_param",
            "Convolution", "convolution_param",
            "Data", "data_param",
            "Dropout", "dropout_param",
            "ImageData", "image_data_param",
            "InnerProduct", "inner_product_param",
            "LRN", "lrn_param",
            "Padding", "padding_param",
            "Pooling", "pooling_param",
            "WindowData", "window_data_param");

    private static final List<String> OUTSIDE = List.of("name", "type", "blobs");

    private OldLayers() {}

    /** A type as the current format calls it. */
    static String type(String written) {
        return TYPES.getOrDefault(written.toUpperCase(Locale.ROOT), written);
    }

    /** The current form of an entry of {@code layers} that has all it says in a field {@code layer}. */
    static Block upgraded(Block entry, Block inner) {
        Block result = new Block();
        entry.fields().forEach((name, values) -> {
            if (!name.equals("layer")) {
                values.forEach(value -> result.add(name, value));
            }
        });
        Block params = new Block();
        inner.fields().forEach((name, values) -> {
            Block target = OUTSIDE.contains(name) ? result : params;
            values.forEach(value -> target.add(RENAMED.getOrDefault(name, name), value));
        });
        List<Item> types = inner.all("type");
        if (!types.isEmpty() && types.get(types.size() - 1) instanceof Item.Word written) {
            String field = PARAMETERS.get(type(written.text()));
            if (field != null) {
                result.add(field, params);
            }
        }
        return result;
    }
}
