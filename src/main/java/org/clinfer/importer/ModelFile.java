package org.clinfer.importer;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;

/**
 * Parses a model that is a protobuf message. A file is mapped and its byte fields alias the mapping, so weights reach their tensors with
 * one copy and without passing through the heap.
 */
public final class ModelFile {

    /** Parts of the parser's messages about limits of its own, which mean something to people. */
    private static final List<String> LIMITS = List.of("too large", "levels of nesting");

    private final ModelSource model;
    private final String kind;
    private final SourceRef source;

    /** @param kind what the file should be, for messages: {@code ONNX model} */
    public ModelFile(Path path, String kind) {
        this(ModelSource.of(path), kind);
    }

    /** @param kind what the model should be, for messages */
    public ModelFile(ModelSource model, String kind) {
        this.model = model;
        this.kind = kind;
        this.source = model.ref();
    }

    /**
     * The message that the file is.
     *
     * @throws GraphException if it cannot be read or is no such message
     */
    public <M extends Message> M parse(Parser<M> parser) {
        try {
            CodedInputStream input = UnsafeByteOperations.unsafeWrap(map()).newCodedInput();
            input.enableAliasing(true);
            input.setSizeLimit(Integer.MAX_VALUE);
            M message = parser.parseFrom(input);
            input.checkLastTagWas(0);
            return message;
        } catch (InvalidProtocolBufferException broken) {
            throw new GraphException(source, "not a valid " + kind + ": " + reason(broken), broken);
        } catch (NoSuchFileException missing) {
            throw new GraphException(source, "no such file: " + model, missing);
        } catch (IOException unreadable) {
            throw new GraphException(source, "cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    private static String reason(InvalidProtocolBufferException broken) {
        String message = String.valueOf(broken.getMessage());
        if (message.startsWith("While parsing") && message.contains("ended unexpectedly")) {
            return "it is truncated or damaged";
        }
        return LIMITS.stream().anyMatch(message::contains)
                ? message.lines().findFirst().orElse("damaged")
                : "it is damaged, or a file of another kind";
    }

    private ByteBuffer map() throws IOException {
        if (model.isFolder()) {
            throw new GraphException(source, "not a valid " + kind + ": it is a directory");
        }
        try (ModelSource.Content content = model.content()) {
            if (content.size() == 0) {
                throw new GraphException(source, "not a valid " + kind + ": the file is empty");
            }
            if (content.size() > Integer.MAX_VALUE) {
                throw new GraphException(
                        source,
                        "not a valid " + kind + ": it has " + content.size()
                                + " bytes, but the format ends at 2 GB and keeps larger weights in files of their own");
            }
            return content.whole();
        }
    }
}
