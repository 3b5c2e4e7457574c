package org.clinfer.robustness;

import static org.clinfer.robustness.OnnxModel.BOOL;
import static org.clinfer.robustness.OnnxModel.INT64;
import static org.clinfer.robustness.OnnxModel.integer;
import static org.clinfer.robustness.OnnxModel.ints;
import static org.clinfer.robustness.OnnxModel.real;
import static org.clinfer.robustness.OnnxModel.text;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.TensorProto;

/** Small valid models that between them use every family of operators; what fuzzing starts from. */
final class SeedModels {

    private SeedModels() {}

    static List<ModelProto> all() {
        List<OnnxModel> models = new ArrayList<>();
        models.add(network());
        convolutions(models);
        pools(models);
        shapes(models);
        selections(models);
        resizes(models);
        reductions(models);
        elementwise(models);
        computedShapes(models);
        return models.stream().map(OnnxModel::build).toList();
    }

    /** A small classifier. */
    static OnnxModel network() {
        return new OnnxModel()
                .input("x", 1, 2, 6, 6)
                .weights("w", 3, 2, 3, 3)
                .weights("b", 3)
                .weights("s", 3)
                .weights("fc", 12, 5)
                .weights("fb", 5)
                .node("Conv", "x,w,b", "c", ints("pads", 1, 1, 1, 1), ints("strides", 1, 1))
                .node("BatchNormalization", "c,s,s,b,s", "n", real("epsilon", 1e-5f))
                .node("Relu", "n", "r")
                .node("MaxPool", "r", "p", ints("kernel_shape", 3, 3), ints("strides", 2, 2))
                .node("Flatten", "p", "f", integer("axis", 1))
                .node("Gemm", "f,fc,fb", "g", real("alpha", 1))
                .node("Softmax", "g", "y", integer("axis", -1));
    }

    private static void convolutions(List<OnnxModel> models) {
        models.add(new OnnxModel()
                .input("x", 1, 4, 5, 5)
                .weights("w", 4, 2, 3, 3)
                .node(
                        "Conv",
                        "x,w",
                        "y",
                        integer("group", 2),
                        ints("dilations", 1, 2),
                        ints("strides", 2, 1),
                        ints("pads", 0, 2, 1, 1),
                        ints("kernel_shape", 3, 3)));
        models.add(new OnnxModel()
                .input("x", 1, 2, 9)
                .weights("w", 2, 2, 3)
                .node("Conv", "x,w", "y", text("auto_pad", "SAME_UPPER"), ints("strides", 2)));
        models.add(new OnnxModel()
                .input("x", 1, 2, 3, 4, 3)
                .weights("w", 2, 2, 2, 2, 2)
                .node("Conv", "x,w", "y", ints("pads", 1, 0, 0, 0, 0, 1)));
        models.add(new OnnxModel()
                .input("x", 1, 2, 4, 4)
                .weights("w", 2, 3, 3, 3)
                .node(
                        "ConvTranspose",
                        "x,w",
                        "y",
                        ints("strides", 2, 2),
                        ints("pads", 1, 1, 1, 1),
                        ints("output_padding", 1, 1),
                        ints("dilations", 1, 1)));
        models.add(new OnnxModel()
                .input("x", 1, 2, 4, 4)
                .weights("w", 2, 1, 2, 2)
                .node(
                        "ConvTranspose",
                        "x,w",
                        "y",
                        ints("output_shape", 9, 8),
                        ints("strides", 2, 2),
                        integer("group", 2)));
    }

    private static void pools(List<OnnxModel> models) {
        models.add(new OnnxModel()
                .input("x", 1, 2, 7, 7)
                .node(
                        "AveragePool",
                        "x",
                        "y",
                        ints("kernel_shape", 3, 2),
                        ints("pads", 1, 0, 1, 1),
                        ints("strides", 2, 3),
                        integer("ceil_mode", 1),
                        integer("count_include_pad", 1)));
        models.add(new OnnxModel()
                .input("x", 1, 2, 7, 7)
                .node(
                        "MaxPool",
                        "x",
                        "y",
                        ints("kernel_shape", 2, 2),
                        ints("dilations", 2, 1),
                        text("auto_pad", "SAME_LOWER")));
        models.add(new OnnxModel().input("x", 1, 3, 5, 4).node("GlobalAveragePool", "x", "y"));
        models.add(
                new OnnxModel().input("x", 1, 4, 3, 3).node("LRN", "x", "y", integer("size", 3), real("alpha", 1e-3f)));
        models.add(new OnnxModel().input("x", 2, 3, 4, 4).weights("s", 3).node("InstanceNormalization", "x,s,s", "y"));
    }

    private static void shapes(List<OnnxModel> models) {
        models.add(new OnnxModel()
                .input("x", 2, 3, 4)
                .longs("t", 4, -1)
                .node("Transpose", "x", "p", ints("perm", 2, 0, 1))
                .node("Reshape", "p,t", "y"));
        models.add(new OnnxModel()
                .input("x", 2, 1, 4)
                .longs("a", 1)
                .longs("u", 0, 3)
                .node("Squeeze", "x,a", "s")
                .node("Unsqueeze", "s,u", "y"));
        models.add(new OnnxModel()
                .input("x", 1, 3)
                .longs("e", 2, 4, 1)
                .longs("r", 1, 2, 1)
                .node("Expand", "x,e", "g")
                .node("Tile", "g,r", "y"));
        models.add(new OnnxModel()
                .input("x", 1, 2, 4, 4)
                .longs("p", 0, 0, 1, 2, 0, 0, -1, 1)
                .reals("v", 2)
                .node("Pad", "x,p,v", "y", text("mode", "constant")));
        models.add(new OnnxModel()
                .input("x", 1, 2, 4, 4)
                .longs("p", 0, 0, 1, 2, 0, 0, 0, 1)
                .node("Pad", "x,p", "y", text("mode", "reflect")));
        models.add(new OnnxModel()
                .input("x", 1, 8, 2, 3)
                .node("DepthToSpace", "x", "d", integer("blocksize", 2), text("mode", "CRD"))
                .node("SpaceToDepth", "d", "y", integer("blocksize", 2)));
    }

    private static void selections(List<OnnxModel> models) {
        models.add(new OnnxModel()
                .input("x", 5, 6)
                .longs("s", 1, -1)
                .longs("e", 4, -9)
                .longs("a", 0, 1)
                .longs("t", 2, -2)
                .node("Slice", "x,s,e,a,t", "y"));
        models.add(new OnnxModel()
                .input("x", 6, 2)
                .longs("l", 1, 2, 3)
                .node("Split", "x,l", "a,b,c", integer("axis", 0))
                .node("Concat", "c,a,b", "y", integer("axis", 0)));
        models.add(
                new OnnxModel().input("x", 5, 3).longs("i", 4, -5, 0).node("Gather", "x,i", "y", integer("axis", 0)));
        models.add(new OnnxModel()
                .input("x", 2, 3)
                .typed("i", INT64, 2, 2)
                .node("Gather", "x,i", "y", integer("axis", 1)));
    }

    private static TensorProto.Builder scalar(String name, long value) {
        return TensorProto.newBuilder().setName(name).setDataType(INT64).addInt64Data(value);
    }

    private static void resizes(List<OnnxModel> models) {
        models.add(new OnnxModel()
                .input("x", 1, 2, 3, 3)
                .reals("s", 1, 1, 2, 1.5f)
                .node(
                        "Resize",
                        "x,,s",
                        "y",
                        text("mode", "linear"),
                        text("coordinate_transformation_mode", "half_pixel")));
        models.add(new OnnxModel()
                .input("x", 1, 2, 3, 3)
                .longs("z", 1, 2, 5, 2)
                .node(
                        "Resize",
                        "x,,,z",
                        "y",
                        text("mode", "cubic"),
                        real("cubic_coeff_a", -0.5f),
                        text("coordinate_transformation_mode", "align_corners")));
        models.add(new OnnxModel()
                .input("x", 1, 1, 4, 4)
                .reals("r", 0, 0, 0.1f, 0.2f, 1, 1, 0.7f, 1.4f)
                .longs("z", 1, 1, 3, 5)
                .node(
                        "Resize",
                        "x,r,,z",
                        "y",
                        text("mode", "nearest"),
                        real("extrapolation_value", 7),
                        text("coordinate_transformation_mode", "tf_crop_and_resize")));
        models.add(new OnnxModel()
                .opset(9)
                .input("x", 1, 2, 3, 3)
                .reals("s", 1, 1, 2, 2)
                .node("Upsample", "x,s", "y", text("mode", "nearest")));
    }

    private static void reductions(List<OnnxModel> models) {
        models.add(new OnnxModel()
                .input("x", 2, 3, 4)
                .node("ReduceMean", "x", "m", ints("axes", 1, -1), integer("keepdims", 1))
                .node("ReduceMax", "m", "y", integer("keepdims", 0)));
        models.add(new OnnxModel()
                .input("x", 2, 3, 4)
                .longs("a", 2)
                .node("ReduceSum", "x,a", "s", integer("keepdims", 0))
                .node("LogSoftmax", "s", "y", integer("axis", 1)));
        models.add(new OnnxModel().input("a", 2, 3, 4).weights("b", 4, 5).node("MatMul", "a,b", "y"));
        models.add(new OnnxModel()
                .input("a", 3, 2)
                .weights("b", 4, 3)
                .weights("c", 1, 4)
                .node("Gemm", "a,b,c", "y", integer("transA", 1), integer("transB", 1), real("beta", 0.5f)));
    }

    private static void elementwise(List<OnnxModel> models) {
        models.add(new OnnxModel()
                .input("a", 2, 3)
                .input("b", 3)
                .node("Add", "a,b", "s")
                .node("Div", "s,b", "d")
                .node("Pow", "d,b", "p")
                .node("Sum", "p,a,b", "y"));
        models.add(new OnnxModel()
                .input("x", 2, 3)
                .typed("c", BOOL, 3)
                .reals("lo", -1)
                .node("Where", "c,x,lo", "w")
                .node("Clip", "w,lo", "l")
                .node("LeakyRelu", "l", "y", real("alpha", 0.1f)));
        models.add(new OnnxModel()
                .input("x", 2, 3)
                .node("Cast", "x", "i", integer("to", INT64))
                .node("Equal", "i,i", "y"));
        models.add(new OnnxModel()
                .input("x", 2, 3, 2)
                .weights("s", 3, 1)
                .node("PRelu", "x,s", "p")
                .node("Erf", "p", "y"));
    }

    private static void computedShapes(List<OnnxModel> models) {
        models.add(new OnnxModel()
                .input("x", 4)
                .initializer(scalar("from", 0))
                .initializer(scalar("to", 4))
                .initializer(scalar("by", 1))
                .node("Range", "from,to,by", "r")
                .node("Cast", "r", "f", integer("to", OnnxModel.FLOAT))
                .node("Mul", "x,f", "y"));
        models.add(new OnnxModel()
                .opset(15)
                .input("x", 4, 3, 2)
                .longs("i", 1, 0)
                .node("Shape", "x", "s", integer("start", 1), integer("end", 3))
                .node("Gather", "s,i", "g")
                .node("ConstantOfShape", "g", "z")
                .node("MatMul", "x,z", "y"));
        models.add(new OnnxModel()
                .input("x", -1, 3, 4)
                .longs("zero", 0)
                .longs("rest", -1)
                .node("Shape", "x", "s")
                .node("Gather", "s,zero", "g")
                .node("Concat", "g,rest", "t", integer("axis", 0))
                .node("Reshape", "x,t", "y"));
        models.add(new OnnxModel()
                .longs("d", 2, 3)
                .longs("m", 2, 2)
                .input("x", 4, 6)
                .node("ConstantOfShape", "d", "c")
                .node("Tile", "c,m", "t")
                .node("Mul", "x,t", "y"));
        models.add(new OnnxModel().input("x", 1, 1).typed("t", INT64, 2).node("Reshape", "x,t", "y"));
        models.add(new OnnxModel()
                .reals("v", 1)
                .longs("k", 3, 2)
                .input("x", 3, 2)
                .node("Expand", "v,k", "e")
                .node("Add", "e,x", "y"));
    }
}
