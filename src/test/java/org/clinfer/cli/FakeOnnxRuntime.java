package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * A jar with the classes and methods of ONNX Runtime that a comparison calls. Whatever the model, it computes
 * {@code y = max(x, 0) + addend}, without optimisations with another addend; a model whose name begins with {@code refused} it does not load. The system property
 * {@code fake.open} counts what is not closed.
 */
final class FakeOnnxRuntime {

    private static final String OPEN = """
            package ai.onnxruntime;
            public class Open implements AutoCloseable {
                Open() { count(1); }
                private static synchronized void count(int by) { System.setProperty("fake.open", "" + (Integer.getInteger("fake.open", 0) + by)); }
                public void close() { count(-1); }
            }
            """;

    private static final String ENVIRONMENT = """
            package ai.onnxruntime;
            public class OrtEnvironment {
                public static OrtEnvironment getEnvironment(OrtLoggingLevel level) { return new OrtEnvironment(); }
                public String getVersion() { return "0.fake"; }
                public OrtSession createSession(String model, OrtSession.SessionOptions options) throws Exception {
                    if (model.contains("/refused")) throw new Exception("will not load " + model);
                    boolean all = options.set.startsWith("ALL_OPT ");
                    if (!options.set.matches("(ALL|NO)_OPT 3 ORT_LOGGING_LEVEL_ERROR ")) throw new Exception("options " + options.set);
                    return new OrtSession(all ? ADDENDf : PLAINf);
                }
            }
            """;

    private static final String SESSION = """
            package ai.onnxruntime;
            import java.nio.*;
            import java.util.*;
            public class OrtSession extends Open {
                private final float addend;
                OrtSession(float addend) { this.addend = addend; }
                public static class SessionOptions extends Open {
                    String set = "";
                    public enum OptLevel { ALL_OPT, NO_OPT }
                    public void setOptimizationLevel(OptLevel level) { set += level + " "; }
                    public void setIntraOpNumThreads(int threads) { set += threads + " "; }
                    public void setSessionLogLevel(OrtLoggingLevel level) { set += level + " "; }
                }
                public static class Result extends Open implements Iterable<Map.Entry<String, OnnxTensor>> {
                    final Map<String, OnnxTensor> values = new HashMap<>();
                    public Iterator<Map.Entry<String, OnnxTensor>> iterator() { return values.entrySet().iterator(); }
                    public void close() { values.values().forEach(OnnxTensor::close); super.close(); }
                }
                public Result run(Map<String, OnnxTensor> inputs) {
                    OnnxTensor x = inputs.get("x");
                    ByteBuffer y = ByteBuffer.allocate(x.data.remaining()).order(ByteOrder.nativeOrder());
                    for (int i = 0; i < y.limit(); i += 4) y.putFloat(i, Math.max(x.data.getFloat(i), 0) + addend);
                    Result result = new Result();
                    result.values.put("y", new OnnxTensor(y, x.info));
                    return result;
                }
            }
            """;

    private static final String TENSOR = """
            package ai.onnxruntime;
            import java.nio.*;
            public class OnnxTensor extends Open {
                final ByteBuffer data;
                final TensorInfo info;
                OnnxTensor(ByteBuffer data, TensorInfo info) { this.data = data; this.info = info; }
                public static OnnxTensor createTensor(OrtEnvironment environment, ByteBuffer data, long[] shape, OnnxJavaType type) {
                    return new OnnxTensor(data, new TensorInfo(shape, type));
                }
                public TensorInfo getInfo() { return info; }
                public ByteBuffer getByteBuffer() { return data.duplicate(); }
            }
            """;

    private static final String INFO = """
            package ai.onnxruntime;
            public class TensorInfo {
                private final long[] shape;
                public final OnnxJavaType type;
                TensorInfo(long[] shape, OnnxJavaType type) { this.shape = shape; this.type = type; }
                public long[] getShape() { return shape; }
            }
            """;

    private FakeOnnxRuntime() {}

    static Path write(Path folder, String addend) throws IOException {
        return write(folder, addend, addend);
    }

    static Path write(Path folder, String addend, String plainAddend) throws IOException {
        String name = "fake-" + addend + "-" + plainAddend;
        Path sources = Files.createDirectories(folder.resolve(name).resolve("ai/onnxruntime"));
        List<String> files = new ArrayList<>();
        files.add(source(sources, "Open", OPEN));
        files.add(source(
                sources, "OrtEnvironment", ENVIRONMENT.replace("ADDEND", addend).replace("PLAIN", plainAddend)));
        files.add(source(sources, "OrtSession", SESSION));
        files.add(source(sources, "OnnxTensor", TENSOR));
        files.add(source(sources, "TensorInfo", INFO));
        files.add(source(sources, "OnnxJavaType", "package ai.onnxruntime; public enum OnnxJavaType { FLOAT }"));
        files.add(source(
                sources,
                "OrtLoggingLevel",
                "package ai.onnxruntime; public enum OrtLoggingLevel { ORT_LOGGING_LEVEL_ERROR }"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertThat(compiler.run(null, null, null, files.toArray(String[]::new))).isZero();
        Path jar = folder.resolve(name + ".jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                Stream<Path> classes = Files.list(sources)) {
            for (Path each :
                    classes.filter(file -> file.toString().endsWith(".class")).toList()) {
                entries.putNextEntry(new JarEntry("ai/onnxruntime/" + each.getFileName()));
                Files.copy(each, entries);
            }
        }
        return jar;
    }

    private static String source(Path folder, String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name + ".java"), text).toString();
    }
}
