package org.clinfer;

import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.Reading;

/**
 * A device profile and how its restrictions are read.
 *
 * @param profile of the device that is checked for
 * @param reading where the profile asks for a reading itself, that counts instead
 */
public record ProfileChoice(DeviceProfile profile, Reading reading) {}
