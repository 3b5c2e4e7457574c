package org.clinfer.ops;

import java.util.List;
import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * A recurrent layer over a sequence: h' = tanh(w x + r h + b); h is that of the step before, or an initial one, or 0.
 *
 * <p>One use of {@code Rnn} while its optional fields are set; made by {@code Ops.rnn}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class RnnOp extends OpBuilder<RnnOp> {

    RnnOp(Ops ops) {
        super(ops, "Rnn", 1);
    }

    @Override
    RnnOp self() {
        return this;
    }

    /**
     * Units.
     *
     * @param bias types: type of {@code x}; optional
     * @return this
     */
    public RnnOp bias(Edge bias) {
        return input(3, bias);
    }

    /**
     * Batch x units.
     *
     * @param initialH types: type of {@code x}; optional
     * @return this
     */
    public RnnOp initialH(Edge initialH) {
        return input(4, initialH);
    }

    /**
     * Batch: so many steps each sequence has; h after them is the last one, and their y is 0.
     *
     * @param lengths types: int32, int64; optional
     * @return this
     */
    public RnnOp lengths(Edge lengths) {
        return input(5, lengths);
    }

    /**
     * From the last step to the first.
     *
     * @param reverse a bool; default {@code false}
     * @return this
     */
    public RnnOp reverse(boolean reverse) {
        return param("reverse", Attribute.of(reverse));
    }

    /**
     * What goes into the activations is kept within this of 0; 0: any.
     *
     * @param clip a number; default {@code 0.0}; {@code >= 0}
     * @return this
     */
    public RnnOp clip(double clip) {
        return param("clip", Attribute.of(clip));
    }

    /**
     * Of the output: Relu is max(x, 0); LeakyRelu is x where x &gt;= 0, else alpha * x; Sigmoid is 1 / (1 + exp(-x));
     * Tanh is tanh(x); Affine is alpha * x + beta; ThresholdedRelu is x where x &gt; alpha, else 0; ScaledTanh is alpha
     * * tanh(beta * x); HardSigmoid is min(max(alpha * x + beta, 0), 1); Elu is x where x &gt; 0, else alpha * (exp(x)
     * - 1); Softsign is x / (1 + |x|); Softplus is log(1 + exp(x)).
     *
     * @param activations a list of strings; default {@code ['Tanh']}; 1 element; {@code all(activations, f ->
     *     contains(['Relu', 'LeakyRelu', 'Sigmoid', 'Tanh', 'Affine', 'ThresholdedRelu', 'ScaledTanh', 'HardSigmoid',
     *     'Elu', 'Softsign', 'Softplus'], f))} (activations are Relu, LeakyRelu, Sigmoid, Tanh, Affine,
     *     ThresholdedRelu, ScaledTanh, HardSigmoid, Elu, Softsign, Softplus)
     * @return this
     */
    public RnnOp activations(String... activations) {
        return param("activations", Attribute.ofTexts(List.of(activations)));
    }

    /**
     * Alpha of each activation; those without pass it over.
     *
     * @param activationAlpha a list of numbers; default {@code map(activations, f -> f == 'LeakyRelu' ? 0.01 : f ==
     *     'HardSigmoid' ? 0.2 : 1.0)}; 1 element
     * @return this
     */
    public RnnOp activationAlpha(double... activationAlpha) {
        return param("activation_alpha", Attribute.ofReals(activationAlpha));
    }

    /**
     * Beta of each activation.
     *
     * @param activationBeta a list of numbers; default {@code map(activations, f -> f == 'Affine' ? 0.0 : f ==
     *     'HardSigmoid' ? 0.5 : 1.0)}; 1 element
     * @return this
     */
    public RnnOp activationBeta(double... activationBeta) {
        return param("activation_beta", Attribute.ofReals(activationBeta));
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
     * h after the last step of each sequence.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [x.dims[1], units]}
     */
    public Edge lastH() {
        return output(1);
    }
}
