package org.clinfer.cpu.convolution;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.vector.VectorKernels;

/**
 * Convolution or its transposition, with the positions of a channel side by side, in explicit vectors.
 *
 * @param <A> arrays of padded channels
 */
abstract sealed class DirectConvolution<A> permits DirectFloats, DirectIntegers {

    /*
     * The product of weights [output channels, terms] and what the terms meet [terms, outputs]: term k of neighbouring outputs
     * is a stretch of a padded channel. A unit of rows and columns is summed DEPTH terms at a time; the weights and the sums
     * of the unit stay in the second cache level. Sums do not depend on how units are divided.
     */
    static final int DEPTH = 256;

    private static final int MAX_COLUMNS = 512;
    private static final int MAX_SUMS = 1 << 16;
    private static final int UNITS_PER_THREAD = 4;

    /** Elements of padded images that are held at once, if that is more than one image. */
    private static final int MAX_HELD = 1 << 22;

    final ConvolutionLayout layout;
    final VectorKernels kernels;
    final PaddedPlanes planes;
    final Parallel parallel;
    final int lanes;

    /** Rows of a strip of weights. */
    final int height;

    private final Form form;

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
            List<Places> places = new ArrayList<>();
            for (Stencil stencil : stencils) {
                places.add(new Places(
                        places.size(),
                        stencil,
                        FilterStrips.Form.of(layout, stencil),
                        offsets(layout, stencil, planes),
                        planes.outputs(stencil)));
            }
            return new Form(layout, Optional.of(planes), places);
        }

        boolean suits() {
            return planes.isPresent();
        }
    }

    /** The number of a stencil, it itself, the order of its weights, and where its terms lie. */
    @SuppressWarnings("ArrayRecordComponent")
    record Places(int number, Stencil stencil, FilterStrips.Form strips, int[] offsets, int outputs) {
        int depth() {
            return offsets.length;
        }
    }

    /** A rectangle of the result for one image of those that are held. */
    record Unit(Places places, int image, int group, int strip, int strips, int column, int columns) {}

    /** @param height rows of a strip of weights */
    DirectConvolution(Form form, int height, Parallel parallel, VectorKernels kernels) {
        this.form = form;
        this.layout = form.layout;
        this.planes = form.planes.orElseThrow();
        this.height = height;
        this.parallel = parallel;
        this.kernels = kernels;
        this.lanes = kernels.lanes();
    }

    /** The distance of the rows of a unit's sums. */
    abstract int pitch(Unit unit);

    /** The sums of a unit's terms from {@code first} to {@code end}, a multiple of {@link #DEPTH} behind it or the last. */
    abstract void add(Unit unit, A x, int first, int end, float[] sums, int pitch);

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

    /** The computation of a unit of an image of the whole batch. */
    @FunctionalInterface
    interface Work<A> {
        void compute(Unit unit, A x, int image);
    }

    /** Does all units, some images at a time. */
    final void compute(ElementReader<A> from, Cells<A> cells, Work<A> work) {
        ConvolutionLayout.Channels channels = layout.channels();
        int image = Math.multiplyExact(channels.in(), planes.channel());
        int held = Math.min(channels.batch(), Math.max(1, MAX_HELD / image));
        int beyond = Math.max(2 * lanes, VectorKernels.PANEL) + planes.pitch();
        A x = cells.take(parallel.scratch(), Math.addExact(held * image, beyond));
        for (int first = 0; first < channels.batch(); first += held) {
            int images = Math.min(held, channels.batch() - first);
            planes.fill(from, first * channels.in(), images * channels.in(), x, cells, parallel);
            List<Unit> units = units(images);
            int origin = first;
            parallel.forRange(units.size(), 1, (begin, end) -> {
                for (Unit unit : units.subList(begin, end)) {
                    work.compute(unit, x, origin + unit.image);
                }
            });
        }
        cells.give(parallel.scratch(), x);
    }

    /** Gives all sums to {@code epilogue}. */
    final void run(ElementReader<A> from, Cells<A> cells, Epilogue.Store<float[]> epilogue) {
        compute(from, cells, (unit, x, image) -> {
            Scratch scratch = parallel.scratch();
            int pitch = pitch(unit);
            float[] sums = scratch.take(unit.strips * height * pitch);
            float[] gathered = scratch.take(unit.columns);
            add(unit, x, 0, unit.places.depth(), sums, pitch);
            store(unit, sums, gathered, pitch, image, epilogue);
            scratch.give(gathered);
            scratch.give(sums);
        });
    }

    private List<Unit> units(int images) {
        int groups = layout.channels().groups();
        int strips = FilterStrips.strips(layout, height);
        int wanted = Rounding.ceilDiv(UNITS_PER_THREAD * parallel.threads(), images * groups * form.places.size());
        List<Unit> units = new ArrayList<>();
        for (int image = 0; image < images; image++) {
            for (Places each : form.places) {
                int blocks = Rounding.ceilDiv(each.outputs, MAX_COLUMNS);
                int width = Rounding.roundUp(Rounding.ceilDiv(each.outputs, blocks), VectorKernels.VECTORS * lanes);
                int rowBlocks = Math.max(
                        Rounding.ceilDiv(wanted, blocks),
                        Rounding.ceilDiv(strips * height, Math.max(height, MAX_SUMS / width)));
                int many = Rounding.ceilDiv(strips, Math.min(strips, rowBlocks));
                for (int group = 0; group < groups; group++) {
                    for (int column = 0; column < each.outputs; column += width) {
                        int columns = Math.min(width, each.outputs - column);
                        for (int strip = 0; strip < strips; strip += many) {
                            int count = Math.min(many, strips - strip);
                            units.add(new Unit(each, image, group, strip, count, column, columns));
                        }
                    }
                }
            }
        }
        return units;
    }

    /** The begin of what a unit's first column meets without an offset. */
    final int origin(Unit unit) {
        int channel = unit.image * layout.channels().in()
                + unit.group * layout.channels().inPerGroup();
        return channel * planes.channel() + unit.column;
    }

    /** The number of a unit's first strip among those of all groups. */
    final int firstStrip(Unit unit) {
        return unit.group * FilterStrips.strips(layout, height) + unit.strip;
    }

    /** The rows of a unit's strips. */
    final int rows(Unit unit) {
        return Math.min(unit.strips * height, layout.channels().outPerGroup() - unit.strip * height);
    }

    /** Gives the sums of a unit to an epilogue; {@code gathered} is room for those of a row. */
    final <S> void store(Unit unit, S sums, S gathered, int pitch, int image, Epilogue.Store<S> epilogue) {
        Stencil stencil = unit.places.stencil;
        PaddedLines lines = PaddedLines.of(planes, stencil, unit.column, unit.columns, layout.yStrides());
        int first = unit.group * layout.channels().outPerGroup() + unit.strip * height;
        int rows = rows(unit);
        for (int row = 0; row < rows; row++) {
            int channel = first + row;
            int plane = image * layout.yStrides()[0] + channel * layout.yStrides()[1];
            lines.store(sums, row * pitch, gathered, epilogue, plane, channel);
        }
    }
}
