package org.clinfer.cpu.reduction;

import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.UnsignedLongs;
import org.clinfer.cpu.reduction.ReduceRule.LongFinish;
import org.clinfer.cpu.reduction.ReduceRule.Longs;
import org.clinfer.cpu.reduction.ReduceRule.RealFinish;
import org.clinfer.cpu.reduction.ReduceRule.RealFold;
import org.clinfer.cpu.reduction.ReduceRule.Reals;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorFunctions;
import org.clinfer.cpu.vector.VectorKernels;
import org.jspecify.annotations.Nullable;

/**
 * The reductions. Over no elements a sum is 0, a product 1, a maximum the lowest and a minimum the highest value of the
 * type; the mean is NaN, of integers 0. The mean of integers is rounded half to even.
 */
public final class ReduceOperators {

    private static final RealFinish AS_IS = (accumulator, count) -> accumulator;
    private static final LongFinish EXACT = (accumulator, count) -> accumulator;

    private final Map<String, CpuOperator> operators = new LinkedHashMap<>();

    private final @Nullable VectorFunctions vectors;

    private ReduceOperators(@Nullable VectorFunctions vectors) {
        this.vectors = vectors;
    }

    public static Map<String, CpuOperator> all(CpuPath path) {
        VectorKernels kernels = path.kernels();
        ReduceOperators table = new ReduceOperators(kernels == null ? null : kernels.functions());
        table.addSums();
        table.addExtremes();
        table.addLogarithms();
        return table.operators;
    }

    private void addSums() {
        RealFold sum = new ReduceRule.SumFold();
        Longs sumOfLongs = new Longs(0, Long::sum, EXACT);
        folding("ReduceSum", VectorFunctions.Fold.SUM, new Reals(0, sum, AS_IS), sumOfLongs, sumOfLongs);
        folding(
                "Mean",
                VectorFunctions.Fold.SUM,
                new Reals(0, sum, (total, count) -> total / count),
                new Longs(0, Long::sum, LongValues::mean),
                new Longs(0, Long::sum, UnsignedLongs::mean));
        folding(
                "ReduceL1",
                VectorFunctions.Fold.SUM_OF_SIZES,
                new Reals(0, RealFold.of((total, x) -> total + Math.abs(x)), AS_IS),
                new Longs(0, (total, x) -> total + Math.abs(x), EXACT),
                sumOfLongs);
        Longs squaresOfLongs = new Longs(0, (total, x) -> total + x * x, EXACT);
        RealFold squares = RealFold.of((total, x) -> total + x * x);
        folding(
                "ReduceSumSquare",
                VectorFunctions.Fold.SUM_OF_SQUARES,
                new Reals(0, squares, AS_IS),
                squaresOfLongs,
                squaresOfLongs);
        CpuOperator length = floating("ReduceL2", new Reals(0, squares, (total, count) -> Math.sqrt(total)));
        operators.put("ReduceL2", CpuOperator.of(CpuWork.REDUCTION, length));
        Longs products = new Longs(1, (product, x) -> product * x, EXACT);
        CpuOperator product = numeric(new Reals(1, RealFold.of((total, x) -> total * x), AS_IS), products, products);
        operators.put("ReduceProd", CpuOperator.of(CpuWork.SCALAR_REDUCTION, product));
    }

    private void addExtremes() {
        folding(
                "ReduceMax",
                VectorFunctions.Fold.MAXIMUM,
                new Reals(Double.NEGATIVE_INFINITY, RealFold.of(Math::max), AS_IS),
                new Longs(Long.MIN_VALUE, Math::max, EXACT),
                new Longs(0, UnsignedLongs::max, EXACT));
        folding(
                "ReduceMin",
                VectorFunctions.Fold.MINIMUM,
                new Reals(Double.POSITIVE_INFINITY, RealFold.of(Math::min), AS_IS),
                new Longs(Long.MAX_VALUE, Math::min, EXACT),
                new Longs(-1, UnsignedLongs::min, EXACT));
    }

    private void addLogarithms() {
        CpuOperator logSum =
                floating("ReduceLogSum", new Reals(0, new ReduceRule.SumFold(), (total, count) -> Math.log(total)));
        operators.put("ReduceLogSum", CpuOperator.of(CpuWork.SCALAR_REDUCTION, logSum));
        operators.put(
                "ReduceLogSumExp",
                floating(
                        "ReduceLogSumExp",
                        new Reals(Double.NEGATIVE_INFINITY, RealFold.of(ReduceOperators::logSumExp), AS_IS)));
    }

    /** @param unsigned for uint64, where it is not what int64 has */
    private static CpuOperator numeric(Reals reals, Longs longs, Longs unsigned) {
        return new ReduceOperator(new ReduceRule(reals, longs, unsigned));
    }

    /** An operator that folds floats in vectors, where there are any. */
    private void folding(String optype, VectorFunctions.Fold fold, Reals reals, Longs longs, Longs unsigned) {
        CpuOperator any = numeric(reals, longs, unsigned);
        CpuOperator chosen = vectors == null ? any : new FloatReduction(fold, reals.finish(), vectors, any);
        operators.put(optype, CpuOperator.of(CpuWork.REDUCTION, chosen));
    }

    private static CpuOperator floating(String optype, Reals reals) {
        Longs none = new Longs(
                0,
                (total, x) -> {
                    throw new IllegalArgumentException(optype + " does not take integers");
                },
                EXACT);
        return new ReduceOperator(new ReduceRule(reals, none, none));
    }

    /** log(exp(a) + exp(b)) without overflow. */
    private static double logSumExp(double a, double b) {
        double larger = Math.max(a, b);
        if (Double.isInfinite(larger)) {
            return larger;
        }
        return larger + Math.log1p(Math.exp(-Math.abs(a - b)));
    }
}
