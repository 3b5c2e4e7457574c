// Products of matrices by register tiles: an item computes 32 columns of `rows_each` rows.
//
// gemm_tiles:          y = alpha * A B + beta * C, where C is walked with [row, column] strides and may be NULL.
// matmul_tiles:        y = A B over any number of matrices; batch axes have strides of their own in A and in the panels
//                      (0 = broadcast).
// matmul_direct:       the same with B as it lies, rows of n elements side by side, n at least 16.
// convolution_product: the same for one matrix, as a convolution of windows of one element with the channels last; bias,
//                      residual, slope and kinds as in convolution/conv_ncx_cpu_pointwise.cl.
// Layout: panels as linalg/product_cpu_pack.cl makes them of B; A is walked with [row, column] strides; y is dense.
// Assumes: fewer than 2^31 elements in every tensor. Global size [ceil(n / 32), ceil(m / rows_each), number of matrices],
//          of matmul_direct [max(n / 32, 1), ...]: its last panel goes with what is left, which overlaps it.
// Macros: none.
#include "common/product.h"
#include "common/index.h"

// alpha * y + beta * C in place.
__attribute__((noinline)) static void product_scale(
        __global float *y,
        int pitch,
        int rows,
        int columns,
        __global const float *c,
        int2 c_strides,
        float alpha,
        float beta) {
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const float product = alpha * y[row * pitch + column];
            y[row * pitch + column] = c ? product + beta * c[row * c_strides.x + column * c_strides.y] : product;
        }
    }
}

static void gemm_tiles_item(
        __global const float *a,
        __global const float *panels,
        __global const float *c,
        __global float *y,
        const int m,
        const int n,
        const int k,
        const int rows_each,
        const int2 a_strides,
        const int2 c_strides,
        const float alpha,
        const float beta,
        const int3 at) {
    const int column = at.x * PRODUCT_WIDTH;
    const int last = min((at.y + 1) * rows_each, m);
    const int slice = product_slice(k);
    const int adds_first = c && alpha == 1.0f && beta == 1.0f && c_strides.x == 0 && c_strides.y == 1;
    const int scales = alpha != 1.0f || (c && !adds_first);
    ProductTile t;
    t.bias = adds_first ? c + column : 0;
    t.a_row = a_strides.x;
    t.a_step = a_strides.y;
    t.panel_step = PRODUCT_WIDTH;
    t.columns = min(n - column, PRODUCT_WIDTH);
    t.pitch = n;
    t.ahead = product_ahead(slice, k, n);
    for (int begin = 0; begin < k; begin += slice) {
        t.panel = panels + (at.x * k + begin) * PRODUCT_WIDTH;
        t.terms = min(k - begin, slice);
        t.begun = begin > 0;
        for (int row = at.y * rows_each; row < last; row += t.rows) {
            t.rows = product_tile_rows(last - row);
            t.a = a + row * a_strides.x + begin * a_strides.y;
            t.y = y + row * n + column;
            product_tile(&t);
            if (scales && begin + slice >= k) {
                product_scale(t.y, n, t.rows, t.columns,
                        c ? c + row * c_strides.x + column * c_strides.y : 0, c_strides, alpha, beta);
            }
        }
    }
}

// What follows a sum: the residual, the activation, and another residual, over a tile in y. `slope` may be NULL.
__attribute__((noinline)) static void product_finish(
        const ProductTile *t,
        __global const float *residual,
        int residual_after,
        __global const float *slope,
        int slope_step,
        int activation,
        float alpha,
        float beta) {
    const float low = blocked_low(activation, alpha);
    const float high = blocked_high(activation, beta);
    const int smooth = blocked_is_smooth(activation);
    for (int column = 0; column < t->columns; column += 16) {
        const int count = t->columns - column;
        const float16 bend = activation != FUNCTION_PRELU ? (float16)(activation == FUNCTION_LEAKY_RELU ? alpha : 1.0f)
                : slope_step ? product_read(slope + column, count) : (float16)slope[0];
        for (int row = 0; row < t->rows; ++row) {
            const int at = row * t->pitch + column;
            const float16 added = residual ? product_read(residual + at, count) : (float16)0.0f;
            float16 value = product_read(t->y + at, count);
            if (residual && !residual_after) {
                value += added;
            }
            value = smooth ? blocked_smooth(value, activation) : clip16(blocked_bent(value, bend), low, high);
            if (residual && residual_after) {
                value += added;
            }
            if (count >= 16) {
                blocked_store(value, t->y + at);
            } else {
                runs_write(value, t->y + at, count);
            }
        }
    }
}

__kernel void convolution_product(
        __global const float *x,
        __global const float *panels,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const int activation,
        const int residual_after,
        const float alpha,
        const float beta,
        const int m,
        const int n,
        const int k,
        const int rows_each) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int column = at.x * PRODUCT_WIDTH;
    const int last = min((at.y + 1) * rows_each, m);
    const int slice = product_slice(k);
    ProductTile t;
    t.bias = bias ? bias + column : 0;
    t.a_row = k;
    t.a_step = 1;
    t.panel_step = PRODUCT_WIDTH;
    t.columns = min(n - column, PRODUCT_WIDTH);
    t.pitch = n;
    t.ahead = product_ahead(slice, k, n);
    for (int begin = 0; begin < k; begin += slice) {
        t.panel = panels + (at.x * k + begin) * PRODUCT_WIDTH;
        t.terms = min(k - begin, slice);
        t.begun = begin > 0;
        for (int row = at.y * rows_each; row < last; row += t.rows) {
            t.rows = product_tile_rows(last - row);
            t.a = x + row * k + begin;
            t.y = y + row * n + column;
            product_tile(&t);
            if (begin + slice >= k && (activation != FUNCTION_NONE || residual)) {
                product_finish(&t, residual ? residual + row * n + column : 0, residual_after,
                        slope ? slope + column * slope_step : 0, slope_step, activation, alpha, beta);
            }
        }
    }
}

__kernel void matmul_tiles(
        __global const float *a,
        __global const float *panels,
        __global float *y,
        const int m,
        const int n,
        const int k,
        const int rows_each,
        const int2 a_strides,
        const int8 batch_dims,
        const int8 a_batch_strides,
        const int8 panel_batch_strides) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    gemm_tiles_item(
            a + strided_offset(at.z, batch_dims, a_batch_strides),
            panels + strided_offset(at.z, batch_dims, panel_batch_strides), 0, y + at.z * m * n, m, n, k, rows_each,
            a_strides, (int2)(0, 0), 1.0f, 0.0f, (int3)(at.x, at.y, 0));
}

// `columns` columns from `column` on, 16 or 32, of the rows from `row` up to `last`.
static inline void product_window(__global const float *a, __global const float *b, __global float *y, int n, int k,
        int row, int last, int column, int columns) {
    const int slice = product_slice(k);
    ProductTile t;
    t.bias = 0;
    t.a_row = k;
    t.a_step = 1;
    t.panel_step = n;
    t.columns = columns;
    t.pitch = n;
    t.ahead = 0;
    for (int begin = 0; begin < k; begin += slice) {
        t.panel = b + begin * n + column;
        t.terms = min(k - begin, slice);
        t.begun = begin > 0;
        for (int next = row; next < last; next += t.rows) {
            t.rows = product_tile_rows(last - next);
            t.a = a + next * k + begin;
            t.y = y + next * n + column;
            product_tile(&t);
        }
    }
}

__kernel void matmul_direct(
        __global const float *a,
        __global const float *b,
        __global float *y,
        const int m,
        const int n,
        const int k,
        const int rows_each,
        const int8 batch_dims,
        const int8 a_batch_strides,
        const int8 b_batch_strides) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    __global const float *left = a + strided_offset(at.z, batch_dims, a_batch_strides);
    __global const float *right = b + strided_offset(at.z, batch_dims, b_batch_strides);
    __global float *to = y + at.z * m * n;
    const int row = at.y * rows_each;
    const int last = min(row + rows_each, m);
    const int width = n < PRODUCT_WIDTH ? 16 : PRODUCT_WIDTH;
    const int end = at.x * PRODUCT_WIDTH + width;
    const int rest = n - end;
    product_window(left, right, to, n, k, row, last, end - width, width);
    if (rest > 0 && rest < PRODUCT_WIDTH) {
        const int last_width = rest <= 16 ? 16 : PRODUCT_WIDTH;
        product_window(left, right, to, n, k, row, last, n - last_width, last_width);
    }
}

__kernel void gemm_tiles(
        __global const float *a,
        __global const float *panels,
        __global const float *c,
        __global float *y,
        const int m,
        const int n,
        const int k,
        const int rows_each,
        const int2 a_strides,
        const int2 c_strides,
        const float alpha,
        const float beta) {
    gemm_tiles_item(a, panels, c, y, m, n, k, rows_each, a_strides, c_strides, alpha, beta,
            (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
}
