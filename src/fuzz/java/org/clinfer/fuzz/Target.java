package org.clinfer.fuzz;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * One kind of file that the fuzzer writes.
 *
 * @param name what chooses it
 * @param seeds sound files to begin with
 * @param words what means something in such a file
 * @param body takes a file
 */
public record Target(String name, Seeds seeds, List<String> words, Body body) {

    public Target {
        words = List.copyOf(words);
    }

    /** Makes the sound files. */
    @FunctionalInterface
    public interface Seeds {
        List<byte[]> make(Path folder) throws IOException;
    }

    /** Takes one file the whole way. */
    @FunctionalInterface
    public interface Body {
        /**
         * Returns where the file is sound, or refused as it should be; throws otherwise.
         *
         * @param folder a folder of the target's own, in which earlier files may have left something
         */
        void take(byte[] file, Path folder) throws Exception;
    }
}
