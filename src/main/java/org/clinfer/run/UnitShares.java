package org.clinfer.run;

import java.util.OptionalInt;

/**
 * The runs in progress on a processor as a device. While there are as many as it has compute units, each that begins is on
 * one unit: none waits for the others within its operators, and what an operator leaves in the caches is the next one's.
 * Thread-safe.
 */
final class UnitShares {

    private final int[] onUnit;
    private int running;
    private boolean divided;

    /** @param units of the device; below 2 where it is not divided */
    UnitShares(int units) {
        this.onUnit = new int[Math.max(0, units)];
        this.divided = units > 1;
    }

    /** Begins a run: the unit with the fewest runs, or none where it has the whole device. */
    synchronized OptionalInt begin() {
        running++;
        if (!divided || running < onUnit.length) {
            return OptionalInt.empty();
        }
        int least = 0;
        for (int unit = 1; unit < onUnit.length; unit++) {
            least = onUnit[unit] < onUnit[least] ? unit : least;
        }
        onUnit[least]++;
        return OptionalInt.of(least);
    }

    /** Gives each run the whole device from now on. */
    synchronized void giveUp() {
        divided = false;
    }

    /** Ends a run that was given this unit. */
    synchronized void end(OptionalInt unit) {
        running--;
        if (unit.isPresent()) {
            onUnit[unit.getAsInt()]--;
        }
    }
}
