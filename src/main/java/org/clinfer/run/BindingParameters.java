package org.clinfer.run;

import java.util.List;
import org.clinfer.describe.Binding;
import org.clinfer.graph.Parameters;

/** The resolved parameters of a node as CPU implementations read them. */
public record BindingParameters(Binding binding) implements Parameters {

    @Override
    public boolean has(String name) {
        return binding.has(name);
    }

    @Override
    public long integer(String name) {
        return binding.integer(name);
    }

    @Override
    public double real(String name) {
        return binding.real(name);
    }

    @Override
    public boolean flag(String name) {
        return binding.flag(name);
    }

    @Override
    public String text(String name) {
        return binding.text(name);
    }

    @Override
    public long[] integers(String name) {
        return binding.integers(name);
    }

    @Override
    public double[] reals(String name) {
        return binding.reals(name);
    }

    @Override
    public List<String> texts(String name) {
        return binding.texts(name);
    }
}
