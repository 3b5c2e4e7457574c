/**
 * Carries out execution plans: owns the memory, the programs and the weights on the device, enqueues launches and
 * transfers, and calls the CPU implementations. The only stage that needs a device.
 */
@NullMarked
package org.clinfer.run;

import org.jspecify.annotations.NullMarked;
