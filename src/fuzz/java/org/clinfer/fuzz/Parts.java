package org.clinfer.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Several files in one: what stands between them is {@value #MARK}. */
public final class Parts {

    /** Something that no file has by itself, and that the fuzzer can copy as a word. */
    public static final String MARK = "\n<%>\n";

    private static final byte[] BYTES = MARK.getBytes(StandardCharsets.UTF_8);

    private Parts() {}

    public static byte[] joined(byte[]... files) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < files.length; i++) {
            if (i > 0) {
                all.writeBytes(BYTES);
            }
            all.writeBytes(files[i]);
        }
        return all.toByteArray();
    }

    /** As many files as there are marks for, and at least one; the last has what is left. */
    public static List<byte[]> of(byte[] all, int most) {
        List<byte[]> files = new ArrayList<>();
        int start = 0;
        for (int at = 0; at + BYTES.length <= all.length && files.size() + 1 < most; at++) {
            if (Arrays.equals(all, at, at + BYTES.length, BYTES, 0, BYTES.length)) {
                files.add(Arrays.copyOfRange(all, start, at));
                start = at + BYTES.length;
                at = start - 1;
            }
        }
        files.add(Arrays.copyOfRange(all, start, all.length));
        return files;
    }
}
