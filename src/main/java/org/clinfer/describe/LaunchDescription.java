package org.clinfer.describe;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.clinfer.expr.Expr;

/**
 * One kernel launch of a variant.
 *
 * @param file kernel file below the kernels folder
 * @param entry name of the kernel function in it
 * @param build macro to value, in file order
 * @param args kernel parameter to value, in file order; a value that is just a tensor's name is its buffer
 * @param global number of work-items, one to three dimensions
 * @param local size of a work-group, as many dimensions; empty leaves it to the driver
 * @param each name of the variadic argument the launch is repeated for, or empty
 * @param when the launch is skipped where this is false
 */
public record LaunchDescription(
        String file,
        String entry,
        Map<String, Expr> build,
        Map<String, Expr> args,
        List<Expr> global,
        List<Expr> local,
        String each,
        Optional<Expr> when) {

    public LaunchDescription {
        build = Collections.unmodifiableMap(new LinkedHashMap<>(build));
        args = Collections.unmodifiableMap(new LinkedHashMap<>(args));
        global = List.copyOf(global);
        local = List.copyOf(local);
    }

    Stream<Expr> expressions() {
        return Stream.of(
                        build.values().stream(), args.values().stream(), global.stream(), local.stream(), when.stream())
                .flatMap(Function.identity());
    }
}
