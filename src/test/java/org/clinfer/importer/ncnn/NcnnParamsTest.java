package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.errors.InputException;
import org.clinfer.graph.GraphException;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every parameter that ncnn knows for a layer changes the result, or is refused. */
class NcnnParamsTest {

    private static final String CONVOLUTION = "0=4 1=3 4=1 5=1 6=144";

    /** Parameters that change no result, each with the reason. */
    private static final Map<String, String> WITHOUT_EFFECT = Map.ofEntries(
            Map.entry("Convolution[" + CONVOLUTION + "] 17", "which algorithm computes"),
            Map.entry("Gemm[] 12", "how elements lie in memory"),
            Map.entry("Gemm[] 13", "in which type elements are kept"),
            Map.entry("Gemm[] 20", "tiles"),
            Map.entry("Gemm[] 21", "tiles"),
            Map.entry("Gemm[] 22", "tiles"),
            Map.entry("Convolution[" + CONVOLUTION + "] 10", "numbers of a function that is not there, as in ncnn"),
            Map.entry("Gemm[5=1 6=1 7=3 8=3 9=3 10=4] 7", "rows are counted where they are constant"),
            Map.entry("BinaryOp[] 2", "ncnn passes over the number where there is a second blob"),
            Map.entry("Softmax[1=1] 1", "which version of the converter wrote the axis"));

    private static final String REFUSED = "refused: ";

    /**
     * A layer with what it is given.
     *
     * @param inputs sizes of its blobs, outer axes first
     * @param outputs how many blobs it gives
     * @param weights how many numbers there are, behind {@code t} with a tag
     * @param given parameters with a value
     * @param others other values; what the refusal says, if not the parameter's number, stands behind {@code ~}; {@code *} where it is that weights or blobs do not fit
     */
    private record Layer(String type, String inputs, int outputs, String weights, String given, List<String> others) {
        Layer(String type, String inputs, String weights, String given, String... others) {
            this(type, inputs, 1, weights, given, List.of(others));
        }

        Layer outputs(int count) {
            return new Layer(type, inputs, count, weights, given, others);
        }

        String params(String without) {
            return parts(given).stream()
                    .filter(each -> without.isEmpty() || !name(each).equals(name(without)))
                    .collect(Collectors.joining(" "));
        }
    }

    private static final String PICTURE = "4,6,6";

    private static final List<Layer> LAYERS = List.of(
            new Layer("AbsVal", PICTURE, "", ""),
            new Layer("BNLL", PICTURE, "", ""),
            new Layer("Sigmoid", PICTURE, "", ""),
            new Layer("Softplus", PICTURE, "", ""),
            new Layer("Swish", PICTURE, "", ""),
            new Layer("TanH", PICTURE, "", ""),
            new Layer("Mish", PICTURE, "", ""),
            new Layer("Flatten", PICTURE, "", ""),
            new Layer("Split", PICTURE, "", "").outputs(2),
            new Layer("Noop", PICTURE, "", ""),
            new Layer("ReLU", PICTURE, "", "", "0=.5"),
            new Layer("PReLU", PICTURE, "r4", "0=4", "0=1 ~ .bin"),
            new Layer("ELU", PICTURE, "", "", "0=.5"),
            new Layer("SELU", PICTURE, "", "", "0=1.5", "1=1.5"),
            new Layer("HardSigmoid", PICTURE, "", "", "0=.5", "1=.2"),
            new Layer("HardSwish", PICTURE, "", "", "0=.5", "1=.2"),
            new Layer("GELU", PICTURE, "", "", "0=1"),
            new Layer("Clip", PICTURE, "", "", "0=-.5", "1=.5"),
            new Layer("Threshold", PICTURE, "", "", "0=.5"),
            new Layer("Eltwise", "4,3 4,3", "", "", "0=1", "0=7 ~ operation 7", "-23301=2,1.,2. ~ parameter 1"),
            new Layer("Eltwise", "4,3 4,3", "", "0=1", "0=2", "-23301=2,1.,2."),
            new Layer("BinaryOp", "4,3 4,3", "", "", "0=2", "0=11 ~ operation 11", "1=1 ~ 1 blobs", "2=3."),
            new Layer("BinaryOp", "4,3", "", "1=1 2=3.", "0=2", "1=0 ~ 2 blobs", "2=4."),
            new Layer("UnaryOp", "4,3", "", "", "0=1", "0=99 ~ operation 99"),
            new Layer("Power", "4,3", "", "2=5.", "0=2.", "1=2.", "2=6."),
            new Layer("Exp", "4,3", "", "", "0=2.", "1=2.", "2=1."),
            new Layer("Log", "4,3", "", "2=5.", "0=2.", "1=1.5", "2=6."),
            new Layer(
                    "Reduction",
                    "2,3,4",
                    "",
                    "",
                    "0=3",
                    "1=0 ~ parameter 3",
                    "2=2.",
                    "4=1",
                    "-23303=1,1 ~ axes that count the batch",
                    "0=99 ~ operation 99"),
            new Layer(
                    "Reduction",
                    "2,3,4",
                    "",
                    "1=0 -23303=1,1 5=1",
                    "0=4",
                    "1=1",
                    "2=2.",
                    "-23303=1,2",
                    "4=1",
                    "5=0 ~ axes that count the batch"),
            new Layer("CumulativeSum", "2,3", "", "", "0=1"),
            new Layer(
                    "Convolution",
                    PICTURE,
                    "t144 r4",
                    CONVOLUTION,
                    "0=2 ~ *",
                    "1=1 ~ *",
                    "2=2",
                    "3=2",
                    "4=0",
                    "5=0 ~ .bin",
                    "6=72 ~ *",
                    "7=2",
                    "8=1 ~ int8 codes",
                    "9=1",
                    "9=7 ~ activation 7",
                    "9=2 -23310=1,.5",
                    "-23310=1,.5",
                    "11=1 ~ *",
                    "12=2",
                    "13=2",
                    "14=0",
                    "15=0",
                    "16=0",
                    "17=1",
                    "18=2.",
                    "19=1 ~ weights that are inputs"),
            new Layer(
                    "ConvolutionDepthWise",
                    PICTURE,
                    "t36 r4",
                    "0=4 1=3 4=1 5=1 6=36 7=4",
                    "0=8 ~ *",
                    "1=1 ~ *",
                    "2=2",
                    "3=2",
                    "4=0",
                    "5=0 ~ .bin",
                    "6=72 ~ *",
                    "7=2 ~ *",
                    "8=1 ~ int8 codes",
                    "9=1",
                    "11=1 ~ *",
                    "12=2",
                    "13=2",
                    "14=0",
                    "15=0",
                    "16=0",
                    "18=2.",
                    "19=1 ~ weights that are inputs"),
            new Layer(
                    "Convolution1D",
                    "4,6",
                    "t48 r4",
                    "0=4 1=3 4=1 5=1 6=48",
                    "0=2 ~ *",
                    "1=1 ~ *",
                    "2=2",
                    "3=2",
                    "4=0",
                    "5=0 ~ .bin",
                    "6=24 ~ *",
                    "9=1",
                    "15=0",
                    "18=2.",
                    "19=1 ~ weights that are inputs"),
            new Layer(
                    "ConvolutionDepthWise1D",
                    "4,6",
                    "t12 r4",
                    "0=4 1=3 4=1 5=1 6=12 7=4",
                    "0=8 ~ *",
                    "1=1 ~ *",
                    "2=2",
                    "3=2",
                    "4=0",
                    "5=0 ~ .bin",
                    "6=24 ~ *",
                    "7=2 ~ *",
                    "9=1",
                    "15=0",
                    "18=2.",
                    "19=1 ~ weights that are inputs"),
            new Layer(
                    "Convolution3D",
                    "2,4,4,4",
                    "t108 r2",
                    "0=2 1=3 4=1 5=1 6=108",
                    "0=4 ~ *",
                    "1=1 ~ *",
                    "2=2",
                    "3=2",
                    "4=0",
                    "5=0 ~ .bin",
                    "6=54 ~ *",
                    "9=1",
                    "11=1 ~ *",
                    "12=2",
                    "13=2",
                    "14=0",
                    "15=0",
                    "16=0",
                    "17=0",
                    "18=2.",
                    "21=1 ~ *",
                    "22=2",
                    "23=2",
                    "24=0"),
            new Layer(
                    "ConvolutionDepthWise3D",
                    "2,4,4,4",
                    "t54 r2",
                    "0=2 1=3 4=1 5=1 6=54 7=2",
                    "0=4 ~ *",
                    "1=1 ~ *",
                    "2=2",
                    "3=2",
                    "4=0",
                    "5=0 ~ .bin",
                    "6=108 ~ *",
                    "7=1 ~ *",
                    "9=1",
                    "11=1 ~ *",
                    "12=2",
                    "13=2",
                    "14=0",
                    "15=0",
                    "16=0",
                    "17=0",
                    "18=2.",
                    "21=1 ~ *",
                    "22=2",
                    "23=2",
                    "24=0"),
            new Layer(
                    "Deconvolution",
                    PICTURE,
                    "t144 r4",
                    CONVOLUTION + " 3=2",
                    "0=2 ~ *",
                    "1=1 ~ *",
                    "2=2",
                    "3=1",
                    "4=0",
                    "5=0 ~ .bin",
                    "6=72 ~ *",
                    "9=1",
                    "11=1 ~ *",
                    "12=2",
                    "13=1",
                    "14=0",
                    "15=0",
                    "16=0",
                    "18=1",
                    "19=1",
                    "20=5 ~ a size of the result",
                    "21=5 ~ a size of the result",
                    "28=1 ~ parameter 28"),
            new Layer(
                    "DeconvolutionDepthWise",
                    PICTURE,
                    "t36 r4",
                    "0=4 1=3 4=1 5=1 6=36 7=4 3=2",
                    "0=8 ~ *",
                    "1=1 ~ *",
                    "2=2",
                    "3=1",
                    "4=0",
                    "5=0 ~ .bin",
                    "6=72 ~ *",
                    "7=2 ~ *",
                    "9=1",
                    "11=1 ~ *",
                    "12=2",
                    "13=1",
                    "14=0",
                    "15=0",
                    "16=0",
                    "18=1",
                    "19=1",
                    "20=5 ~ a size of the result",
                    "21=5 ~ a size of the result"),
            new Layer(
                    "Deconvolution1D",
                    "4,6",
                    "t48 r4",
                    "0=4 1=3 4=1 5=1 6=48 3=2",
                    "0=2 ~ *",
                    "1=1 ~ *",
                    "2=2",
                    "3=1",
                    "4=0",
                    "5=0 ~ .bin",
                    "6=24 ~ *",
                    "9=1",
                    "15=0",
                    "18=1",
                    "20=5 ~ a size of the result"),
            new Layer(
                    "DeconvolutionDepthWise1D",
                    "4,6",
                    "t12 r4",
                    "0=4 1=3 4=1 5=1 6=12 7=4 3=2",
                    "0=8 ~ *",
                    "1=1 ~ *",
                    "2=2",
                    "3=1",
                    "4=0",
                    "5=0 ~ .bin",
                    "6=24 ~ *",
                    "7=2 ~ *",
                    "9=1",
                    "15=0",
                    "18=1",
                    "20=5 ~ a size of the result"),
            new Layer(
                    "Deconvolution3D",
                    "2,4,4,4",
                    "t108 r2",
                    "0=2 1=3 4=1 5=1 6=108 3=2",
                    "0=4 ~ *",
                    "1=1 ~ *",
                    "2=2",
                    "3=1",
                    "4=0",
                    "5=0 ~ .bin",
                    "6=54 ~ *",
                    "9=1",
                    "11=1 ~ *",
                    "12=2",
                    "13=1",
                    "14=0",
                    "15=0",
                    "16=0",
                    "17=0",
                    "18=1",
                    "19=1",
                    "20=1",
                    "21=1 ~ *",
                    "22=2",
                    "23=1",
                    "24=0",
                    "25=5 ~ a size of the result"),
            new Layer(
                    "DeconvolutionDepthWise3D",
                    "2,4,4,4",
                    "t54 r2",
                    "0=2 1=3 4=1 5=1 6=54 7=2 3=2",
                    "0=4 ~ *",
                    "1=1 ~ *",
                    "2=2",
                    "3=1",
                    "4=0",
                    "5=0 ~ .bin",
                    "6=108 ~ *",
                    "7=1 ~ *",
                    "9=1",
                    "11=1 ~ *",
                    "12=2",
                    "13=1",
                    "14=0",
                    "15=0",
                    "16=0",
                    "17=0",
                    "18=1",
                    "19=1",
                    "20=1",
                    "21=1 ~ *",
                    "22=2",
                    "23=1",
                    "24=0",
                    "25=5 ~ a size of the result"),
            new Layer(
                    "InnerProduct",
                    "6",
                    "t24 r4",
                    "0=4 1=1 2=24",
                    "0=2 ~ *",
                    "1=0 ~ .bin",
                    "2=12 ~ *",
                    "8=1 ~ int8 codes",
                    "9=1",
                    "9=2 -23310=1,.5"),
            new Layer(
                    "Gemm",
                    "3,3 3,3",
                    "",
                    "",
                    "0=2.",
                    "2=1",
                    "3=1",
                    "4=1 7=3 9=3 ~ .bin",
                    "5=1 8=3 9=3 ~ .bin",
                    "6=1 7=3 8=3 10=3 ~ .bin",
                    "11=1 ~ three axes",
                    "12=1",
                    "13=1",
                    "14=1",
                    "18=1 ~ int8 codes",
                    "20=1",
                    "21=1",
                    "22=1"),
            new Layer("Gemm", "3,3 3,3 3,3", "", "1=.5", "0=2.", "1=2.", "14=1"),
            new Layer(
                    "Gemm",
                    "3,3",
                    "t9 t3",
                    "5=1 6=1 7=3 8=3 9=3 10=4",
                    "2=1",
                    "3=1",
                    "5=0 ~ 'b'",
                    "6=0 ~ .bin",
                    "7=2",
                    "8=2 ~ .bin",
                    "9=2 ~ *",
                    "10=0 ~ .bin",
                    "10=1"),
            new Layer("MatMul", "3,3 3,3", "", "", "0=1"),
            new Layer(
                    "Pooling",
                    PICTURE,
                    "",
                    "1=3",
                    "0=1",
                    "0=2 ~ type 2",
                    "1=2",
                    "2=2",
                    "3=1",
                    "4=1",
                    "5=1 2=2",
                    "5=2",
                    "11=2",
                    "12=2",
                    "13=1",
                    "14=1",
                    "15=1",
                    "7=1 8=2"),
            new Layer("Pooling", PICTURE, "", "0=1 1=3 3=1 5=1", "0=0", "1=2", "3=0", "5=0 2=2", "6=1"),
            new Layer("Pooling", PICTURE, "", "7=1 8=2", "0=1", "7=0 1=2", "8=3", "18=3"),
            new Layer(
                    "Pooling1D",
                    "4,6",
                    "",
                    "1=3",
                    "0=1",
                    "1=2",
                    "2=2",
                    "3=1",
                    "4=1",
                    "5=2",
                    "14=1",
                    "7=1 8=2 ~ a fixed size"),
            new Layer("Pooling1D", "4,6", "", "0=1 1=3 3=1 5=1", "0=0", "1=2", "3=0", "5=0 2=2", "6=1"),
            new Layer(
                    "Pooling3D",
                    "2,5,5,5",
                    "",
                    "1=3",
                    "0=1",
                    "1=2",
                    "2=2",
                    "3=1",
                    "4=1",
                    "5=2",
                    "11=2",
                    "12=2",
                    "13=1",
                    "14=1",
                    "15=1",
                    "16=1",
                    "21=2",
                    "22=2",
                    "23=1",
                    "7=1 8=2 ~ a fixed size"),
            new Layer("Pooling3D", "2,4,4,4", "", "0=1 1=3 3=1 5=1", "0=0", "1=2", "3=0", "5=0 2=2", "6=1"),
            new Layer("Softmax", "3,4", "", "1=1", "0=1", "1=0"),
            new Layer("Softmax", "3,4", "", "0=1 1=1", "0=0", "1=0 ~ an axis that counts the batch"),
            new Layer("LRN", PICTURE, "", "1=3", "0=1", "0=2 ~ region 2", "1=1", "2=2.", "3=1.", "4=2."),
            new Layer("BatchNorm", PICTURE, "r4 r4 r4 r4", "0=4", "0=2 ~ BatchNorm", "1=1."),
            new Layer("Scale", PICTURE, "r4", "0=4", "0=2 ~ BatchNorm", "1=1 ~ .bin"),
            new Layer("Scale", "4,3,3 4", "", "0=-233", "0=4 ~ 1 blobs", "1=1 ~ a bias"),
            new Layer("Bias", PICTURE, "r4", "0=4", "0=2 ~ BatchNorm"),
            new Layer("InstanceNorm", PICTURE, "r4 r4", "0=4", "0=2 ~ InstanceNorm", "1=1.", "2=0 ~ .bin"),
            new Layer(
                    "GroupNorm",
                    PICTURE,
                    "r4 r4",
                    "0=2 1=4",
                    "0=4",
                    "1=2 ~ there are 4 channels",
                    "2=1.",
                    "3=0 ~ .bin"),
            new Layer("LayerNorm", "4,6", "r6 r6", "0=6", "0=24 ~ .bin", "1=1.", "2=0 ~ .bin"),
            new Layer("LayerNorm", "4,6", "", "0=6 2=0", "0=24", "1=1.", "2=1 ~ .bin"),
            new Layer("MVN", PICTURE, "", "0=1", "0=0", "1=1", "2=1."),
            new Layer(
                    "Normalize",
                    PICTURE,
                    "r4",
                    "3=4",
                    "0=1",
                    "1=1 ~ parameter 3",
                    "2=1.",
                    "3=1 ~ .bin",
                    "4=0 ~ neither space nor channels",
                    "9=1"),
            new Layer("Normalize", PICTURE, "r4", "0=1 3=4", "0=0", "3=1 ~ .bin", "4=0"),
            new Layer(
                    "RNN",
                    "3,2",
                    "t8 t4 t16",
                    "0=4 1=8",
                    "0=2 ~ *",
                    "1=12 ~ .bin",
                    "2=1",
                    "2=2 ~ *",
                    "3=4",
                    "8=1 ~ int8 codes"),
            new Layer(
                    "LSTM",
                    "3,2",
                    "t32 t16 t64",
                    "0=4 1=32",
                    "0=2 ~ *",
                    "1=48 ~ .bin",
                    "2=1",
                    "2=2 ~ *",
                    "3=2 ~ a projection",
                    "8=1 ~ int8 codes"),
            new Layer(
                    "GRU",
                    "3,2",
                    "t24 t16 t48",
                    "0=4 1=24",
                    "0=2 ~ *",
                    "1=36 ~ .bin",
                    "2=1",
                    "2=2 ~ *",
                    "3=4",
                    "8=1 ~ int8 codes"),
            new Layer(
                    "Interp",
                    PICTURE,
                    "",
                    "0=2 3=9 4=9",
                    "0=1",
                    "0=3",
                    "0=4 ~ type 4",
                    "3=8",
                    "4=8",
                    "5=1 ~ 2 blobs",
                    "6=1",
                    "9=1"),
            new Layer(
                    "Interp",
                    PICTURE,
                    "",
                    "0=2 1=1.5 2=1.5",
                    "0=1",
                    "1=2.",
                    "2=2.",
                    "3=9 ~ a height or a width",
                    "4=9 ~ a height or a width",
                    "6=1"),
            new Layer("PixelShuffle", PICTURE, "", "0=2", "0=1"),
            new Layer("PixelShuffle", "8,6,6", "", "0=2", "0=1", "1=1"),
            new Layer("Reorg", PICTURE, "", "0=2", "0=3", "1=1"),
            new Layer("ShuffleChannel", "6,2,2", "", "0=2", "0=1", "1=1"),
            new Layer("Concat", "2,3 2,3", "", "", "0=1"),
            new Layer("Slice", "4,4", "", "-23300=2,1,3", "-23300=2,2,2", "1=1", "-23302=1,2").outputs(2),
            new Layer("Dropout", PICTURE, "", "", "0=2."),
            new Layer(
                    "MemoryData",
                    "",
                    "r6",
                    "0=3 1=2",
                    "0=2 ~ *",
                    "1=1 ~ .bin",
                    "2=2 ~ *",
                    "11=2 ~ *",
                    "21=0 ~ another kind"),
            new Layer(
                    "Crop",
                    PICTURE,
                    "",
                    "2=1 3=3 4=3 5=2",
                    "0=1",
                    "1=1",
                    "2=0",
                    "3=2",
                    "4=2",
                    "5=1",
                    "6=1 ~ parameter 3",
                    "7=1 ~ parameter 4",
                    "8=1 ~ parameter 5",
                    "13=1",
                    "14=1",
                    "15=1"),
            new Layer(
                    "Crop",
                    PICTURE,
                    "",
                    "3=-233 4=-233 5=-233",
                    "6=1",
                    "7=1",
                    "8=1",
                    "3=3",
                    "4=3",
                    "5=2",
                    "-23309=1,1 -23310=1,2"),
            new Layer("Crop", PICTURE, "", "-23309=1,1 -23310=1,3", "-23309=1,0", "-23310=1,2", "-23311=1,2"),
            new Layer(
                    "Padding",
                    PICTURE,
                    "",
                    "",
                    "0=1",
                    "1=1",
                    "2=1",
                    "3=1",
                    "7=1 8=1",
                    "7=1 ~ before the outer axis",
                    "8=1 ~ behind",
                    "6=4 ~ a number for each channel"),
            new Layer("Padding", PICTURE, "", "0=1 1=1", "0=2", "1=2", "4=1", "4=9 ~ type 9", "5=2."),
            new Layer("Permute", PICTURE, "", "0=1", "0=2"),
            new Layer(
                    "Reshape",
                    PICTURE,
                    "",
                    "0=6 1=24",
                    "0=24 1=6",
                    "1=12 0=12",
                    "2=1",
                    "3=1 ~ channels as the innermost",
                    "11=1",
                    "11=1 2=1",
                    "6=1"),
            new Layer("Reshape", PICTURE, "", "0=144", "0=-1 1=2", "1=1", "2=1", "11=1"),
            new Layer("Squeeze", "1,1,1", "", "", "0=1", "1=1", "2=1", "-23303=1,0"),
            new Layer("Squeeze", "1,1,1,1", "", "", "0=1", "1=1", "2=1", "11=1", "-23303=1,0"),
            new Layer("ExpandDims", "4", "", "-23303=1,0", "-23303=1,1", "0=1", "1=1", "2=1", "11=1"),
            new Layer("Tile", "2,3", "", "1=2", "0=1", "1=3", "-23302=1,2 ~ a number for each axis"),
            new Layer(
                    "Yolov3DetectionOutput",
                    "7,2,2",
                    "",
                    "0=2 1=1 2=.1 3=.45 -23304=2,8.,8. -23305=1,0. -23306=1,8.",
                    "0=1 ~ channels",
                    "1=2 ~ channels",
                    "2=.9",
                    "3=.01",
                    "-23304=2,16.,8.",
                    "-23305=1,1. ~ parameter 5",
                    "-23306=1,16."));

    @TempDir
    Path folder;

    private static List<String> parts(String list) {
        return list.isEmpty() ? List.of() : List.of(list.split(" ", -1));
    }

    /** The number of a parameter, which a list has behind -233. */
    private static String name(String param) {
        int id = Integer.parseInt(param.substring(0, param.indexOf('=')));
        return String.valueOf(id <= -23300 ? -23300 - id : id);
    }

    private static long[] longs(String list) {
        return Stream.of(list.split(",", -1)).mapToLong(Long::parseLong).toArray();
    }

    /** Numbers from .2 to 4.2 as weights, so that they may be variances, and from -2 to 2 otherwise. */
    private static float[] weights(long seed, int count) {
        float[] values = NcnnNet.random(seed, count);
        for (int i = 0; i < count; i++) {
            values[i] += 2.2f;
        }
        return values;
    }

    /** The results, or the refusal. */
    private String outcome(Layer layer, String params) throws IOException {
        NcnnNet net = new NcnnNet();
        Map<String, Tensor> inputs = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        for (String sizes : parts(layer.inputs())) {
            String name = "x" + names.size();
            long[] dims = longs(sizes);
            int[] ids = dims.length == 4 ? new int[] {2, 11, 1, 0} : new int[] {2, 1, 0};
            StringBuilder line = new StringBuilder("Input " + name + " 0 1 " + name);
            for (int i = 0; i < dims.length; i++) {
                line.append(' ')
                        .append(ids[ids.length - dims.length + i])
                        .append('=')
                        .append(dims[i]);
            }
            net.line(line.toString());
            long[] batch =
                    LongStream.concat(LongStream.of(1), LongStream.of(dims)).toArray();
            int count = (int) LongStream.of(dims).reduce(1, (a, b) -> a * b);
            inputs.put(name, Tensor.of(NcnnNet.random(names.size() + 3L, count), batch));
            names.add(name);
        }
        StringBuilder line = new StringBuilder(layer.type() + " l " + names.size() + " " + layer.outputs());
        names.forEach(name -> line.append(' ').append(name));
        for (int i = 0; i < layer.outputs(); i++) {
            line.append(" y").append(i);
        }
        net.line(line + " " + params.strip());
        int number = 10;
        for (String each : parts(layer.weights())) {
            float[] values = weights(number++, Integer.parseInt(each.substring(1)));
            net = each.startsWith("t") ? net.tagged(values) : net.raw(values);
        }
        try {
            return NcnnNet.run(net.write(folder), inputs).entrySet().stream()
                    .map(y -> y.getKey()
                            + y.getValue()
                            + Arrays.toString(y.getValue().toDoubleArray()))
                    .collect(Collectors.joining());
        } catch (GraphException | InputException | IllegalArgumentException refusal) {
            return REFUSED + refusal.getMessage();
        }
    }

    @Test
    void everyTypeHasACase() {
        assertThat(LAYERS.stream().map(Layer::type).collect(Collectors.toSet()))
                .isEqualTo(NcnnTranslation.LAYERS.types());
        for (String type : NcnnTranslation.LAYERS.types()) {
            List<Layer> layers =
                    LAYERS.stream().filter(layer -> layer.type().equals(type)).toList();
            assertThat(layers.stream().flatMap(layer -> layer.others().stream()).map(NcnnParamsTest::name))
                    .as(type)
                    .containsAll(layers.stream()
                            .flatMap(layer -> parts(layer.given()).stream())
                            .map(NcnnParamsTest::name)
                            .toList());
        }
    }

    @Test
    void everyParameterChangesTheResultOrIsRefused() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Layer layer : LAYERS) {
            String before = outcome(layer, layer.params(""));
            if (before.startsWith(REFUSED)) {
                wrong.add(layer + ": " + before);
            }
            for (String other : layer.others()) {
                String[] both = other.split(" ~ ", -1);
                String kept = layer.params("");
                for (String each : parts(both[0])) {
                    String set = each;
                    kept = parts(kept).stream()
                            .filter(param -> !name(param).equals(name(set)))
                            .collect(Collectors.joining(" "));
                }
                String after = outcome(layer, kept + " " + both[0]);
                String said = both.length > 1 ? both[1] : "parameter " + name(other);
                boolean told =
                        after.startsWith(REFUSED) ? said.equals("*") || after.contains(said) : !after.equals(before);
                if (WITHOUT_EFFECT.containsKey(layer.type() + "[" + layer.given() + "] " + name(other))
                        ? !after.equals(before)
                        : !told) {
                    wrong.add(layer.type() + " " + layer.given() + " with " + other + ": " + after);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void parametersThatNoLayerHasAreRefused() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Layer layer : LAYERS) {
            String after = outcome(layer, layer.params("") + " 29=1");
            if (!after.startsWith(REFUSED) || !after.contains("parameter 29")) {
                wrong.add(layer.type() + ": " + after);
            }
        }
        assertThat(wrong).isEmpty();
    }
}
