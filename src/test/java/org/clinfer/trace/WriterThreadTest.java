package org.clinfer.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** Events that wait for a thread which writes them. */
@Timeout(60)
class WriterThreadTest {

    /** Keeps what it is given, when the gate is open. */
    private static final class Kept implements WriterThread.Target {

        private final CountDownLatch gate;
        private final List<WriterThread.Entry> entries = new ArrayList<>();
        private int flushes;
        private boolean isClosed;

        Kept(CountDownLatch gate) {
            this.gate = gate;
        }

        @Override
        public void write(WriterThread.Entry entry) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            entries.add(entry);
        }

        @Override
        public void flush() {
            flushes++;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private static TraceEvent event(long number) {
        return new TraceEvent.Recovery("gpu", "step " + number, new TraceEvent.Time(number, 0));
    }

    @Test
    void whatWaitsIsWrittenInOrderBeforeItIsClosed() {
        Kept target = new Kept(new CountDownLatch(0));
        WriterThread writer = new WriterThread(target, "writer");
        for (int i = 0; i < 1000; i++) {
            writer.add(event(i));
        }
        writer.close();
        assertThat(target.entries).hasSize(1000);
        assertThat(target.entries.get(999).event()).isEqualTo(event(999));
        assertThat(target.entries.get(0).threadName())
                .isEqualTo(Thread.currentThread().getName());
        assertThat(target.isClosed).isTrue();
        assertThat(target.flushes).isBetween(1, 1000);
    }

    @Test
    void whoFindsTheQueueFullWaitsAndLosesNothing() throws InterruptedException {
        CountDownLatch gate = new CountDownLatch(1);
        Kept target = new Kept(gate);
        WriterThread writer = new WriterThread(target, "writer");
        int all = 2 * WriterThread.CAPACITY + 1; // more than waits and is being written
        CountDownLatch done = new CountDownLatch(1);
        Thread busy = new Thread(() -> {
            for (int i = 0; i < all; i++) {
                writer.add(event(i));
            }
            done.countDown();
        });
        busy.start();
        assertThat(done.await(300, TimeUnit.MILLISECONDS)).as("all found room").isFalse();
        busy.interrupt();
        gate.countDown();
        done.await();
        assertThat(busy.isInterrupted() || !busy.isAlive()).isTrue();
        busy.join();
        writer.close();
        assertThat(target.entries).hasSize(all);
        assertThat(target.entries.get(all - 1).event()).isEqualTo(event(all - 1));
    }

    @Test
    void aFailureIsToldOnce() throws InterruptedException {
        CountDownLatch failed = new CountDownLatch(1);
        WriterThread writer = new WriterThread(failing(failed), "writer");
        writer.add(event(1));
        failed.await();
        assertThatThrownBy(() -> {
                    for (int i = 0; ; i++) { // the writer may not have come out of its call
                        writer.add(event(i));
                    }
                })
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("disk full");
        assertThatCode(writer::close).doesNotThrowAnyException();
    }

    @Test
    void aFailureThatNobodyKnowsIsToldAtTheEnd() {
        WriterThread writer = new WriterThread(failing(new CountDownLatch(1)), "writer");
        writer.add(event(1));
        assertThatThrownBy(writer::close)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("disk full");
    }

    private static WriterThread.Target failing(CountDownLatch failed) {
        return new WriterThread.Target() {
            @Override
            public void write(WriterThread.Entry entry) {
                failed.countDown();
                throw new UncheckedIOException(new IOException("disk full"));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    @SuppressWarnings("UnusedMethod") // JUnit asks it
    private static boolean hasFullDevice() {
        return Files.isWritable(Path.of("/dev/full"));
    }

    @Test
    @EnabledIf("hasFullDevice")
    void aFullDiskIsTold() {
        TraceFile file = new TraceFile(Path.of("/dev/full"));
        file.opened();
        file.accept(event(1));
        assertThatThrownBy(file::closed)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("No space left on device");
        assertThat(file.failure())
                .get()
                .extracting(Throwable::getMessage)
                .isEqualTo("the trace /dev/full is not whole: No space left on device");
    }
}
