// Values of all items of a work-group of GROUP_SIZE items folded to one, by halves, in local memory. Every item has to
// call, and every item gets the result. After common/element.h.
#ifndef CLINFER_GROUP_FOLD_H
#define CLINFER_GROUP_FOLD_H

#define GROUP_SIZE 128

// name(value, shared): all values joined by combine(a, b); `shared` has GROUP_SIZE elements, free again at once.
#define GROUP_FOLD(name, combine)                                                                 \
    static inline WIDE name(WIDE value, __local WIDE *shared) {                                   \
        const int item = get_local_id(0);                                                         \
        barrier(CLK_LOCAL_MEM_FENCE);                                                             \
        shared[item] = value;                                                                     \
        for (int others = GROUP_SIZE / 2; others > 0; others /= 2) {                              \
            barrier(CLK_LOCAL_MEM_FENCE);                                                         \
            if (item < others) {                                                                  \
                shared[item] = combine(shared[item], shared[item + others]);                      \
            }                                                                                     \
        }                                                                                         \
        barrier(CLK_LOCAL_MEM_FENCE);                                                             \
        return shared[0];                                                                         \
    }

#endif
