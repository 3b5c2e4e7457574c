package org.clinfer.cpu;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.cpu.blocked.BlockedOperators;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.convolution.ConvolutionOperators;
import org.clinfer.cpu.elements.ElementOperators;
import org.clinfer.cpu.matrix.MatrixOperators;
import org.clinfer.cpu.movement.MovementOperators;
import org.clinfer.cpu.normalization.NormalizationOperators;
import org.clinfer.cpu.quantized.QuantizedOperators;
import org.clinfer.cpu.recurrent.RecurrentOperator;
import org.clinfer.cpu.reduction.AxisOperators;
import org.clinfer.cpu.reduction.ReduceOperators;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vision.VisionOperators;

/** The CPU implementations by operator name. */
public final class CpuOperators {

    private final Map<String, CpuOperator> operators;
    private final CpuPath path;

    private CpuOperators(Map<String, CpuOperator> operators, CpuPath path) {
        this.operators = Map.copyOf(operators);
        this.path = path;
    }

    /** All implementations of the product, by the best path there is. */
    public static CpuOperators builtIn() {
        return builtIn(CpuPath.current());
    }

    /** The same by another path. */
    public static CpuOperators builtIn(CpuPath path) {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.putAll(ConvolutionOperators.all(path));
        all.putAll(BlockedOperators.all(path));
        all.putAll(MatrixOperators.all(path));
        all.putAll(QuantizedOperators.all(path));
        all.putAll(NormalizationOperators.all(path));
        all.putAll(VisionOperators.all(path));
        all.putAll(ElementOperators.all(path));
        all.putAll(ReduceOperators.all(path));
        all.putAll(AxisOperators.all());
        all.putAll(MovementOperators.all());
        all.putAll(RecurrentOperator.all(path));
        return new CpuOperators(all, path);
    }

    public Optional<CpuOperator> find(String optype) {
        return Optional.ofNullable(operators.get(optype));
    }

    /** Operators that take values of blocked channels in arrays of floats. */
    public Set<String> ofArrays() {
        return BlockedOperators.ofArrays(path);
    }

    /** The code path by which they compute floats. */
    public CpuPath path() {
        return path;
    }

    public Set<String> names() {
        return operators.keySet();
    }
}
