package org.clinfer.ops;

import java.util.List;
import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * A long short-term memory over a sequence. Gates of input, output, forgetting and cell, in this order: i = sigmoid(wi
 * x + ri h + bi + pi c), f alike, c' = f c + i tanh(wc x + rc h + bc), o = sigmoid(wo x + ro h + bo + po c'), h' = o
 * tanh(c'); h and c are those of the step before, or initial ones, or 0. Other activations may stand for sigmoid and
 * tanh.
 *
 * <p>One use of {@code Lstm} while its optional fields are set; made by {@code Ops.lstm}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class LstmOp extends OpBuilder<LstmOp> {

    LstmOp(Ops ops) {
        super(ops, "Lstm", 1);
    }

    @Override
    LstmOp self() {
        return this;
    }

    /**
     * 4 * units.
     *
     * @param bias types: type of {@code x}; optional
     * @return this
     */
    public LstmOp bias(Edge bias) {
        return input(3, bias);
    }

    /**
     * Batch x units.
     *
     * @param initialH types: type of {@code x}; optional
     * @return this
     */
    public LstmOp initialH(Edge initialH) {
        return input(4, initialH);
    }

    /**
     * Batch x units.
     *
     * @param initialC types: type of {@code x}; optional
     * @return this
     */
    public LstmOp initialC(Edge initialC) {
        return input(5, initialC);
    }

    /**
     * 3 * units: of the gates of input, output and forgetting.
     *
     * @param peepholes types: type of {@code x}; optional
     * @return this
     */
    public LstmOp peepholes(Edge peepholes) {
        return input(6, peepholes);
    }

    /**
     * Batch: so many steps each sequence has; h after them is the last one, and their y is 0.
     *
     * @param lengths types: int32, int64; optional
     * @return this
     */
    public LstmOp lengths(Edge lengths) {
        return input(7, lengths);
    }

    /**
     * c' is kept within this of 0; 0: any.
     *
     * @param cellClip a number; default {@code 0.0}; {@code >= 0}
     * @return this
     */
    public LstmOp cellClip(double cellClip) {
        return param("cell_clip", Attribute.of(cellClip));
    }

    /**
     * From the last step to the first.
     *
     * @param reverse a bool; default {@code false}
     * @return this
     */
    public LstmOp reverse(boolean reverse) {
        return param("reverse", Attribute.of(reverse));
    }

    /**
     * What goes into the activations is kept within this of 0; 0: any.
     *
     * @param clip a number; default {@code 0.0}; {@code >= 0}
     * @return this
     */
    public LstmOp clip(double clip) {
        return param("clip", Attribute.of(clip));
    }

    /**
     * Of gates, cell and output: Relu is max(x, 0); LeakyRelu is x where x &gt;= 0, else alpha * x; Sigmoid is 1 / (1 +
     * exp(-x)); Tanh is tanh(x); Affine is alpha * x + beta; ThresholdedRelu is x where x &gt; alpha, else 0;
     * ScaledTanh is alpha * tanh(beta * x); HardSigmoid is min(max(alpha * x + beta, 0), 1); Elu is x where x &gt; 0,
     * else alpha * (exp(x) - 1); Softsign is x / (1 + |x|); Softplus is log(1 + exp(x)).
     *
     * @param activations a list of strings; default {@code ['Sigmoid', 'Tanh', 'Tanh']}; 3 elements; {@code
     *     all(activations, f -> contains(['Relu', 'LeakyRelu', 'Sigmoid', 'Tanh', 'Affine', 'ThresholdedRelu',
     *     'ScaledTanh', 'HardSigmoid', 'Elu', 'Softsign', 'Softplus'], f))} (activations are Relu, LeakyRelu, Sigmoid,
     *     Tanh, Affine, ThresholdedRelu, ScaledTanh, HardSigmoid, Elu, Softsign, Softplus)
     * @return this
     */
    public LstmOp activations(String... activations) {
        return param("activations", Attribute.ofTexts(List.of(activations)));
    }

    /**
     * Alpha of each activation; those without pass it over.
     *
     * @param activationAlpha a list of numbers; default {@code map(activations, f -> f == 'LeakyRelu' ? 0.01 : f ==
     *     'HardSigmoid' ? 0.2 : 1.0)}; 3 elements
     * @return this
     */
    public LstmOp activationAlpha(double... activationAlpha) {
        return param("activation_alpha", Attribute.ofReals(activationAlpha));
    }

    /**
     * Beta of each activation.
     *
     * @param activationBeta a list of numbers; default {@code map(activations, f -> f == 'Affine' ? 0.0 : f ==
     *     'HardSigmoid' ? 0.5 : 1.0)}; 3 elements
     * @return this
     */
    public LstmOp activationBeta(double... activationBeta) {
        return param("activation_beta", Attribute.ofReals(activationBeta));
    }

    /**
     * f is 1 - i.
     *
     * @param inputForget a bool; default {@code false}
     * @return this
     */
    public LstmOp inputForget(boolean inputForget) {
        return param("input_forget", Attribute.of(inputForget));
    }

    /**
     * h of every step.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [x.dims[0], x.dims[1], units]}
     */
    public Edge y() {
        return output(0);
    }

    /**
     * c of every step.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [x.dims[0], x.dims[1], units]}
     */
    public Edge cells() {
        return output(1);
    }

    /**
     * h after the last step of each sequence.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [x.dims[1], units]}
     */
    public Edge lastH() {
        return output(2);
    }

    /**
     * c after the last step of each sequence.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [x.dims[1], units]}
     */
    public Edge lastC() {
        return output(3);
    }
}
