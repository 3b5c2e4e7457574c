package org.clinfer.fix;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.clinfer.tensor.Tensor;

/** The tensors that a search makes, closed at its end but for those that are kept. */
final class MadeTensors implements AutoCloseable {

    private final Set<Tensor> made = Collections.newSetFromMap(new IdentityHashMap<>());

    Tensor add(Tensor tensor) {
        made.add(tensor);
        return tensor;
    }

    /** Hands those of these tensors that are among the made ones to another owner. */
    void keep(Collection<Tensor> wanted, MadeTensors owner) {
        for (Tensor tensor : wanted) {
            if (made.remove(tensor)) {
                owner.made.add(tensor);
            }
        }
    }

    @Override
    public void close() {
        made.forEach(Tensor::close);
        made.clear();
    }
}
