package org.clinfer.cli.bench;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * ONNX Runtime on the CPU, with all its optimisations. It is no part of Clinfer: its Java library is loaded from a jar
 * when a comparison asks for it, and called by name.
 */
public final class OnnxRuntime implements AutoCloseable {

    /** Its name in reports. */
    public static final String NAME = "ONNX Runtime";

    private static final String PACKAGE = "ai.onnxruntime.";
    private static final String SESSION = PACKAGE + "OrtSession";
    private static final String OPTIONS = SESSION + "$SessionOptions";
    private static final String LEVEL = PACKAGE + "OrtLoggingLevel";
    private static final String QUIET = "ORT_LOGGING_LEVEL_ERROR";

    private final Reflected library;
    private final Object environment;
    private final Object level;
    private final Object options;
    private final int threads;

    private OnnxRuntime(Reflected library, Object environment, Object level, int threads) {
        this.library = library;
        this.environment = environment;
        this.level = level;
        this.threads = threads;
        this.options = options("ALL_OPT");
    }

    /**
     * Loads the library.
     *
     * @param threads for one operator
     * @throws PeerException if it is not in the jar, or does not start
     */
    public static OnnxRuntime open(Path jar, int threads) {
        // Never closed: the library has a shutdown hook, whose classes must still be there at the end.
        URLClassLoader loader = new URLClassLoader("onnxruntime", new URL[] {url(jar)}, null);
        Reflected library = new Reflected(NAME + " in " + jar, loader);
        Object level = library.constant(LEVEL, QUIET);
        Object environment = library.callStatic(
                PACKAGE + "OrtEnvironment", "getEnvironment", new Class<?>[] {library.type(LEVEL)}, level);
        return new OnnxRuntime(library, environment, level, threads);
    }

    private Object options(String optimisations) {
        Object made = library.create(OPTIONS);
        Class<?> optimisation = library.type(OPTIONS + "$OptLevel");
        library.call(
                made,
                "setOptimizationLevel",
                new Class<?>[] {optimisation},
                library.constant(OPTIONS + "$OptLevel", optimisations));
        library.call(made, "setIntraOpNumThreads", new Class<?>[] {int.class}, threads);
        library.call(made, "setSessionLogLevel", new Class<?>[] {library.type(LEVEL)}, level);
        return made;
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (IOException unnameable) {
            throw new PeerException(jar + " is no name of a jar", unnameable);
        }
    }

    public String version() {
        return (String) library.call(environment, "getVersion");
    }

    /**
     * A session on a model.
     *
     * @param inputs what every run gets; they stay the caller's
     */
    public Contender load(Path model, Map<String, Tensor> inputs) {
        return load(model, inputs, options);
    }

    /**
     * A session without optimisations, node by node.
     *
     * @param inputs what every run gets; they stay the caller's
     */
    Contender loadPlain(Path model, Map<String, Tensor> inputs) {
        Object plain = options("NO_OPT");
        try {
            return load(model, inputs, plain);
        } finally {
            library.close(plain);
        }
    }

    private Contender load(Path model, Map<String, Tensor> inputs, Object how) {
        Object session = library.call(
                environment,
                "createSession",
                new Class<?>[] {String.class, library.type(OPTIONS)},
                model.toString(),
                how);
        Map<String, Object> values = new LinkedHashMap<>();
        Running running = new Running(session, values);
        try {
            inputs.forEach((name, tensor) -> values.put(name, value(tensor)));
        } catch (RuntimeException e) {
            running.close();
            throw e;
        }
        return running;
    }

    private Object value(Tensor tensor) {
        String javaType = PACKAGE + "OnnxJavaType";
        Class<?>[] parameters = {
            library.type(PACKAGE + "OrtEnvironment"), ByteBuffer.class, long[].class, library.type(javaType)
        };
        Object type = library.constant(javaType, name(tensor.dtype()));
        return library.callStatic(
                PACKAGE + "OnnxTensor",
                "createTensor",
                parameters,
                environment,
                tensor.bytes().order(ByteOrder.nativeOrder()),
                tensor.shape().sizes(),
                type);
    }

    private static String name(DType type) {
        return switch (type) {
            case FLOAT32 -> "FLOAT";
            case FLOAT64 -> "DOUBLE";
            default -> type.name();
        };
    }

    private static DType type(String name) {
        return switch (name) {
            case "FLOAT" -> DType.FLOAT32;
            case "DOUBLE" -> DType.FLOAT64;
            default -> DType.valueOf(name);
        };
    }

    @Override
    public void close() {
        library.close(options);
    }

    private final class Running implements Contender {

        private final Object session;
        private final Map<String, Object> inputs;

        Running(Object session, Map<String, Object> inputs) {
            this.session = session;
            this.inputs = inputs;
        }

        private Object result() {
            return library.call(session, "run", new Class<?>[] {Map.class}, inputs);
        }

        @Override
        public void run() {
            library.close(result());
        }

        @Override
        public Map<String, Tensor> outputs() {
            Object result = result();
            try {
                Map<String, Tensor> outputs = new LinkedHashMap<>();
                for (Object each : (Iterable<?>) result) {
                    Map.Entry<?, ?> output = (Map.Entry<?, ?>) each;
                    outputs.put((String) output.getKey(), tensor(output.getValue()));
                }
                return outputs;
            } finally {
                library.close(result);
            }
        }

        private Tensor tensor(Object value) {
            Object info = library.call(value, "getInfo");
            DType type = type(String.valueOf(library.field(info, "type")));
            Tensor tensor = Tensor.allocate(TensorType.of(type, (long[]) library.call(info, "getShape")));
            if (tensor.elements() > 0) {
                tensor.bytes().put((ByteBuffer) library.call(value, "getByteBuffer"));
            }
            return tensor;
        }

        @Override
        public void close() {
            List<Object> all = new ArrayList<>(inputs.values());
            all.add(session);
            all.forEach(library::close);
        }
    }
}
