#define OF_(attributes) __attribute__((overloadable)) __attribute__((attributes))
#define PLAIN_ __attribute__((overloadable))
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define FP64_(x) x
#else
#define FP64_(x)
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define FP16_(x) x
#else
#define FP16_(x)
#endif
#ifdef __opencl_c_generic_address_space
#define GENERIC_(x) x
#else
#define GENERIC_(x)
#endif
#ifdef __opencl_c_named_address_space_builtins
#define NAMED_(x) x
#else
#define NAMED_(x)
#endif

#define VECTORS_(m, f, t) m(f, t, 2) m(f, t, 3) m(f, t, 4) m(f, t, 8) m(f, t, 16)
#define WIDTHS_(m, f, t) m(f, t, ) VECTORS_(m, f, t)
#define EACH_REAL_(m, n, f) n(m, f, float) FP64_(n(m, f, double)) FP16_(n(m, f, half))
#define EACH_SIGNED_(m, n, f) n(m, f, char) n(m, f, short) n(m, f, int) n(m, f, long)
#define EACH_UNSIGNED_(m, n, f) n(m, f, uchar) n(m, f, ushort) n(m, f, uint) n(m, f, ulong)
#define REALS_(m, f) EACH_REAL_(m, WIDTHS_, f)
#define INTEGERS_(m, f) EACH_SIGNED_(m, WIDTHS_, f) EACH_UNSIGNED_(m, WIDTHS_, f)
#define NUMBERS_(m, f) REALS_(m, f) INTEGERS_(m, f)
#define REAL_VECTORS_(m, f) EACH_REAL_(m, VECTORS_, f)
#define NUMBER_VECTORS_(m, f) REAL_VECTORS_(m, f) EACH_SIGNED_(m, VECTORS_, f) EACH_UNSIGNED_(m, VECTORS_, f)
#define ONE_(f, t, n) t##n OF_(const) f(t##n);
#define TWO_(f, t, n) t##n OF_(const) f(t##n, t##n);
#define THREE_(f, t, n) t##n OF_(const) f(t##n, t##n, t##n);
#define VECTOR_AND_SCALAR_(f, t, n) t##n OF_(const) f(t##n, t);
#define VECTOR_AND_SCALARS_(f, t, n) t##n OF_(const) f(t##n, t, t);

#define ITEM_(f) size_t OF_(const) f(uint);
get_global_id: ITEM_(get_global_id)
get_global_size: ITEM_(get_global_size)
get_local_id: ITEM_(get_local_id)
get_local_size: ITEM_(get_local_size)
get_group_id: ITEM_(get_group_id)
get_num_groups: ITEM_(get_num_groups)
get_global_offset: ITEM_(get_global_offset)
barrier: void OF_(convergent) barrier(cl_mem_fence_flags);
mem_fence: void PLAIN_ mem_fence(cl_mem_fence_flags);

acos: REALS_(ONE_, acos)
acosh: REALS_(ONE_, acosh)
asin: REALS_(ONE_, asin)
asinh: REALS_(ONE_, asinh)
atan: REALS_(ONE_, atan)
atanh: REALS_(ONE_, atanh)
ceil: REALS_(ONE_, ceil)
cos: REALS_(ONE_, cos)
cosh: REALS_(ONE_, cosh)
erf: REALS_(ONE_, erf)
erfc: REALS_(ONE_, erfc)
exp: REALS_(ONE_, exp)
expm1: REALS_(ONE_, expm1)
fabs: REALS_(ONE_, fabs)
floor: REALS_(ONE_, floor)
log: REALS_(ONE_, log)
log1p: REALS_(ONE_, log1p)
rint: REALS_(ONE_, rint)
round: REALS_(ONE_, round)
rsqrt: REALS_(ONE_, rsqrt)
sign: REALS_(ONE_, sign)
sin: REALS_(ONE_, sin)
sinh: REALS_(ONE_, sinh)
sqrt: REALS_(ONE_, sqrt)
tan: REALS_(ONE_, tan)
tanh: REALS_(ONE_, tanh)
trunc: REALS_(ONE_, trunc)
cbrt: REALS_(ONE_, cbrt)
exp2: REALS_(ONE_, exp2)
exp10: REALS_(ONE_, exp10)
log2: REALS_(ONE_, log2)
log10: REALS_(ONE_, log10)
logb: REALS_(ONE_, logb)
lgamma: REALS_(ONE_, lgamma)
tgamma: REALS_(ONE_, tgamma)
sinpi: REALS_(ONE_, sinpi)
cospi: REALS_(ONE_, cospi)
tanpi: REALS_(ONE_, tanpi)
asinpi: REALS_(ONE_, asinpi)
acospi: REALS_(ONE_, acospi)
atanpi: REALS_(ONE_, atanpi)
degrees: REALS_(ONE_, degrees)
radians: REALS_(ONE_, radians)
native_cos: WIDTHS_(ONE_, native_cos, float)
native_exp: WIDTHS_(ONE_, native_exp, float)
native_exp2: WIDTHS_(ONE_, native_exp2, float)
native_exp10: WIDTHS_(ONE_, native_exp10, float)
native_log: WIDTHS_(ONE_, native_log, float)
native_log2: WIDTHS_(ONE_, native_log2, float)
native_log10: WIDTHS_(ONE_, native_log10, float)
native_recip: WIDTHS_(ONE_, native_recip, float)
native_rsqrt: WIDTHS_(ONE_, native_rsqrt, float)
native_sin: WIDTHS_(ONE_, native_sin, float)
native_sqrt: WIDTHS_(ONE_, native_sqrt, float)
native_tan: WIDTHS_(ONE_, native_tan, float)
native_divide: WIDTHS_(TWO_, native_divide, float)
native_powr: WIDTHS_(TWO_, native_powr, float)
atan2: REALS_(TWO_, atan2)
atan2pi: REALS_(TWO_, atan2pi)
hypot: REALS_(TWO_, hypot)
fdim: REALS_(TWO_, fdim)
nextafter: REALS_(TWO_, nextafter)
remainder: REALS_(TWO_, remainder)
powr: REALS_(TWO_, powr)
maxmag: REALS_(TWO_, maxmag)
minmag: REALS_(TWO_, minmag)
copysign: REALS_(TWO_, copysign)
fmod: REALS_(TWO_, fmod)
pow: REALS_(TWO_, pow)
fmax: REALS_(TWO_, fmax) REAL_VECTORS_(VECTOR_AND_SCALAR_, fmax)
fmin: REALS_(TWO_, fmin) REAL_VECTORS_(VECTOR_AND_SCALAR_, fmin)
fma: REALS_(THREE_, fma)
mad: REALS_(THREE_, mad)
max: NUMBERS_(TWO_, max) NUMBER_VECTORS_(VECTOR_AND_SCALAR_, max)
min: NUMBERS_(TWO_, min) NUMBER_VECTORS_(VECTOR_AND_SCALAR_, min)
clamp: NUMBERS_(THREE_, clamp) NUMBER_VECTORS_(VECTOR_AND_SCALARS_, clamp)
#define SCALAR_LAST_(f, t, n) t##n OF_(const) f(t##n, t##n, t);
mix: REALS_(THREE_, mix) REAL_VECTORS_(SCALAR_LAST_, mix)
#define SCALAR_FIRST_(f, t, n) t##n OF_(const) f(t, t##n);
step: REALS_(TWO_, step) REAL_VECTORS_(SCALAR_FIRST_, step)
hadd: INTEGERS_(TWO_, hadd)
rhadd: INTEGERS_(TWO_, rhadd)
rotate: INTEGERS_(TWO_, rotate)
mad_hi: INTEGERS_(THREE_, mad_hi)
mad_sat: INTEGERS_(THREE_, mad_sat)
mul24: WIDTHS_(TWO_, mul24, int) WIDTHS_(TWO_, mul24, uint)
mad24: WIDTHS_(THREE_, mad24, int) WIDTHS_(THREE_, mad24, uint)
add_sat: INTEGERS_(TWO_, add_sat)
sub_sat: INTEGERS_(TWO_, sub_sat)
mul_hi: INTEGERS_(TWO_, mul_hi)
clz: INTEGERS_(ONE_, clz)
popcount: INTEGERS_(ONE_, popcount)
#define MAGNITUDE_(f, t, n) u##t##n OF_(const) f(t##n);
abs: EACH_SIGNED_(MAGNITUDE_, WIDTHS_, abs) EACH_UNSIGNED_(ONE_, WIDTHS_, abs)
#define WITH_INT_(f, t, n) t##n OF_(const) f(t##n, int##n);
#define WITH_SCALAR_INT_(f, t, n) t##n OF_(const) f(t##n, int);
ldexp: REALS_(WITH_INT_, ldexp) REAL_VECTORS_(WITH_SCALAR_INT_, ldexp)
#define OF_UINT_(f, t, n) t##n OF_(const) f(uint##n);
#define OF_ULONG_(f, t, n) t##n OF_(const) f(ulong##n);
#define OF_USHORT_(f, t, n) t##n OF_(const) f(ushort##n);
nan: WIDTHS_(OF_UINT_, nan, float) FP64_(WIDTHS_(OF_ULONG_, nan, double)) FP16_(WIDTHS_(OF_USHORT_, nan, half))

#define IS_INT_(f, t, n) int##n OF_(const) f(t##n);
#define IS_LONG_(f, t, n) long##n OF_(const) f(t##n);
#define IS_SHORT_(f, t, n) short##n OF_(const) f(t##n);
#define IS_DOUBLE_(f) IS_INT_(f, double, ) VECTORS_(IS_LONG_, f, double)
#define IS_HALF_(f) IS_INT_(f, half, ) VECTORS_(IS_SHORT_, f, half)
#define IS_(f) WIDTHS_(IS_INT_, f, float) FP64_(IS_DOUBLE_(f)) FP16_(IS_HALF_(f))
isnan: IS_(isnan)
isinf: IS_(isinf)
isfinite: IS_(isfinite)
signbit: IS_(signbit)
#define TEST_(f, t, n) int OF_(const) f(t##n);
all: EACH_SIGNED_(TEST_, WIDTHS_, all)
any: EACH_SIGNED_(TEST_, WIDTHS_, any)
#define SELECT_(i, t, n) t##n OF_(const) select(t##n, t##n, i##n); t##n OF_(const) select(t##n, t##n, u##i##n);
#define SELECTS_(t, i) WIDTHS_(SELECT_, i, t)
#define SELECTS_WHOLE_(i) SELECTS_(i, i) SELECTS_(u##i, i)
#define SELECTS_REAL_ SELECTS_(float, int) FP64_(SELECTS_(double, long)) FP16_(SELECTS_(half, short))
select: SELECTS_WHOLE_(char) SELECTS_WHOLE_(short) SELECTS_WHOLE_(int) SELECTS_WHOLE_(long) SELECTS_REAL_

#define FROM_(f, to, t, n) to##n OF_(const) f(t##n);
#define FROM_SIGNED_(f, to, n) FROM_(f, to, char, n) FROM_(f, to, short, n) FROM_(f, to, int, n) FROM_(f, to, long, n)
#define FROM_UNSIGNED_(f, to, n) FROM_(f, to, uchar, n) FROM_(f, to, ushort, n) FROM_(f, to, uint, n) FROM_(f, to, ulong, n)
#define FROM_REAL_(f, to, n) FROM_(f, to, float, n) FP64_(FROM_(f, to, double, n)) FP16_(FROM_(f, to, half, n))
#define CONVERSION_(f, to, n) FROM_SIGNED_(f, to, n) FROM_UNSIGNED_(f, to, n) FROM_REAL_(f, to, n)

#define SHUFFLE_(m, t, n) t##n OF_(const) shuffle(t##2, m##n); t##n OF_(const) shuffle(t##4, m##n); \
    t##n OF_(const) shuffle(t##8, m##n); t##n OF_(const) shuffle(t##16, m##n);
#define SHUFFLES_(t, m) SHUFFLE_(m, t, 2) SHUFFLE_(m, t, 4) SHUFFLE_(m, t, 8) SHUFFLE_(m, t, 16)
#define SHUFFLES_WHOLE_(t) SHUFFLES_(t, u##t) SHUFFLES_(u##t, u##t)
#define SHUFFLES_REAL_ SHUFFLES_(float, uint) FP64_(SHUFFLES_(double, ulong)) FP16_(SHUFFLES_(half, ushort))
shuffle: SHUFFLES_WHOLE_(char) SHUFFLES_WHOLE_(short) SHUFFLES_WHOLE_(int) SHUFFLES_WHOLE_(long) SHUFFLES_REAL_

#define STORES_(m, f, t, n) GENERIC_(m(f, t, n, )) NAMED_(m(f, t, n, __global) m(f, t, n, __local) m(f, t, n, __private))
#define LOADS_(m, f, t, n) m(f, t, n, __constant) STORES_(m, f, t, n)
#define LOAD_(f, t, n, space) t##n OF_(pure) f(size_t, const space t *);
#define STORE_(f, t, n, space) void PLAIN_ f(t##n, size_t, space t *);
#define VLOAD_(n, f, t) LOADS_(LOAD_, f, t, n)
#define VSTORE_(n, f, t) STORES_(STORE_, f, t, n)
#define MEMORY_(m, n, f) EACH_SIGNED_(n, m, f) EACH_UNSIGNED_(n, m, f) EACH_REAL_(n, m, f)
vload2: MEMORY_(VLOAD_, 2, vload2)
vload3: MEMORY_(VLOAD_, 3, vload3)
vload4: MEMORY_(VLOAD_, 4, vload4)
vload8: MEMORY_(VLOAD_, 8, vload8)
vload16: MEMORY_(VLOAD_, 16, vload16)
vstore2: MEMORY_(VSTORE_, 2, vstore2)
vstore3: MEMORY_(VSTORE_, 3, vstore3)
vstore4: MEMORY_(VSTORE_, 4, vstore4)
vstore8: MEMORY_(VSTORE_, 8, vstore8)
vstore16: MEMORY_(VSTORE_, 16, vstore16)
#define LOAD_HALF_(f, t, n, space) t##n OF_(pure) f(size_t, const space half *);
#define STORE_HALF_(f, t, n, space) void PLAIN_ f(t##n, size_t, space half *);
#define HALF_LOADS_(f, n) LOADS_(LOAD_HALF_, f, float, n)
#define HALF_STORES_(f, n) STORES_(STORE_HALF_, f, float, n) FP64_(STORES_(STORE_HALF_, f, double, n))
vload_half: HALF_LOADS_(vload_half, )
vload_half4: HALF_LOADS_(vload_half4, 4)
vloada_half4: HALF_LOADS_(vloada_half4, 4)
vload_half16: HALF_LOADS_(vload_half16, 16)
vstore_half: HALF_STORES_(vstore_half, )
vstore_half_rte: HALF_STORES_(vstore_half_rte, )
vstore_half4_rte: HALF_STORES_(vstore_half4_rte, 4)
vstorea_half4_rte: HALF_STORES_(vstorea_half4_rte, 4)
vstore_half16_rte: HALF_STORES_(vstore_half16_rte, 16)

#define PREFETCH_(f, t, n) void PLAIN_ f(const __global t##n *, size_t);
prefetch: NUMBERS_(PREFETCH_, prefetch)
#define ATOMIC_(f, t) t PLAIN_ f(volatile __global t *, t); t PLAIN_ f(volatile __local t *, t);
atomic_sub: ATOMIC_(atomic_sub, int) ATOMIC_(atomic_sub, uint)
atomic_min: ATOMIC_(atomic_min, int) ATOMIC_(atomic_min, uint)
atomic_max: ATOMIC_(atomic_max, int) ATOMIC_(atomic_max, uint)
atomic_and: ATOMIC_(atomic_and, int) ATOMIC_(atomic_and, uint)
atomic_or: ATOMIC_(atomic_or, int) ATOMIC_(atomic_or, uint)
atomic_xor: ATOMIC_(atomic_xor, int) ATOMIC_(atomic_xor, uint)
atomic_add: ATOMIC_(atomic_add, int) ATOMIC_(atomic_add, uint)
atomic_xchg: ATOMIC_(atomic_xchg, int) ATOMIC_(atomic_xchg, uint) ATOMIC_(atomic_xchg, float)
