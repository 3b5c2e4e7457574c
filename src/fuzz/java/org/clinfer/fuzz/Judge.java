package org.clinfer.fuzz;

import java.util.Objects;
import java.util.Set;
import org.clinfer.cli.io.BadFileException;
import org.clinfer.describe.DescriptionException;
import org.clinfer.errors.InputException;
import org.clinfer.expr.ExprException;
import org.clinfer.graph.GraphException;
import org.clinfer.image.PictureException;
import org.clinfer.profile.ProfileException;
import org.clinfer.text.Printable;

/** The contract of a refusal. */
public final class Judge {

    /** Refusals that are one printable line by themselves. */
    private static final Set<Class<? extends RuntimeException>> PRINTABLE =
            Set.of(GraphException.class, InputException.class, PictureException.class);

    /** Refusals whose line the command line makes. */
    private static final Set<Class<? extends RuntimeException>> OTHERS =
            Set.of(BadFileException.class, DescriptionException.class, ExprException.class, ProfileException.class);

    private static final int MOST_OF_A_LINE = 2001;

    private Judge() {}

    /** Some work that may refuse what it is given. */
    @FunctionalInterface
    public interface Work {
        void run() throws Exception;
    }

    /** Does some work; what it throws has to be a refusal. */
    public static void refusesOrDoes(Work work) throws Exception {
        try {
            work.run();
        } catch (RuntimeException thrown) {
            requireRefusal(thrown);
        }
    }

    /** Throws again whatever is no refusal, or is one that breaks the contract. */
    public static void requireRefusal(RuntimeException thrown) {
        boolean isPrintable = isOneOf(PRINTABLE, thrown);
        if (!isPrintable && !isOneOf(OTHERS, thrown)) {
            throw thrown;
        }
        String message = String.valueOf(thrown.getMessage());
        boolean isCut = thrown instanceof BadFileException && message.endsWith(": null");
        if (message.isBlank() || message.equals("null") || isCut) {
            throw defect("a refusal says nothing: " + message, thrown);
        }
        if (isPrintable
                && (!Printable.of(message).equals(message)
                        || message.codePointCount(0, message.length()) > MOST_OF_A_LINE)) {
            throw defect("a refusal is not one printable line: " + Printable.message(message), thrown);
        }
    }

    /** A value has to have a text. */
    public static void requireText(Object value) {
        Objects.requireNonNull(value.toString(), "a text");
    }

    private static boolean isOneOf(Set<Class<? extends RuntimeException>> types, RuntimeException thrown) {
        return types.stream().anyMatch(type -> type.isInstance(thrown));
    }

    /** A defect at the place that an exception comes from, by which the fuzzer tells defects apart. */
    public static AssertionError defect(String message, Throwable thrown) {
        AssertionError defect = new AssertionError(message);
        defect.setStackTrace(thrown.getStackTrace());
        return defect;
    }
}
