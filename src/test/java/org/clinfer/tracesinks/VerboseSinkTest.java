package org.clinfer.tracesinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.clinfer.errors.InputException;
import org.clinfer.trace.TraceEvent;
import org.clinfer.trace.TraceSink;
import org.junit.jupiter.api.Test;

/** Lines for grep: their form, and which there are. */
class VerboseSinkTest {

    private static final TraceEvent.Time TIME = new TraceEvent.Time(0, 12_345);

    private static final TraceEvent.Run RUN =
            new TraceEvent.Run(7, "net", false, TIME, 3, OptionalLong.of(9_000), Optional.empty());

    private static final TraceEvent.Step STEP = new TraceEvent.Step(
            7,
            0,
            TraceEvent.StepKind.CHAIN,
            List.of(node("a,1", "Conv", "tile"), node("b\nclinfer,run", "Relu", "ref")),
            "",
            100,
            TIME,
            List.of(),
            "",
            0);

    private static TraceEvent.NodeWork node(String name, String op, String variant) {
        return new TraceEvent.NodeWork(
                name, op, op, variant, List.of(), List.of(), OptionalLong.of(5), 50, List.of("no"));
    }

    private static List<String> lines(String kinds) {
        List<String> lines = new ArrayList<>();
        VerboseSink sink = new VerboseSink(VerboseSink.kinds(kinds).orElseThrow(), lines::add);
        List.of(
                        RUN,
                        STEP,
                        new TraceEvent.Recovery("gpu", "opened a new context, because it failed", TIME),
                        new TraceEvent.Fallback("net", "n", "Op", List.of("one", "two"), TIME),
                        new TraceEvent.Build("a.cl -DX=1", "gpu", true, TIME, Optional.empty()),
                        new TraceEvent.Plan("net", "gpu", "x=1", 2, 1, 4, 8, 16, TIME),
                        new TraceEvent.Trial("n", "Op", 2, List.of(new TraceEvent.VariantTime("v", 1.5)), "v", TIME))
                .forEach(sink::accept);
        return lines;
    }

    @Test
    void eachKindHasItsLine() {
        assertThat(lines("all"))
                .containsExactly(
                        "clinfer,run,run=7,network=net,mode=usual,steps=3,device_us=9.000,failure=,us=12.345",
                        "clinfer,dispatch,run=7,step=0,kind=chain,op=Conv Relu,node=a 1 b clinfer run,variant=tile ref,"
                                + "device_us=0.000,bytes=100,multiply_adds=10,us=12.345",
                        "clinfer,recovery,device=gpu,step=opened a new context  because it failed,us=12.345",
                        "clinfer,fallback,network=net,node=n,op=Op,why=one; two,us=12.345",
                        "clinfer,build,program=a.cl -DX=1,device=gpu,from=binary,failure=,us=12.345",
                        "clinfer,plan,network=net,device=gpu,inputs=x=1,on_device=2,on_cpu=1,launches=4,device_bytes=8,"
                                + "host_bytes=16,us=12.345",
                        "clinfer,tune,node=n,op=Op,nodes=2,chosen=v,variants=v:1.500,us=12.345");
    }

    @Test
    void onlyTheKindsThatAreNamedAreThere() {
        assertThat(lines(" run , Recovery ")).hasSize(2).allMatch(line -> line.matches("clinfer,(run|recovery),.*"));
        assertThat(VerboseSink.kinds("")).isEmpty();
        assertThat(VerboseSink.kinds("none")).isEmpty();
        assertThatThrownBy(() -> VerboseSink.kinds("run,dispatches"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("names 'dispatches'")
                .hasMessageContaining("run, dispatch, plan, build, fallback, recovery, tune, all and none");
    }

    @Test
    void stepsAreAskedForWhereTheyArePrinted() {
        assertThat(new VerboseSink(EnumSet.of(VerboseSink.Kind.DISPATCH), line -> {}).detail())
                .isEqualTo(TraceSink.Detail.STEPS);
        assertThat(new VerboseSink(EnumSet.of(VerboseSink.Kind.RUN), line -> {}).detail())
                .isEqualTo(TraceSink.Detail.RUNS);
        assertThat(new VerboseSink(EnumSet.of(VerboseSink.Kind.BUILD), line -> {}).detail())
                .isEqualTo(TraceSink.Detail.NONE);
    }
}
