package org.clinfer.cpu.normalization;

import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.graph.Parameters;

/** Local response normalisation across channels. */
final class Lrn implements CpuOperator {

    @Override
    public void run(CpuCall call) {
        Parameters parameters = call.parameters();
        int channels = Math.toIntExact(parameters.integer("channels"));
        int size = Math.toIntExact(parameters.integer("size"));
        double factor = parameters.real("alpha") / size;
        double beta = parameters.real("beta");
        double bias = parameters.real("bias");
        int before = (size - 1) / 2;
        int after = size - 1 - before;
        AxisBlocks blocks = new AxisBlocks(
                Math.toIntExact(parameters.integer("batch")), channels, Math.toIntExact(parameters.integer("inner")));
        blocks.change(
                TensorValues.of(call.input(0)), TensorValues.of(call.output()), call.parallel(), (block, width) -> {
                    double[] squares = new double[channels * width];
                    for (int i = 0; i < squares.length; i++) {
                        squares[i] = block[i] * block[i];
                    }
                    for (int channel = 0; channel < channels; channel++) {
                        int first = Math.max(0, channel - before);
                        int end = Math.min(channels, channel + after + 1);
                        for (int j = 0; j < width; j++) {
                            double sum = 0;
                            for (int c = first; c < end; c++) {
                                sum += squares[c * width + j];
                            }
                            block[channel * width + j] /= Math.pow(bias + factor * sum, beta);
                        }
                    }
                });
    }
}
