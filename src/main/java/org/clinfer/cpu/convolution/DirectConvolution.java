package org.clinfer.cpu.convolution;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.vector.VectorKernels;

/** Convolution or its transposition, with the positions of a channel side by side, in explicit vectors. */
final class DirectConvolution {

    /*
     * The product of weights [output channels, terms] and what the terms meet [terms, outputs], where the right matrix is
     * read in place: term k of neighbouring outputs is a stretch of a padded channel. A unit of rows and columns is summed
     * DEPTH terms at a time, strip by strip of two vectors: these terms of a strip stay in the first cache level, the
     * weights and the sums of the unit in the second. Sums do not depend on how units are divided.
     */
    static final int DEPTH = 256;

    private static final int ROWS = VectorKernels.ROWS;
    private static final int MAX_COLUMNS = 512;
    private static final int MAX_SUMS = 1 << 16;
    private static final int UNITS_PER_THREAD = 4;
    private static final int CONFLICTING = 64;

    /** Floats of padded images that are held at once, if that is more than one image. */
    private static final int MAX_HELD = 1 << 22;

    private final Factors factors;
    private final Parallel parallel;
    private final ConvolutionLayout layout;
    private final VectorKernels kernels;
    private final PaddedPlanes planes;
    private final int lanes;
    private final List<Filters> filters = new ArrayList<>();

    /**
     * The part that parameters decide.
     *
     * @param places where the terms of each stencil lie; empty where this way is not worth it
     */
    record Form(ConvolutionLayout layout, Optional<PaddedPlanes> planes, List<Places> places) {

        static Form of(ConvolutionLayout layout, List<Stencil> stencils, VectorKernels kernels) {
            if (!isWorthIt(layout, stencils, kernels)) {
                return new Form(layout, Optional.empty(), List.of());
            }
            PaddedPlanes planes = new PaddedPlanes(stencils);
            List<Places> places = stencils.stream()
                    .map(stencil -> new Places(
                            stencil,
                            FilterStrips.Form.of(layout, stencil),
                            offsets(layout, stencil, planes),
                            planes.outputs(stencil)))
                    .toList();
            return new Form(layout, Optional.of(planes), places);
        }

        boolean suits() {
            return planes.isPresent();
        }
    }

    /** A stencil, the order of its weights, and where its terms lie. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Places(Stencil stencil, FilterStrips.Form strips, int[] offsets, int outputs) {}

    /** The weights of one stencil. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Filters(Places places, float[] strips) {
        Stencil stencil() {
            return places.stencil;
        }

        int[] offsets() {
            return places.offsets;
        }

        int outputs() {
            return places.outputs;
        }

        int depth() {
            return places.offsets.length;
        }
    }

    /** A rectangle of the result for one image of those that are held. */
    private record Unit(Filters filters, int image, int group, int strip, int strips, int column, int columns) {}

    DirectConvolution(Factors factors, Form form, VectorKernels kernels) {
        this.factors = factors;
        this.parallel = factors.call().parallel();
        this.layout = form.layout;
        this.kernels = kernels;
        this.planes = form.planes.orElseThrow();
        this.lanes = kernels.lanes();
        for (Places places : form.places) {
            filters.add(new Filters(places, FilterStrips.of(factors, layout, places.stencil, places.strips)));
        }
    }

    /** {@return whether this way is worth it: outputs fill vectors, and padding and gaps are not most of the work} */
    private static boolean isWorthIt(ConvolutionLayout layout, List<Stencil> stencils, VectorKernels kernels) {
        ConvolutionLayout.Channels channels = layout.channels();
        if (layout.isChannelsLast() || channels.in() == 0 || channels.out() == 0 || stencils.isEmpty()) {
            return false;
        }
        int fewest = stencils.stream().mapToInt(Stencil::outputs).min().orElse(0);
        boolean fills = fewest >= kernels.lanes() / 2 || channels.batch() == 1;
        return fewest > 0 && fills && PaddedPlanes.suits(stencils);
    }

    private static int[] offsets(ConvolutionLayout layout, Stencil stencil, PaddedPlanes planes) {
        int taps = stencil.taps().size();
        int[] ofTaps = new int[taps];
        for (int tap = 0; tap < taps; tap++) {
            ofTaps[tap] = planes.offset(stencil.taps().get(tap));
        }
        int[] offsets = new int[layout.channels().inPerGroup() * taps];
        for (int k = 0; k < offsets.length; k++) {
            offsets[k] = k / taps * planes.channel() + ofTaps[k % taps];
        }
        return offsets;
    }

    /** Gives all sums to {@code epilogue}. */
    void run(Epilogue.Store<float[]> epilogue) {
        compute((unit, x, image) -> {
            Scratch scratch = parallel.scratch();
            int pitch = pitch(unit);
            float[] sums = scratch.take(unit.strips * ROWS * pitch);
            float[] gathered = scratch.take(unit.columns);
            add(unit, x, 0, unit.filters.depth(), sums, pitch);
            store(unit, sums, gathered, pitch, image, epilogue);
            scratch.give(gathered);
            scratch.give(sums);
        });
    }

    /** The same for integers, of which floats hold the sums of {@code terms} products exactly: ints take them from there. */
    void run(int terms, Epilogue.Store<int[]> epilogue) {
        compute((unit, x, image) -> {
            int pitch = pitch(unit);
            int[] totals = new int[unit.strips * ROWS * pitch];
            float[] sums = parallel.scratch().take(totals.length);
            int depth = unit.filters.depth();
            for (int term = 0; term < depth; term += terms) {
                add(unit, x, term, Math.min(depth, term + terms), sums, pitch);
                kernels.addIntegers(sums, totals, totals.length);
            }
            parallel.scratch().give(sums);
            store(unit, totals, new int[unit.columns], pitch, image, epilogue);
        });
    }

    /** What becomes of a unit of an image of the whole batch. */
    @FunctionalInterface
    private interface Work {
        void compute(Unit unit, float[] x, int image);
    }

    private void compute(Work work) {
        ConvolutionLayout.Channels channels = layout.channels();
        int image = Math.multiplyExact(channels.in(), planes.channel());
        int held = Math.min(channels.batch(), Math.max(1, MAX_HELD / image));
        float[] x = parallel.scratch().take(Math.addExact(held * image, 2 * lanes + planes.pitch()));
        for (int first = 0; first < channels.batch(); first += held) {
            int images = Math.min(held, channels.batch() - first);
            planes.fill(factors.x(), first * channels.in(), images * channels.in(), x, 0, parallel);
            List<Unit> units = units(images);
            int origin = first;
            parallel.forRange(units.size(), 1, (from, to) -> {
                for (Unit unit : units.subList(from, to)) {
                    work.compute(unit, x, origin + unit.image);
                }
            });
        }
        parallel.scratch().give(x);
    }

    private List<Unit> units(int images) {
        int groups = layout.channels().groups();
        int strips = FilterStrips.strips(layout);
        int wanted = Rounding.ceilDiv(UNITS_PER_THREAD * parallel.threads(), images * groups * filters.size());
        List<Unit> units = new ArrayList<>();
        for (int image = 0; image < images; image++) {
            for (Filters each : filters) {
                int blocks = Rounding.ceilDiv(each.outputs(), MAX_COLUMNS);
                int width = Rounding.roundUp(Rounding.ceilDiv(each.outputs(), blocks), VectorKernels.VECTORS * lanes);
                int rowBlocks = Math.max(
                        Rounding.ceilDiv(wanted, blocks),
                        Rounding.ceilDiv(strips * ROWS, Math.max(ROWS, MAX_SUMS / width)));
                int height = Rounding.ceilDiv(strips, Math.min(strips, rowBlocks));
                for (int group = 0; group < groups; group++) {
                    for (int column = 0; column < each.outputs(); column += width) {
                        int columns = Math.min(width, each.outputs() - column);
                        for (int strip = 0; strip < strips; strip += height) {
                            int count = Math.min(height, strips - strip);
                            units.add(new Unit(each, image, group, strip, count, column, columns));
                        }
                    }
                }
            }
        }
        return units;
    }

    private int pitch(Unit unit) {
        int width = Rounding.roundUp(unit.columns, lanes);
        return width % CONFLICTING == 0 ? width + lanes : width;
    }

    /** The sums of the terms from {@code first} to {@code end}. */
    private void add(Unit unit, float[] x, int first, int end, float[] sums, int pitch) {
        int depth = unit.filters.depth();
        int channel = unit.image * layout.channels().in()
                + unit.group * layout.channels().inPerGroup();
        int origin = channel * planes.channel() + unit.column;
        int firstStrip = unit.group * FilterStrips.strips(layout) + unit.strip;
        int vectors = Rounding.ceilDiv(unit.columns, lanes);
        int rows = layout.channels().outPerGroup() - unit.strip * ROWS;
        for (int term = first; term < end; term += DEPTH) {
            int terms = Math.min(DEPTH, end - term);
            for (int vector = 0; vector < vectors; vector += VectorKernels.VECTORS) {
                int count = Math.min(VectorKernels.VECTORS, vectors - vector);
                for (int strip = 0; strip < unit.strips; strip++) {
                    kernels.addPacked(
                            unit.filters.strips,
                            ((firstStrip + strip) * depth + term) * ROWS,
                            x,
                            origin + vector * lanes,
                            unit.filters.offsets(),
                            term,
                            terms,
                            sums,
                            strip * ROWS * pitch + vector * lanes,
                            pitch,
                            Math.min(ROWS, rows - strip * ROWS),
                            count,
                            term == first);
                }
            }
        }
    }

    private <A> void store(Unit unit, A sums, A gathered, int pitch, int image, Epilogue.Store<A> epilogue) {
        Stencil stencil = unit.filters.stencil();
        PaddedLines lines = PaddedLines.of(planes, stencil, unit.column, unit.columns, layout.yStrides());
        int first = unit.group * layout.channels().outPerGroup() + unit.strip * ROWS;
        int rows = Math.min(unit.strips * ROWS, layout.channels().outPerGroup() - unit.strip * ROWS);
        for (int row = 0; row < rows; row++) {
            int channel = first + row;
            int plane = image * layout.yStrides()[0] + channel * layout.yStrides()[1];
            lines.store(sums, row * pitch, gathered, epilogue, plane, channel);
        }
    }
}
