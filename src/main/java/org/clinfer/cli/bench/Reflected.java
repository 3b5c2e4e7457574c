package org.clinfer.cli.bench;

import java.lang.reflect.InvocationTargetException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Calls of a library that is only there at run time; whatever goes wrong is a {@link PeerException}. */
final class Reflected {

    private final String library;
    private final ClassLoader loader;

    /** @param library its name in messages */
    Reflected(String library, ClassLoader loader) {
        this.library = library;
        this.loader = loader;
    }

    Class<?> type(String name) {
        return orPeer(() -> Class.forName(name, true, loader));
    }

    /** The constant of an enum. */
    Object constant(String type, String name) {
        return field(type(type), null, name);
    }

    Object create(String type) {
        return orPeer(() -> type(type).getConstructor().newInstance());
    }

    /** Calls a public static method. */
    Object callStatic(String type, String method, Class<?>[] parameters, @Nullable Object... arguments) {
        return orPeer(() ->
                Objects.requireNonNull(type(type).getMethod(method, parameters).invoke(null, arguments)));
    }

    /** Calls a public method; what returns nothing gives an empty text. */
    Object call(Object target, String method, Class<?>[] parameters, @Nullable Object... arguments) {
        return orPeer(() -> Objects.requireNonNullElse(
                target.getClass().getMethod(method, parameters).invoke(target, arguments), ""));
    }

    Object call(Object target, String method) {
        return call(target, method, new Class<?>[0]);
    }

    Object field(Object target, String name) {
        return field(target.getClass(), target, name);
    }

    private Object field(Class<?> type, @Nullable Object target, String name) {
        return orPeer(() -> type.getField(name).get(target));
    }

    /** Closes what has a {@code close} of its own. */
    void close(Object closeable) {
        call(closeable, "close");
    }

    private interface Call<T> {
        T result() throws ReflectiveOperationException;
    }

    private <T> T orPeer(Call<T> call) {
        try {
            return call.result();
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new PeerException(library + ": " + cause.getMessage(), cause);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new PeerException(library + " has not what is needed: " + e, e);
        }
    }
}
