// Values folded by the items of a work-group of GROUP_SIZE items in local memory: LANES items for each of the
// group's GROUP_RESULTS results. Every item has to call, and every item gets its result. After common/element.h.
//
// Macros: GROUP_SIZE  a power of 2;
//         LANES       items for each result, a power of 2, GROUP_SIZE at most;
//         ACROSS      0: items of one result are neighbours, for elements that lie side by side; 1: neighbouring items
//                     have neighbouring results, for elements of one result that lie apart.
// Gives:  group_result  the item's result, counted over all groups; group_lane  the item among those of its result;
//         GROUP_FOLD(name, combine) defines name(value, shared): values of all items of a result, joined by
//         combine(a, b); `shared` has GROUP_SIZE elements, free again at once.
#ifndef CLINFER_GROUP_FOLD_H
#define CLINFER_GROUP_FOLD_H

#ifndef GROUP_SIZE
#define GROUP_SIZE 128
#endif
#ifndef LANES
#define LANES GROUP_SIZE
#endif
#ifndef ACROSS
#define ACROSS 0
#endif

#define GROUP_RESULTS (GROUP_SIZE / LANES)
#define LANE_STEP (ACROSS ? GROUP_RESULTS : 1)

static inline int group_lane(void) {
    const int item = get_local_id(0);
    return ACROSS ? item / GROUP_RESULTS : item % LANES;
}

static inline int group_result(void) {
    const int item = get_local_id(0);
    return (int)get_group_id(0) * GROUP_RESULTS + (ACROSS ? item % GROUP_RESULTS : item / LANES);
}

// Where there are many lanes, each of the first FOLD_LANES joins every FOLD_LANES-th value; the values that are left are
// joined by every item for itself, in one order.
#define FOLD_LANES (LANES <= 16 ? LANES : LANES <= 256 ? 16 : 32)

#define GROUP_FOLD_OF(type, name, combine)                                                        \
    static inline type name(type value, __local type *shared) {                                   \
        const int item = get_local_id(0);                                                         \
        const int lane = group_lane();                                                            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                             \
        shared[item] = value;                                                                     \
        barrier(CLK_LOCAL_MEM_FENCE);                                                             \
        if (LANES > FOLD_LANES) {                                                                 \
            if (lane < FOLD_LANES) {                                                              \
                for (int other = FOLD_LANES; other < LANES; other += FOLD_LANES) {                \
                    value = combine(value, shared[item + other * LANE_STEP]);                     \
                }                                                                                 \
                shared[item] = value;                                                             \
            }                                                                                     \
            barrier(CLK_LOCAL_MEM_FENCE);                                                         \
        }                                                                                         \
        const int first = item - lane * LANE_STEP;                                                \
        type total = shared[first];                                                               \
        for (int other = 1; other < FOLD_LANES; ++other) {                                        \
            total = combine(total, shared[first + other * LANE_STEP]);                            \
        }                                                                                         \
        return total;                                                                             \
    }

#define GROUP_FOLD(name, combine) GROUP_FOLD_OF(WIDE, name, combine)

#endif
