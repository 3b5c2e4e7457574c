package org.clinfer.cpu.blocked;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.vector.CpuPath;

/** The operators of blocked channels, and those between them and NCHW. */
public final class BlockedOperators {

    private BlockedOperators() {}

    /** Those that take values of blocked channels in arrays of floats. */
    public static Set<String> ofArrays(CpuPath path) {
        return path.hasVectors() ? all(path).keySet() : Set.of();
    }

    public static Map<String, CpuOperator> all(CpuPath path) {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.put("BlockedConv", CpuOperator.of(CpuWork.CONVOLUTION, new BlockedConvolution(path)));
        all.put("ConvToBlocks", CpuOperator.of(CpuWork.CONVOLUTION, new ConvolutionToBlocks(path)));
        all.put("BlockChannels", BlockedConversions::block);
        all.put("UnblockChannels", BlockedConversions::unblock);
        all.put("BlockedPool", BlockedPool.of(path));
        all.put("BlockedGlobalAveragePool", BlockedPooling.globalMean(path));
        all.put("BlockedResize", BlockedResizing::run);
        BlockedElements elements = new BlockedElements(path);
        all.put("BlockedScale", elements::scale);
        all.put("BlockedBinary", elements::binary);
        return all;
    }
}
