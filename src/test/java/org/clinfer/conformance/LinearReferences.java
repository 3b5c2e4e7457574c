package org.clinfer.conformance;

import java.util.Arrays;
import java.util.Map;

/** Matrix products. */
final class LinearReferences {

    private LinearReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "InnerProduct", Reference.single(LinearReferences::innerProduct),
                "Gemm", Reference.single(LinearReferences::gemm),
                "MatMul", Reference.single(LinearReferences::matMul),
                "MatMulNBits", Reference.single(LinearReferences::matMulNBits),
                "StridedMatMul", Reference.single(LinearReferences::stridedMatMul));
    }

    /** Products of elements found by strides; axes of the result in the order of perm. */
    private static Array stridedMatMul(Call call) {
        long[] sizes = call.ints("sizes");
        int axes = sizes.length - 1;
        long[] whole = Arrays.copyOf(sizes, axes);
        whole[axes - 1] = sizes[axes];
        long[] plain = new long[axes];
        Arrays.setAll(plain, axis -> axis);
        long[] perm = call.ints("perm", plain);
        long[] dims = new long[axes];
        Arrays.setAll(dims, i -> whole[(int) perm[i]]);
        long[] aStrides = call.ints("a_strides");
        long[] bStrides = call.ints("b_strides");
        return Array.of(dims, at -> {
            long[] index = new long[axes];
            for (int i = 0; i < axes; i++) {
                index[(int) perm[i]] = at[i];
            }
            long a = call.integer("a_offset", 0) + index[axes - 2] * aStrides[axes - 2];
            long b = call.integer("b_offset", 0) + index[axes - 1] * bStrides[axes - 1];
            for (int i = 0; i < axes - 2; i++) {
                a += index[i] * aStrides[i];
                b += index[i] * bStrides[i];
            }
            double sum = 0;
            for (long k = 0; k < sizes[axes - 1]; k++) {
                sum += call.input(0).flat(a + k * aStrides[axes - 1])
                        * call.input(1).flat(b + k * bStrides[axes - 2]);
            }
            return call.real("alpha", 1) * sum;
        });
    }

    /** Caffe's fully connected layer: the input in the order channel, height, width against each row of weights. */
    private static Array innerProduct(Call call) {
        Array x = call.input(0);
        Array weights = call.input(1);
        long length = x.dim(1) * x.dim(2) * x.dim(3);
        return Array.of(new long[] {x.dim(0), weights.dim(0), 1, 1}, at -> {
            double sum = call.hasInput(2) ? call.input(2).flat(at[1]) : 0;
            for (long i = 0; i < length; i++) {
                sum += x.flat(at[0] * length + i) * weights.flat(at[1] * length + i);
            }
            return sum;
        });
    }

    private static Array gemm(Call call) {
        boolean transposeA = call.flag("transpose_a", false);
        boolean transposeB = call.flag("transpose_b", false);
        Array a = call.input(0);
        Array b = call.input(1);
        long inner = a.dim(transposeA ? 0 : 1);
        long[] dims = {a.dim(transposeA ? 1 : 0), b.dim(transposeB ? 0 : 1)};
        return Array.of(dims, at -> {
            double sum = 0;
            for (long k = 0; k < inner; k++) {
                sum += (transposeA ? a.at(k, at[0]) : a.at(at[0], k)) * (transposeB ? b.at(at[1], k) : b.at(k, at[1]));
            }
            double scaled = call.real("alpha", 1) * sum;
            return call.hasInput(2)
                    ? scaled + call.real("beta", 1) * call.input(2).broadcastAt(at)
                    : scaled;
        });
    }

    /** Every block of a column has codes of some bits, low bits first, a scale and a zero point. */
    private static Array matMulNBits(Call call) {
        Array a = call.input(0);
        Array codes = call.input(1);
        long bits = call.integer("bits", 4);
        long block = call.integer("block_size", 0);
        long terms = a.dim(-1);
        long[] dims = a.dims();
        dims[dims.length - 1] = codes.dim(0);
        return Array.of(dims, at -> {
            long column = at[at.length - 1];
            double sum = call.hasInput(4) ? call.input(4).at(column) : 0;
            for (long i = 0; i < terms; i++) {
                long bit = i % block * bits;
                long packed = (long) codes.at(column, i / block, bit / Byte.SIZE);
                double code = packed >> bit % Byte.SIZE & (1 << bits) - 1;
                double zero = call.hasInput(3) ? call.input(3).at(column, i / block) : 1 << (bits - 1);
                sum += a.at(Indices.with(at, at.length - 1, i))
                        * (code - zero)
                        * call.input(2).at(column, i / block);
            }
            return sum;
        });
    }

    /** As numpy: batch axes broadcast; a vector is a row on the left, a column on the right, without that axis after. */
    private static Array matMul(Call call) {
        Array left = call.input(0);
        Array right = call.input(1);
        Array a = left.rank() == 1 ? left.reshaped(1, left.dim(0)) : left;
        Array b = right.rank() == 1 ? right.reshaped(right.dim(0), 1) : right;
        long[] batch = Indices.broadcast(Arrays.copyOf(a.dims(), a.rank() - 2), Arrays.copyOf(b.dims(), b.rank() - 2));
        long[] dims = Arrays.copyOf(batch, batch.length + 2);
        dims[batch.length] = a.dim(-2);
        dims[batch.length + 1] = b.dim(-1);
        Array product = Array.of(dims, at -> {
            double sum = 0;
            for (long k = 0; k < a.dim(-1); k++) {
                sum += a.broadcastAt(Indices.with(at, at.length - 1, k))
                        * b.broadcastAt(Indices.with(at, at.length - 2, k));
            }
            return sum;
        });
        long[] shape = left.rank() == 1 ? Indices.without(dims, dims.length - 2) : dims;
        return product.reshaped(right.rank() == 1 ? Indices.without(shape, shape.length - 1) : shape);
    }
}
