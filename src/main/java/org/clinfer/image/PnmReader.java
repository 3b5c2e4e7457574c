package org.clinfer.image;

/** Reads PGM and PPM pictures: P2, P3 (text), P5, P6 (binary), up to 16 bits a sample. */
final class PnmReader {

    private final String file;
    private final byte[] bytes;
    private int position;

    private PnmReader(String file, byte[] bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /**
     * Decodes the bytes of a file.
     *
     * @throws PictureException if they are no PGM or PPM picture, or end early
     */
    static Picture read(String file, byte[] bytes) {
        return new PnmReader(file, bytes).picture();
    }

    private Picture picture() {
        if (bytes.length < 2 || bytes[0] != 'P') {
            throw new PictureException(file, "not a PGM or PPM picture: it does not start with P2, P3, P5 or P6");
        }
        char kind = (char) bytes[1];
        if ("2356".indexOf(kind) < 0) {
            throw new PictureException(file, "P" + kind + " pictures are not supported; expected P2, P3, P5 or P6");
        }
        position = 2;
        int width = number("width");
        int height = number("height");
        int maximum = number("maximum");
        int channels = kind == '3' || kind == '6' ? 3 : 1;
        PictureReader.requireSize(file, width, height);
        if (maximum < 1 || maximum > 65535) {
            throw new PictureException(file, "the maximum sample value is " + maximum + "; expected 1 to 65535");
        }
        boolean isBinary = kind == '5' || kind == '6';
        if (isBinary) {
            position++;
        }
        requireSamples((long) width * height * channels, isBinary, maximum > 255 ? 2 : 1);
        Picture pixels = Picture.blank(width, height, channels);
        if (isBinary) {
            binarySamples(pixels.values(), maximum);
        } else {
            textSamples(pixels.values(), maximum);
        }
        return pixels;
    }

    /** Looked at before there is memory for the samples: as text, each is a digit and a blank at least. */
    private void requireSamples(long samples, boolean isBinary, int width) {
        long left = Math.max(0, bytes.length - position);
        if (isBinary && left < samples * width) {
            throw new PictureException(
                    file,
                    "the picture ends early: " + samples + " samples of " + width + " bytes are announced, " + left
                            + " bytes follow");
        }
        if (!isBinary && left < 2 * samples) {
            throw new PictureException(
                    file,
                    "the picture ends early: " + samples + " samples are announced, " + left + " characters follow");
        }
    }

    private void textSamples(float[] values, int maximum) {
        for (int i = 0; i < values.length; i++) {
            values[i] = scaled(number("sample " + i), maximum);
        }
    }

    private void binarySamples(float[] values, int maximum) {
        int width = maximum > 255 ? 2 : 1;
        for (int i = 0; i < values.length; i++) {
            int sample = bytes[position++] & 0xff;
            if (width == 2) {
                sample = (sample << 8) | (bytes[position++] & 0xff);
            }
            values[i] = scaled(sample, maximum);
        }
    }

    private float scaled(int sample, int maximum) {
        if (sample > maximum) {
            throw new PictureException(file, "a sample of " + sample + " is above the maximum of " + maximum);
        }
        return maximum == 255 ? sample : sample * 255f / maximum;
    }

    private int number(String what) {
        skipBlanksAndComments();
        int start = position;
        int value = 0;
        while (position < bytes.length && bytes[position] >= '0' && bytes[position] <= '9') {
            value = value * 10 + bytes[position++] - '0';
            if (position - start > 8) {
                throw new PictureException(file, "the number at byte " + start + " (" + what + ") is too long");
            }
        }
        if (position == start) {
            throw new PictureException(file, "byte " + start + ": expected a number (" + what + ")");
        }
        return value;
    }

    private void skipBlanksAndComments() {
        boolean comment = false;
        while (position < bytes.length) {
            char c = (char) bytes[position];
            if (comment) {
                comment = c != '\n';
            } else if (c == '#') {
                comment = true;
            } else if (!Character.isWhitespace(c)) {
                return;
            }
            position++;
        }
    }
}
