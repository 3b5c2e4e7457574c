package org.clinfer.cpu.vision;

import java.util.Arrays;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.cpu.window.PoolReach;
import org.clinfer.cpu.window.Window;

/** Maximum or mean of windows of integers, exact; means round half to even. */
final class LongPooling {

    private final Window window;
    private final PoolReach[] reach;
    private final boolean mean;

    LongPooling(Window window, PoolReach[] reach, boolean mean) {
        this.window = window;
        this.reach = reach;
        this.mean = mean;
    }

    void run(CpuCall call, int planes, int grain) {
        TypedMemory x = new TypedMemory(call.input(0));
        TypedMemory y = new TypedMemory(call.output());
        call.parallel().forRange(planes, grain, (from, to) -> {
            long[] plane = new long[window.inElements()];
            long[] pooled = new long[window.outElements()];
            for (int i = from; i < to; i++) {
                x.load(i * plane.length, 1, plane.length, plane, 0);
                pool(plane, pooled);
                y.store(i * pooled.length, pooled.length, pooled);
            }
        });
    }

    private void pool(long[] x, long[] y) {
        int[] in = window.in();
        int[] step = window.dilation();
        int at = 0;
        Arrays.fill(y, mean ? 0 : Long.MIN_VALUE);
        for (int d = 0; d < window.out()[0]; d++) {
            for (int h = 0; h < window.out()[1]; h++) {
                for (int p = reach[0].begin()[d]; p < reach[0].end()[d]; p += step[0]) {
                    for (int q = reach[1].begin()[h]; q < reach[1].end()[h]; q += step[1]) {
                        foldLine(x, (p * in[1] + q) * in[2], y, at);
                    }
                }
                for (int w = 0; mean && w < window.out()[2]; w++) {
                    y[at + w] = LongValues.mean(y[at + w], PoolReach.count(reach, d, h, w));
                }
                at += window.out()[2];
            }
        }
    }

    private void foldLine(long[] x, int line, long[] y, int at) {
        int step = window.dilation()[2];
        for (int w = 0; w < window.out()[2]; w++) {
            long folded = y[at + w];
            int end = reach[2].end()[w];
            for (int r = reach[2].begin()[w]; r < end; r += step) {
                folded = mean ? folded + x[line + r] : Math.max(folded, x[line + r]);
            }
            y[at + w] = folded;
        }
    }
}
