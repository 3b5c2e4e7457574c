// Transforms of Winograd's minimal filtering, F(4, 3) and F(2, 3), of one column or row of a tile: 3 weights and 6 or 4
// inputs to 6 or 4 factors each, and the sums of their products to 4 or 2 outputs.
//
// Macros: none.
// Gives:  functions of neighbouring values of type VALUE, to such that are `step` apart:
//         WINOGRAD_WEIGHTS_4, WINOGRAD_WEIGHTS_2  define name(g, to, step): G g;
//         WINOGRAD_INPUTS_4, WINOGRAD_INPUTS_2    define name(d, to, step): B^T d;
//         WINOGRAD_BACK_4, WINOGRAD_BACK_2        define name(m, to, step): A^T m.
#ifndef CLINFER_WINOGRAD_H
#define CLINFER_WINOGRAD_H

#define WINOGRAD_WEIGHTS_4(name, VALUE)                                             \
    static inline void name(const VALUE *g, VALUE *to, int step) {                  \
        const VALUE even = g[0] + g[2];                                             \
        const VALUE wide = g[0] * (1.0f / 24.0f) + g[2] * (1.0f / 6.0f);            \
        to[0] = 0.25f * g[0];                                                       \
        to[step] = (even + g[1]) * (-1.0f / 6.0f);                                  \
        to[2 * step] = (even - g[1]) * (-1.0f / 6.0f);                              \
        to[3 * step] = wide + g[1] * (1.0f / 12.0f);                                \
        to[4 * step] = wide - g[1] * (1.0f / 12.0f);                                \
        to[5 * step] = g[2];                                                        \
    }

#define WINOGRAD_WEIGHTS_2(name, VALUE)                                             \
    static inline void name(const VALUE *g, VALUE *to, int step) {                  \
        const VALUE even = 0.5f * (g[0] + g[2]);                                    \
        to[0] = g[0];                                                               \
        to[step] = even + 0.5f * g[1];                                              \
        to[2 * step] = even - 0.5f * g[1];                                          \
        to[3 * step] = g[2];                                                        \
    }

#define WINOGRAD_INPUTS_4(name, VALUE)                                              \
    static inline void name(const VALUE *d, VALUE *to, int step) {                  \
        const VALUE a = d[4] - 4.0f * d[2];                                         \
        const VALUE b = d[3] - 4.0f * d[1];                                         \
        const VALUE c = d[4] - d[2];                                                \
        const VALUE e = 2.0f * (d[3] - d[1]);                                       \
        to[0] = 4.0f * d[0] - 5.0f * d[2] + d[4];                                   \
        to[step] = a + b;                                                           \
        to[2 * step] = a - b;                                                       \
        to[3 * step] = c + e;                                                       \
        to[4 * step] = c - e;                                                       \
        to[5 * step] = 4.0f * d[1] - 5.0f * d[3] + d[5];                            \
    }

#define WINOGRAD_INPUTS_2(name, VALUE)                                              \
    static inline void name(const VALUE *d, VALUE *to, int step) {                  \
        to[0] = d[0] - d[2];                                                        \
        to[step] = d[1] + d[2];                                                     \
        to[2 * step] = d[2] - d[1];                                                 \
        to[3 * step] = d[1] - d[3];                                                 \
    }

#define WINOGRAD_BACK_4(name, VALUE)                                                \
    static inline void name(const VALUE *m, VALUE *to, int step) {                  \
        const VALUE a = m[1] + m[2];                                                \
        const VALUE b = m[1] - m[2];                                                \
        const VALUE c = m[3] + m[4];                                                \
        const VALUE e = m[3] - m[4];                                                \
        to[0] = m[0] + a + c;                                                       \
        to[step] = b + 2.0f * e;                                                    \
        to[2 * step] = a + 4.0f * c;                                                \
        to[3 * step] = b + 8.0f * e + m[5];                                         \
    }

#define WINOGRAD_BACK_2(name, VALUE)                                                \
    static inline void name(const VALUE *m, VALUE *to, int step) {                  \
        to[0] = m[0] + m[1] + m[2];                                                 \
        to[step] = m[1] - m[2] - m[3];                                              \
    }

#endif
