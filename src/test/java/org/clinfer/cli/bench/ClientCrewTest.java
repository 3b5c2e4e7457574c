package org.clinfer.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Clients that ask at the same time. */
class ClientCrewTest {

    /** A program whose runs do something. */
    private record Program(Runnable body) implements Contender {

        @Override
        public void run() {
            body.run();
        }

        @Override
        public Map<String, Tensor> outputs() {
            return Map.of();
        }

        @Override
        public void close() {}
    }

    private static void meet(CyclicBarrier all) {
        try {
            all.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void allClientsAskAtOnceAndEachRequestIsCounted() {
        CyclicBarrier all = new CyclicBarrier(3);
        try (ClientCrew crew = new ClientCrew(new Program(() -> meet(all)), 3)) {
            crew.run(0);
            crew.run(0);
            assertThat(crew.requests()).isEqualTo(6);
            assertThat(crew.latencies().runs()).isEqualTo(6);
            assertThat(crew.byRequest().runs()).as("blocks").isEqualTo(2);
            crew.begin();
            assertThat(crew.requests()).isZero();
            assertThat(crew.nanos()).isZero();
        }
    }

    @Test
    void theFailureOfARequestIsThrown() {
        Program failing = new Program(() -> {
            throw new PeerException("it fails");
        });
        try (ClientCrew crew = new ClientCrew(failing, 2)) {
            assertThatThrownBy(() -> crew.run(0)).isInstanceOf(PeerException.class);
        }
    }
}
