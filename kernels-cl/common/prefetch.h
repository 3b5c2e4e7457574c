// Weights that are read once come from memory faster if they are asked for early; where the compiler cannot, nothing
// is done.
//
// Gives: PREFETCH(address)  the element there, and those in its cache line, will be read; it need not exist.
#ifndef CLINFER_PREFETCH_H
#define CLINFER_PREFETCH_H

// Compilers to portable code (SPIR) would leave the builtin to whoever reads that.
#if defined(__has_builtin) && !defined(__SPIR__) && !defined(__SPIR64__) && !defined(__SPIRV__)
#if __has_builtin(__builtin_prefetch)
#define PREFETCH(address) __builtin_prefetch((const void *)(size_t)(address), 0, 3)
#endif
#endif
#ifndef PREFETCH
#define PREFETCH(address)
#endif

// How far ahead, in floats.
#define PREFETCH_AHEAD 1024

#endif
