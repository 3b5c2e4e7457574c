package org.clinfer.profile;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A change that the converter of a family of devices makes to a network before the device is asked. */
public enum ConverterStep {
    /** Nodes that give what they take are left out. */
    DROP_IDENTITY("drop-identity", "left out behind"),
    /** Zeros around the input of a convolution become its padding. */
    PAD_INTO_CONVOLUTION("pad-into-convolution", "padding of"),
    /** Flattening that only a product with a matrix reads becomes part of it. */
    FLATTEN_INTO_PRODUCT("flatten-into-product", "part of"),
    /** A batch normalization goes into the weights of the convolution or product before it. */
    FOLD_BATCH_NORM("fold-batch-norm", "folded into"),
    /** A batch normalization behind anything else becomes a multiplication and an addition. */
    BATCH_NORM_AS_MUL_ADD("batch-norm-as-mul-add", "is"),
    /** A factor or a summand for each channel goes into the weights and biases of the convolution or product before it. */
    FOLD_SCALE("fold-scale", "folded into"),
    /** Relu and Relu6 become part of the convolution, product, sum or pool before them. */
    FUSE_ACTIVATION("fuse-activation", "fused into"),
    /** Relu and Relu6 become part of the convolution or product before them. */
    FUSE_ACTIVATION_INTO_CONVOLUTION("fuse-activation-into-convolution", "fused into"),
    /** A product of a value and its Sigmoid becomes Swish. */
    FUSE_SWISH("fuse-swish", "part of"),
    /** A product of a value and its HardSigmoid, also where that is written out, becomes HardSwish. */
    FUSE_HARD_SWISH("fuse-hard-swish", "part of");

    private final String word;
    private final String deed;

    ConverterStep(String word, String deed) {
        this.word = word;
        this.deed = deed;
    }

    /** {@return the word in rule files and reports} */
    public String word() {
        return word;
    }

    /** {@return the deed in a report, which the name of the node that it is part of then follows} */
    public String deed() {
        return deed;
    }

    static Optional<ConverterStep> of(String word) {
        return Arrays.stream(values()).filter(step -> step.word.equals(word)).findFirst();
    }

    static List<String> words() {
        return Arrays.stream(values()).map(ConverterStep::word).toList();
    }
}
