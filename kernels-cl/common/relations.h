// Relations of two numbers of the type WIDE of common/element.h, which is included before, by the names that they have in
// function2_table.h. A NaN has none.
#ifndef CLINFER_RELATIONS_H
#define CLINFER_RELATIONS_H

#include "common/function2_table.h"

#define RELATION_OF_WIDE(NUMBER, NAME, VALUE) \
    static inline int NAME(WIDE a, WIDE b) { \
        return VALUE; \
    }

RELATIONS(RELATION_OF_WIDE)

#endif
