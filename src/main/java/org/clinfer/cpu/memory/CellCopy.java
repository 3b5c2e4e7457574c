package org.clinfer.cpu.memory;

import java.nio.ByteBuffer;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Copies elements as cells of 1, 2, 4 or 8 bytes between two memories of one byte order, whatever they mean. */
public record CellCopy(ByteBuffer from, ByteBuffer to, int width) {

    /** Cells from which on one bulk copy is cheaper than a loop. */
    private static final int BULK = 8;

    public static CellCopy of(Tensor from, Tensor to) {
        return new CellCopy(from.bytes(), to.bytes(), width(from.dtype()));
    }

    /** Width in bytes of an element of a type of whole bytes. */
    public static int width(DType dtype) {
        return dtype.bits() / 8;
    }

    /** Copies {@code count} cells, {@code step} apart in the source, to neighbours from {@code target} on. */
    public void copy(int source, int step, int target, int count) {
        if (step == 1 && count >= BULK) {
            to.put(target * width, from, source * width, count * width);
        } else {
            copy(source, step, target, 1, count);
        }
    }

    /** Copies {@code count} cells, {@code step} apart in the source, to cells {@code apart} from {@code target} on. */
    public void copy(int source, int step, int target, int apart, int count) {
        switch (width) {
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    to.put(target + i * apart, from.get(source + i * step));
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    to.putShort((target + i * apart) * 2, from.getShort((source + i * step) * 2));
                }
            }
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    to.putInt((target + i * apart) * 4, from.getInt((source + i * step) * 4));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    to.putLong((target + i * apart) * 8, from.getLong((source + i * step) * 8));
                }
            }
        }
    }

    /**
     * Copies those of the first {@code count} cells that are chosen over those at {@code target}; others stay.
     *
     * @param chosen 1 or 0 for each cell
     */
    public void choose(long[] chosen, int target, int count) {
        // all cells are read and written: branches that nobody can predict take longer
        switch (width) {
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    int stays = (int) chosen[i] - 1;
                    to.put(target + i, (byte) ((to.get(target + i) & stays) | (from.get(i) & ~stays)));
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    int at = (target + i) * 2;
                    int stays = (int) chosen[i] - 1;
                    to.putShort(at, (short) ((to.getShort(at) & stays) | (from.getShort(i * 2) & ~stays)));
                }
            }
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    int at = (target + i) * 4;
                    int stays = (int) chosen[i] - 1;
                    to.putInt(at, (to.getInt(at) & stays) | (from.getInt(i * 4) & ~stays));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    int at = (target + i) * 8;
                    long stays = chosen[i] - 1;
                    to.putLong(at, (to.getLong(at) & stays) | (from.getLong(i * 8) & ~stays));
                }
            }
        }
    }
}
