package org.clinfer.cpu.elements;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.memory.Operand;
import org.clinfer.cpu.memory.Source;

/** The inputs of Eltwise: each times its coefficient. */
record Eltwise(Source operand, long coefficient) implements Source {

    static List<Source> inputs(CpuCall call) {
        long[] alpha = call.parameters().integers("alpha");
        List<Source> inputs = new ArrayList<>();
        for (int i = 0; i < call.inputs().size(); i++) {
            Operand operand = Operand.of(call.input(i), call.output().shape());
            inputs.add(alpha[i] == 1 ? operand : new Eltwise(operand, alpha[i]));
        }
        return inputs;
    }

    @Override
    public void load(int from, int count, float[] to) {
        operand.load(from, count, to);
        for (int i = 0; i < count; i++) {
            to[i] *= (float) coefficient;
        }
    }

    @Override
    public void load(int from, int count, double[] to) {
        operand.load(from, count, to);
        for (int i = 0; i < count; i++) {
            to[i] *= (double) coefficient;
        }
    }

    @Override
    public void load(int from, int count, long[] to) {
        operand.load(from, count, to);
        for (int i = 0; i < count; i++) {
            to[i] *= coefficient;
        }
    }
}
