// Many launches in one: every work-group is a worker, takes items of one launch after the other from a table, and goes
// on when all items of it are done. A worker waits for nothing but items that running workers have taken, so that it does
// not matter how many of them run at a time.
//
// Table: for each launch the word where it begins, then for each: number of its function, items, their number in three
//        dimensions, arguments: pool and unit of 64 bytes of a pointer (pool -1: NULL), byte in local memory, or the
//        words of a value.
// Counters: in lines of 64 bytes, 0 before the first run: workers that have left, the half in use; then twice for each
//        launch how many items of each worker's own share are taken, and how many of all are done. A run uses one half
//        and clears the other; its last worker changes them over.
// Gives: CHAIN_ITEMS, CHAIN_HEADER, CHAIN_VALUE, chain_pointer, chain_position,
//        chain_row_end, chain_next_row, the kernel clinfer_chain.
// Assumes: chain_dispatch is defined behind it; launched in work-groups of one item.
#ifndef CLINFER_CHAIN_H
#define CLINFER_CHAIN_H

#include "common/processor.h"

// Items from `first` up to `last` of the launch at `words`.
#define CHAIN_ITEMS                                                                                         \
    __global const int *words, uint first, uint last, __local char *local_memory, __global char *const *pools
#define CHAIN_HEADER 5
#define CHAIN_LINE 16

// What others wrote before they added is seen by who loads the sum. Compilers to portable code (SPIR) would leave the
// builtins to whoever reads that; what they have instead orders all memory in practice.
#if defined(__has_builtin) && !defined(__SPIR__) && !defined(__SPIR64__) && !defined(__SPIRV__)
#if __has_builtin(__atomic_fetch_add) && __has_builtin(__atomic_load_n) && __has_builtin(__atomic_store_n)
#define CHAIN_BUILTIN 1
#endif
#endif
#ifdef CHAIN_BUILTIN
#define CHAIN_ADDRESS(p) ((volatile uint *)(size_t)(p))
#define CHAIN_TAKE(p, count) __atomic_fetch_add(CHAIN_ADDRESS(p), count, __ATOMIC_RELAXED)
#define CHAIN_ADD(p, count) __atomic_fetch_add(CHAIN_ADDRESS(p), count, __ATOMIC_ACQ_REL)
#define CHAIN_PEEK(p) __atomic_load_n(CHAIN_ADDRESS(p), __ATOMIC_RELAXED)
#define CHAIN_LOAD(p) __atomic_load_n(CHAIN_ADDRESS(p), __ATOMIC_ACQUIRE)
#define CHAIN_STORE(p, value) __atomic_store_n(CHAIN_ADDRESS(p), value, __ATOMIC_RELAXED)
#else
static inline uint chain_add(volatile __global uint *p, uint count) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    const uint before = atomic_add(p, count);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    return before;
}
#define CHAIN_TAKE(p, count) atomic_add(p, count)
#define CHAIN_ADD(p, count) chain_add(p, count)
#define CHAIN_PEEK(p) atomic_add(p, 0u)
#define CHAIN_LOAD(p) chain_add(p, 0u)
#define CHAIN_STORE(p, value) atomic_xchg(p, value)
#endif

// Takes the words of an argument.
#define CHAIN_VALUE(TYPE, name)                                                                             \
    union {                                                                                                 \
        TYPE value;                                                                                         \
        int words[sizeof(TYPE) / 4];                                                                        \
    } name;                                                                                                 \
    for (int word = 0; word < (int)sizeof(TYPE) / 4; ++word) {                                              \
        name.words[word] = next[word];                                                                      \
    }                                                                                                       \
    next += sizeof(TYPE) / 4

static inline __global char *chain_pointer(__global const int *words, __global char *const *pools) {
    return words[0] < 0 ? (__global char *)0 : pools[words[0]] + (size_t)(uint)words[1] * 64;
}

static inline int3 chain_position(__global const int *words, uint item) {
    const uint width = words[2];
    const uint height = words[3];
    return (int3)(item % width, item / width % height, item / width / height);
}

// How far the row of items reaches in which `at` lies, at most to `left` items from it.
static inline int chain_row_end(__global const int *words, int3 at, uint left) {
    const uint row = words[2] - at.x;
    return at.x + (int)min(row, left);
}

// Where the row after that of `at` begins.
static inline int3 chain_next_row(__global const int *words, int3 at) {
    return at.y + 1 < words[3] ? (int3)(0, at.y + 1, at.z) : (int3)(0, 0, at.z + 1);
}

static void chain_dispatch(CHAIN_ITEMS);

// Where a worker's share of all items begins.
static inline uint chain_share(uint items, uint worker, uint workers) {
    return (uint)((ulong)items * worker / workers);
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void clinfer_chain(
        __global const int *table,
        __global uint *counters,
        __local ulong16 *local_memory,
        const int launches,
        __global char *pool0,
        __global char *pool1,
        __global char *pool2,
        __global char *pool3,
        __global char *pool4,
        __global char *pool5,
        __global char *pool6,
        __global char *pool7,
        __global char *pool8,
        __global char *pool9,
        __global char *pool10,
        __global char *pool11,
        __global char *pool12,
        __global char *pool13,
        __global char *pool14,
        __global char *pool15,
        __global char *pool16,
        __global char *pool17,
        __global char *pool18,
        __global char *pool19,
        __global char *pool20,
        __global char *pool21,
        __global char *pool22,
        __global char *pool23,
        __global char *pool24,
        __global char *pool25,
        __global char *pool26,
        __global char *pool27,
        __global char *pool28,
        __global char *pool29,
        __global char *pool30,
        __global char *pool31) {
    __global char *const pools[32] = {pool0, pool1, pool2, pool3, pool4, pool5, pool6, pool7, pool8, pool9, pool10,
            pool11, pool12, pool13, pool14, pool15, pool16, pool17, pool18, pool19, pool20, pool21, pool22, pool23,
            pool24, pool25, pool26, pool27, pool28, pool29, pool30, pool31};
    const uint worker = get_global_id(0);
    const uint workers = get_global_size(0);
    const size_t one = (size_t)(workers + 1) * CHAIN_LINE;
    const uint half_in_use = CHAIN_PEEK(counters + 1);
    __global uint *used = counters + CHAIN_LINE + half_in_use * launches * one;
    __global uint *other = counters + CHAIN_LINE + (1 - half_in_use) * launches * one;
    for (int launch = 0; launch < launches; ++launch, used += one, other += one) {
        __global const int *words = table + table[launch];
        const uint items = words[1];
        __global uint *finished = used + workers * CHAIN_LINE;
        CHAIN_STORE(other + worker * CHAIN_LINE, 0u);
        if (launch % workers == worker) {
            CHAIN_STORE(other + workers * CHAIN_LINE, 0u);
        }
        if (CHAIN_LOAD(finished) == items) {
            continue;
        }
        uint done = 0;
        for (uint turn = 0; turn < workers; ++turn) {
            const uint owner = (worker + turn) % workers;
            const uint begin = chain_share(items, owner, workers);
            const uint size = chain_share(items, owner + 1, workers) - begin;
            // the fewer are left, the fewer at a time, so that no one is late with many
            for (uint taken = CHAIN_PEEK(used + owner * CHAIN_LINE); taken < size;
                    taken = CHAIN_PEEK(used + owner * CHAIN_LINE)) {
                const uint count = max((size - taken) / 8, 1u);
                const uint first = CHAIN_TAKE(used + owner * CHAIN_LINE, count);
                if (first >= size) {
                    break;
                }
                const uint last = min(first + count, size);
                chain_dispatch(words, begin + first, begin + last, (__local char *)local_memory, pools);
                done += last - first;
            }
        }
        if (done > 0) {
            CHAIN_ADD(finished, done);
        }
        while (CHAIN_LOAD(finished) != items) {
            PROCESSOR_PAUSE;
        }
    }
    if (CHAIN_ADD(counters, 1u) == workers - 1) {
        CHAIN_STORE(counters + 1, 1 - half_in_use);
        CHAIN_STORE(counters, 0u);
    }
}

#endif
