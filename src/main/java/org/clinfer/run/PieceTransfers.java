package org.clinfer.run;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClEvent;
import org.clinfer.opencl.ClQueue;
import org.jspecify.annotations.Nullable;

/**
 * Large values of one run on their way between host and device through the slots of pinned memory: while the device takes or brings
 * one piece, threads copy others. Where a run has more pieces than there are slots, a piece waits until the device is done
 * with the one that had its slot before.
 */
final class PieceTransfers implements AutoCloseable {

    /** So many threads copy as fast as memory takes it; more only have to be woken. */
    private static final int MOST_THREADS = 8;

    /** The time that a thread takes for a piece that is in no cache. */
    private static final double PIECE_NANOS = 150_000;

    /** A part of a value: its memory on the host, and where it begins in its buffer. */
    private record Piece(ClBuffer buffer, int offset, ByteBuffer host) {}

    private final StagedValues staged;
    private final PinnedMemory pinned;
    private final Parallel parallel;

    /** The latest command of each slot in this run, where something may wait for it. */
    private final @Nullable ClEvent[] commands;

    private final List<Piece> arriving = new ArrayList<>();
    private int sent;

    /** @param parallel threads that copy */
    PieceTransfers(StagedValues staged, PinnedMemory pinned, Parallel parallel) {
        this.staged = staged;
        this.pinned = pinned;
        this.parallel = parallel;
        this.commands = new ClEvent[staged.slots()];
    }

    /** Cuts a value into parts of about the same size. */
    private static List<Piece> pieces(ClBuffer buffer, ByteBuffer host) {
        int count = StagedValues.pieces(host.remaining());
        int lines = (host.remaining() + count * 64 - 1) / (count * 64);
        List<Piece> pieces = new ArrayList<>(count);
        for (int offset = 0; offset < host.remaining(); offset += lines * 64) {
            int bytes = Math.min(lines * 64, host.remaining() - offset);
            pieces.add(new Piece(buffer, offset, host.slice(host.position() + offset, bytes)));
        }
        return pieces;
    }

    /** Starts to copy a value to the device; the source has been read when this returns. */
    void send(ClQueue queue, ClBuffer target, ByteBuffer source) {
        List<Piece> pieces = pieces(target, source);
        for (int begin = 0; begin < pieces.size(); begin += staged.slots()) {
            int first = begin;
            int place = sent;
            int count = Math.min(staged.slots(), pieces.size() - first);
            inTurn(count, i -> send(queue, pieces.get(first + i), (place + i) % staged.slots()));
            sent = (place + count) % staged.slots();
        }
    }

    private void send(ClQueue queue, Piece piece, int slot) {
        await(slot);
        ByteBuffer between = between(piece, slot);
        between.duplicate().put(piece.host().duplicate());
        if (staged.repeats()) {
            commands[slot] = queue.startWrite(piece.buffer(), piece.offset(), between);
        } else {
            queue.writeAsync(piece.buffer(), piece.offset(), between);
        }
    }

    /** Starts to copy a value from the device, as far as there are slots. */
    void fetch(ClQueue queue, ClBuffer source, ByteBuffer target) {
        for (Piece piece : pieces(source, target)) {
            arriving.add(piece);
            if (arriving.size() <= staged.slots()) {
                start(queue, arriving.size() - 1);
            }
        }
    }

    private void start(ClQueue queue, int index) {
        int slot = index % staged.slots();
        Piece piece = arriving.get(index);
        close(slot); // commands follow one another: what it did before is done then
        commands[slot] = queue.startRead(piece.buffer(), piece.offset(), between(piece, slot));
    }

    /** Copies what was fetched to where it is wanted, each piece as soon as it is there. */
    void arrive(ClQueue queue) {
        for (int begin = 0; begin < arriving.size(); begin += staged.slots()) {
            int first = begin;
            inTurn(Math.min(staged.slots(), arriving.size() - first), i -> arrive(queue, first + i));
        }
        arriving.clear();
    }

    private void arrive(ClQueue queue, int index) {
        int slot = index % staged.slots();
        Piece piece = arriving.get(index);
        await(slot);
        piece.host().duplicate().put(between(piece, slot));
        if (index + staged.slots() < arriving.size()) {
            start(queue, index + staged.slots());
        }
    }

    private ByteBuffer between(Piece piece, int slot) {
        int offset = staged.slotsBegin() + slot * StagedValues.SLOT_BYTES;
        return pinned.part(offset, piece.host().remaining());
    }

    /** Lets threads do pieces, each the first one that none has begun: no two of them have the same slot. */
    private void inTurn(int count, IntConsumer action) {
        AtomicInteger next = new AtomicInteger();
        parallel.forUnits(Math.min(count, MOST_THREADS), PIECE_NANOS, (from, to) -> {
            for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                action.accept(i);
            }
        });
    }

    private void await(int slot) {
        ClEvent command = commands[slot];
        if (command != null) {
            command.await();
            close(slot);
        }
    }

    private void close(int slot) {
        ClEvent command = commands[slot];
        if (command != null) {
            commands[slot] = null;
            command.close();
        }
    }

    /** Gives up what commands of a failed run have left; they need not be done. */
    @Override
    public void close() {
        for (int slot = 0; slot < commands.length; slot++) {
            close(slot);
        }
    }
}
