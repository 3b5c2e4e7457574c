// Convolution with channels last of few channels: the lanes of a vector are the output channels of PER_VECTOR pixels that
// lie side by side in a row; an item computes VECTORS vectors.
//
// Layout: x, residual, y NDHWC, dense and used in place. packed (conv_cpu_pack_weights.cl) is [tap, in channel, 16], where the
// output channels are repeated for every pixel. bias may be NULL, residual and slope where the macros do not ask for them;
// slope has one element for all output channels (slope_step == 0) or for each (1).
// Assumes: fewer than 2^31 elements in every tensor; one group; PER_VECTOR * OUT <= 16, (PER_VECTOR - 1) * STEP + IN <= 16,
//          STEP == stride.z * IN. Global size [ceil(out width / (VECTORS * PER_VECTOR)), out height, batch * out depth].
// Macros: IN, OUT  channels of x and y; STEP  elements of x from a pixel to the next; PER_VECTOR  pixels in a vector;
//         ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/runs.h"
#include "common/epilogue_runs.h"

#ifndef IN
#define IN 1
#endif
#ifndef OUT
#define OUT 4
#endif
#ifndef STEP
#define STEP IN
#endif
#ifndef PER_VECTOR
#define PER_VECTOR 4
#endif

#define VECTORS 8
#define EACH_VECTOR(do) do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7)
#define LANE_PIXELS min(LANES / OUT, (int16)(PER_VECTOR - 1))
#define FROM_LANES convert_uint16(LANE_PIXELS * STEP)

#define DECLARE(v) float16 sum##v = start;
#define READ_INSIDE(v) const float16 run##v = vload16(0, x + at + v * (PER_VECTOR * STEP));
#define READ_MASKED(v)                                                                                              \
    const int16 columns##v = column + v * (PER_VECTOR * STEP / IN) + LANES / IN;                                    \
    const int16 mask##v = (columns##v >= 0) & (columns##v < in_size.z);                                             \
    const float16 run##v = select((float16)0.0f, vload16(0, x + at + v * (PER_VECTOR * STEP)), mask##v);
#define READ_GUARDED(v)                                                                                             \
    const int16 columns##v = column + v * (PER_VECTOR * STEP / IN) + LANES / IN;                                    \
    const int16 mask##v = (columns##v >= 0) & (columns##v < in_size.z);                                             \
    const float16 run##v = read_run_guarded(x, at + v * (PER_VECTOR * STEP), mask##v, 0.0f);
#define MULTIPLY(v) sum##v += shuffle(run##v, FROM_LANES + channel) * weight;
#define ACCUMULATE(read)                                                                                            \
    {                                                                                                               \
        EACH_VECTOR(read)                                                                                           \
        _Pragma("unroll")                                                                                           \
        for (int channel = 0; channel < IN; ++channel) {                                                            \
            const float16 weight = vload16(channel, taps);                                                          \
            EACH_VECTOR(MULTIPLY)                                                                                   \
        }                                                                                                           \
    }
#define WRITE(v)                                                                                                    \
    finish_run(sum##v, residual, factor, alpha, beta, y, y_at + v * (PER_VECTOR * OUT),                             \
            min(pixels - v * PER_VECTOR, PER_VECTOR) * OUT);

// One element for each lane of an output channel.
static inline float16 repeated(__global const float *values, int step) {
    float lanes[16];
#pragma unroll 1
    for (int lane = 0; lane < 16; ++lane) {
        lanes[lane] = values ? values[lane % OUT * step] : 0.0f;
    }
    return vload16(0, lanes);
}

// Sizes are int4 [depth, height, width, 0].
__kernel void convolution_nxc_narrow(
        __global const float *x,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int x_len,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin) {
    const int out_column = get_global_id(0) * (VECTORS * PER_VECTOR);
    const int out_row = get_global_id(1);
    const int out_slice = get_global_id(2) % out_size.x;
    const int image = get_global_id(2) / out_size.x;
    const int pixels = out_size.z - out_column;
    const float16 start = repeated(bias, 1);
    EACH_VECTOR(DECLARE)
    for (int kz = 0; kz < kernel_size.x; ++kz) {
        const int z = out_slice * stride.x - pad_begin.x + kz * dilation.x;
        if (z < 0 || z >= in_size.x) {
            continue;
        }
        for (int ky = 0; ky < kernel_size.y; ++ky) {
            const int row = out_row * stride.y - pad_begin.y + ky * dilation.y;
            if (row < 0 || row >= in_size.y) {
                continue;
            }
            const int row_at = ((image * in_size.x + z) * in_size.y + row) * in_size.z;
            for (int kx = 0; kx < kernel_size.z; ++kx) {
                const int column = out_column * stride.z - pad_begin.z + kx * dilation.z;
                // Every vector is read whole: the last one up to 16 elements after its first.
                const int end_column = column + VECTORS * PER_VECTOR * (STEP / IN);
                const int at = (row_at + column) * IN;
                const bool safe = at >= 0 && at + (VECTORS - 1) * PER_VECTOR * STEP + 16 <= x_len;
                __global const float *taps =
                        packed + ((kz * kernel_size.y + ky) * kernel_size.z + kx) * (IN * 16);
                if (safe && column >= 0 && end_column <= in_size.z) {
                    ACCUMULATE(READ_INSIDE)
                } else if (safe) {
                    ACCUMULATE(READ_MASKED)
                } else {
                    ACCUMULATE(READ_GUARDED)
                }
            }
        }
    }
    const float16 factor =
            ACTIVATION_KIND == FUNCTION_PRELU ? repeated(slope, slope_step) : (float16)0.0f;
    const int y_at = (((image * out_size.x + out_slice) * out_size.y + out_row) * out_size.z + out_column) * OUT;
    EACH_VECTOR(WRITE)
}
