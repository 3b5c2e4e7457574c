package org.clinfer.fix;

import java.util.Locale;
import java.util.Optional;

/**
 * The difference of the results of two networks.
 *
 * @param largest the largest difference of two elements
 * @param range the largest element
 * @param fault the difference that is too large, in words; empty where there is none
 */
public record ResultDifference(double largest, double range, Optional<String> fault) {

    static final ResultDifference NONE = new ResultDifference(0, 0, Optional.empty());

    ResultDifference with(ResultDifference other) {
        return new ResultDifference(
                Math.max(largest, other.largest),
                Math.max(range, other.range),
                fault.isPresent() ? fault : other.fault);
    }

    @Override
    public String toString() {
        return largest == 0 ? "equal" : String.format(Locale.ROOT, "largest difference %.2g of %.2g", largest, range);
    }
}
