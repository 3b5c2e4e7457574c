package org.clinfer.fix;

import java.util.List;

/**
 * The rewrites that there are, those that change little first.
 */
final class RewriteTable {

    static final List<Rewrite> ALL = List.of(
            new MovesAsOne(),
            new FoldIntoConvolution(),
            new PadIntoConvolution(),
            new FlattenIntoConvolution(),
            new PadBeforeMaximum(),
            new ActivationAsOther(),
            new ArithmeticAsOther(),
            new ScaleAsMulAdd(),
            new ScaleAsConvolution(),
            new BroadcastFirst(),
            new MoveAsOther(),
            new MeanAsOther(),
            new NormalizationAsSteps(),
            new BilinearAsConvolution(),
            new PoolRoundedDown(),
            new PadBeforeMean(),
            new SplitPool(),
            new PoolStrideAsSlice(),
            new RowAsPicture(),
            new ChannelsSecond(),
            new DepthAsChannels(),
            new VolumeAsPictures(),
            new VolumePoolAsPictures(),
            new WidenKernel(),
            new DilationAsZeros(),
            new PadBeforeConvolution(),
            new StrideAsSlice(),
            new StrideAsDepth(),
            new SplitGroups(),
            new GroupsAsZeros(),
            new SplitOutputChannels(),
            new SplitInputChannels(),
            new SplitKernel(),
            new SplitPictures(),
            new TransposedAsOther(),
            new ProductAsOther(),
            new ProductAsConvolution(),
            new SoftmaxOverLast(),
            new BatchAsChannels(),
            new SplitBatch());

    private RewriteTable() {}
}
