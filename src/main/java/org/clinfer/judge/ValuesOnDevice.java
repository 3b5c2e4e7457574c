package org.clinfer.judge;

import java.util.Optional;
import java.util.OptionalLong;
import org.clinfer.check.CheckReport;
import org.clinfer.profile.CostFigure;
import org.clinfer.profile.CostModel;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * The values of a network as a device has them.
 *
 * @param float32As the type of those of float32 on the device; empty: as they are
 * @param endsCross whether the network's own inputs and outputs cross between device and host
 */
public record ValuesOnDevice(Optional<DType> float32As, boolean endsCross) {

    /** The values of a device that is not known to have them otherwise than the network. */
    public static final ValuesOnDevice AS_WRITTEN = new ValuesOnDevice(Optional.empty(), false);

    /** The values by the figures of a profile; {@code asked} counts before the type that its family names. */
    static ValuesOnDevice of(DeviceProfile profile, Optional<DType> asked) {
        Optional<CostModel> model = profile.rules().cost().filter(cost -> cost.isFor(profile));
        return new ValuesOnDevice(
                asked.or(() -> model.flatMap(CostModel::float32As)),
                model.filter(cost -> endsCross(cost, profile)).isPresent());
    }

    /**
     * {@return the values of a network that runs on the device of a profile in its own types}
     *
     * @param profile the device
     */
    public static ValuesOnDevice inOwnTypes(DeviceProfile profile) {
        return new ValuesOnDevice(
                Optional.empty(), of(profile, Optional.empty()).endsCross());
    }

    private static boolean endsCross(CostModel model, DeviceProfile profile) {
        return model.figure(CostFigure.ENDS_CROSS, profile).orElse(0) > 0;
    }

    /** The bytes of a value; empty where they are not known. */
    OptionalLong bytes(CheckReport.Value value) {
        return value.type().map(this::bytes).orElse(OptionalLong.empty());
    }

    /** The bytes of a tensor; empty where they are not known. */
    OptionalLong bytes(TensorType type) {
        TensorType own = type.dtype() == DType.FLOAT32 && float32As.isPresent()
                ? new TensorType(float32As.get(), type.shape())
                : type;
        return own.shape().isKnown() ? OptionalLong.of(own.bytes()) : OptionalLong.empty();
    }
}
