package org.clinfer.image;

/** The frame header of a JPEG file. Source: ITU-T T.81, B.1 and B.2. */
final class JpegFrame {

    private static final int FIRST_FRAME = 0xC0;
    private static final int LAST_FRAME = 0xCF;
    private static final int START_OF_SCAN = 0xDA;
    private static final int COMPONENTS_AT = 9;

    private JpegFrame() {}

    /** The number of colour components; 0 where the file is damaged before it says so. */
    static int components(byte[] bytes) {
        int at = 2;
        while (at + COMPONENTS_AT < bytes.length) {
            if ((bytes[at] & 0xff) != 0xff) {
                return 0;
            }
            int marker = bytes[at + 1] & 0xff;
            if (marker == 0xff) {
                at++;
            } else if (isFrame(marker)) {
                return bytes[at + COMPONENTS_AT] & 0xff;
            } else if (marker == START_OF_SCAN) {
                return 0;
            } else {
                at += 2 + (((bytes[at + 2] & 0xff) << 8) | (bytes[at + 3] & 0xff));
            }
        }
        return 0;
    }

    /** Tables of codes and arithmetic conditions have numbers among those of frames. */
    private static boolean isFrame(int marker) {
        return marker >= FIRST_FRAME && marker <= LAST_FRAME && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    }
}
