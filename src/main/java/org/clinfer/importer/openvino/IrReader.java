package org.clinfer.importer.openvino;

import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.openvino.OpenVinoLayer.Port;
import org.clinfer.importer.openvino.OpenVinoLayer.PortRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** Reads a definition: layers with their ports, and the edges between these. */
final class IrReader {

    private static final int MOST_DEPTH = 64;
    private static final int MOST_LAYERS = 200_000;
    private static final int MOST_PORTS = 10_000;
    private static final int MOST_AXES = 64;
    private static final int LONGEST_NUMBER = 20;
    private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final Set<String> VERSIONS = Set.of("10", "11");
    private static final Pattern RANGE = Pattern.compile("([0-9]{0,18})\\.\\.([0-9]{0,18})");

    /** The network of a definition: its name and its layers. */
    record Network(String name, List<OpenVinoLayer> layers) {}

    private final XMLStreamReader xml;
    private final String file;
    private Section section = new Section();
    private int count;
    private int depth;

    /** The layers and edges of a network, or of one that a layer of it runs. */
    private static final class Section {
        private final List<Draft> drafts = new ArrayList<>();
        private final Map<String, Draft> byId = new HashMap<>();
        private final Map<PortRef, PortRef> edges = new HashMap<>();

        private List<OpenVinoLayer> joined() {
            return drafts.stream().map(this::joined).toList();
        }

        private OpenVinoLayer joined(Draft draft) {
            List<PortRef> inputs = new ArrayList<>();
            for (String port : draft.inputs) {
                PortRef from = edges.get(new PortRef(draft.id, port));
                if (from == null) {
                    throw new GraphException(draft.source, "no edge leads to its port " + Printable.shortened(port));
                }
                Draft giver = byId.get(from.layer());
                if (giver == null || !giver.given.contains(from.port())) {
                    throw new GraphException(
                            draft.source,
                            "its port " + Printable.shortened(port) + " gets port " + Printable.shortened(from.port())
                                    + " of layer " + Printable.shortened(from.layer()) + ", which does not exist");
                }
                inputs.add(from);
            }
            return new OpenVinoLayer(
                    draft.id,
                    draft.name,
                    draft.type,
                    draft.opset,
                    draft.attributes,
                    inputs,
                    draft.inputs,
                    draft.outputs,
                    draft.bodies(),
                    draft.source);
        }
    }

    /** A layer before its edges are known. */
    private static final class Draft {
        private final SourceRef source;
        private final String id;
        private final String name;
        private final String type;
        private final String opset;
        private final Map<String, String> attributes = new LinkedHashMap<>();
        private final List<String> inputs = new ArrayList<>();
        private final List<Port> outputs = new ArrayList<>();
        private final Set<String> ports = new HashSet<>();
        private final Set<String> given = new HashSet<>();
        private final Map<String, IrBodyReader> bodies = new LinkedHashMap<>();

        private Draft(String id, String name, String type, String opset, SourceRef source) {
            this.id = id;
            this.name = name;
            this.type = type;
            this.opset = opset;
            this.source = source;
        }

        /** The body whose elements have this in front of their names. */
        private IrBodyReader body(String prefix) {
            return bodies.computeIfAbsent(prefix, none -> new IrBodyReader(source));
        }

        private Map<String, OpenVinoBody> bodies() {
            Map<String, OpenVinoBody> all = new LinkedHashMap<>();
            bodies.forEach((prefix, body) -> all.put(prefix, body.body()));
            return all;
        }
    }

    private IrReader(XMLStreamReader xml, String file) {
        this.xml = xml;
        this.file = file;
    }

    /**
     * The network, in the order of the file.
     *
     * @param text in UTF-8, with or without a mark in front that says so
     * @param file the file's name, for messages
     * @throws GraphException if the text is no definition
     */
    static Network read(byte[] text, String file) {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        try {
            return new IrReader(factory.createXMLStreamReader(characters(text)), file).network();
        } catch (XMLStreamException broken) {
            if (broken.getNestedException() instanceof CharacterCodingException) {
                throw new GraphException(new SourceRef(file, ""), "it is not in UTF-8", broken);
            }
            String reason = String.valueOf(broken.getMessage()).lines().reduce("", (first, last) -> last);
            throw new GraphException(
                    new SourceRef(file, "line " + broken.getLocation().getLineNumber()),
                    "it is no XML: " + Printable.shortened(reason.replaceFirst("^Message: ", "")),
                    broken);
        }
    }

    /** The text as characters: a parser that reads bytes itself prints those that are wrong. */
    private static Reader characters(byte[] text) {
        boolean isMarked = text.length >= MARK.length && Arrays.equals(text, 0, MARK.length, MARK, 0, MARK.length);
        int from = isMarked ? MARK.length : 0;
        return new InputStreamReader(
                new ByteArrayInputStream(text, from, text.length - from), StandardCharsets.UTF_8.newDecoder());
    }

    private Network network() throws XMLStreamException {
        if (!element() || !xml.getLocalName().equals("net")) {
            throw wrong("the root is no <net>");
        }
        String name = attribute("name", "network");
        String version = attribute("version", "");
        if (!VERSIONS.contains(version)) {
            String feature = "IR version '" + Printable.shortened(version) + "'";
            throw new UnsupportedException(
                    new SourceRef(file, ""), feature, feature + " is not supported; 10 and 11 are");
        }
        boolean layers = false;
        while (element()) {
            switch (xml.getLocalName()) {
                case "layers" -> {
                    layers = true;
                    layers();
                }
                case "edges" -> edges();
                case "meta_data", "rt_info", "cli_parameters", "quantization_parameters" -> skip();
                default -> throw unsupported("<" + Printable.shortened(xml.getLocalName()) + "> in a network");
            }
        }
        while (xml.hasNext()) {
            xml.next();
        }
        if (!layers) {
            throw wrong("it has no <layers>");
        }
        return new Network(name, section.joined());
    }

    private void layers() throws XMLStreamException {
        while (element()) {
            require("layer");
            layer();
        }
    }

    /** The layers of a network that a layer runs. */
    private List<OpenVinoLayer> body() throws XMLStreamException {
        Section outer = section;
        section = new Section();
        while (element()) {
            switch (xml.getLocalName()) {
                case "layers" -> layers();
                case "edges" -> edges();
                case "meta_data", "rt_info" -> skip();
                default -> throw unsupported("<" + Printable.shortened(xml.getLocalName()) + "> in a network");
            }
        }
        List<OpenVinoLayer> layers = section.joined();
        section = outer;
        return layers;
    }

    /** Goes to the next element inside this one, or to the end of this one. */
    private boolean element() throws XMLStreamException {
        while (xml.hasNext()) {
            switch (xml.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    if (++depth > MOST_DEPTH) {
                        throw wrong("elements in more than " + MOST_DEPTH + " others");
                    }
                    return true;
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    depth--;
                    return false;
                }
                case XMLStreamConstants.CHARACTERS -> {
                    if (!xml.isWhiteSpace()) {
                        throw wrong("expected an element, found '" + Printable.shortened(xml.getText()) + "'");
                    }
                }
                case XMLStreamConstants.DTD -> throw wrong("it has a document type, which no definition has");
                case XMLStreamConstants.ENTITY_REFERENCE -> throw wrong("it has an entity of its own");
                default -> {}
            }
        }
        return false;
    }

    private void skip() throws XMLStreamException {
        int outside = depth - 1;
        while (depth > outside && xml.hasNext()) {
            int event = xml.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                if (++depth > MOST_DEPTH) {
                    throw wrong("elements in more than " + MOST_DEPTH + " others");
                }
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                depth--;
            }
        }
    }

    private void require(String name) {
        if (!xml.getLocalName().equals(name)) {
            throw wrong("expected <" + name + ">, found <" + Printable.shortened(xml.getLocalName()) + ">");
        }
    }

    private String attribute(String name, String otherwise) {
        String value = xml.getAttributeValue(null, name);
        return value == null ? otherwise : value;
    }

    private String attribute(String name) {
        String value = attribute(name, "");
        if (value.isEmpty()) {
            throw wrong("<" + xml.getLocalName() + "> has no '" + name + "'");
        }
        return value;
    }

    private SourceRef here() {
        return new SourceRef(file, "line " + xml.getLocation().getLineNumber());
    }

    private GraphException wrong(String message) {
        return new GraphException(here(), message);
    }

    private UnsupportedException unsupported(String feature) {
        return new UnsupportedException(here(), feature, feature + " is not supported");
    }

    private void layer() throws XMLStreamException {
        String id = attribute("id");
        String type = attribute("type");
        String name = attribute("name", type + "_" + id);
        SourceRef source = new SourceRef(
                file,
                "layer " + Printable.shortened(id) + " '" + Printable.shortened(name) + "' ("
                        + Printable.shortened(type) + ")");
        Draft draft = new Draft(id, name, type, attribute("version", "opset1"), source);
        if (section.byId.put(id, draft) != null) {
            throw new GraphException(source, "there is a layer of this id before it");
        }
        section.drafts.add(draft);
        if (++count > MOST_LAYERS) {
            throw wrong("it has more than " + MOST_LAYERS + " layers");
        }
        boolean data = false;
        while (element()) {
            switch (xml.getLocalName()) {
                case "data" -> {
                    if (data) {
                        throw new GraphException(source, "it has two <data>");
                    }
                    data = true;
                    for (int i = 0; i < xml.getAttributeCount(); i++) {
                        draft.attributes.put(xml.getAttributeLocalName(i), xml.getAttributeValue(i));
                    }
                    skip();
                }
                case "input" -> ports(draft, false);
                case "output" -> ports(draft, true);
                case "rt_info" -> skip();
                case "body", "then_body", "else_body" ->
                    draft.body(prefix("body")).add(body());
                case "port_map", "then_port_map", "else_port_map" -> mapped(draft.body(prefix("port_map")));
                case "back_edges" -> backEdges(draft.body(""));
                default -> {
                    draft.attributes.put("<" + xml.getLocalName() + ">", "");
                    skip();
                }
            }
        }
    }

    /** The part of this element's name in front of another name. */
    private String prefix(String of) {
        String name = xml.getLocalName();
        return name.substring(0, name.length() - of.length());
    }

    private void mapped(IrBodyReader body) throws XMLStreamException {
        while (element()) {
            body.map(xml.getLocalName(), this::attribute);
            skip();
        }
    }

    private void backEdges(IrBodyReader body) throws XMLStreamException {
        while (element()) {
            require("edge");
            body.backEdge(attribute("from-layer"), attribute("to-layer"));
            skip();
        }
    }

    private void ports(Draft draft, boolean output) throws XMLStreamException {
        while (element()) {
            require("port");
            String id = attribute("id");
            if (!draft.ports.add(id)) {
                throw new GraphException(draft.source, "it has two ports " + Printable.shortened(id));
            }
            if (draft.ports.size() > MOST_PORTS) {
                throw new GraphException(draft.source, "it has more than " + MOST_PORTS + " ports");
            }
            String precision = attribute("precision", "");
            String tensor = attribute("names", "");
            Shape shape = shape(draft);
            if (output) {
                draft.outputs.add(new Port(id, precision, shape, firstOf(tensor)));
                draft.given.add(id);
            } else {
                draft.inputs.add(id);
            }
        }
    }

    /** Names stand one after another, with commas between them; a comma of a name has a backslash in front. */
    private static String firstOf(String names) {
        return names.split("(?<!\\\\),", 2)[0].replace("\\,", ",");
    }

    private Shape shape(Draft draft) throws XMLStreamException {
        List<Dim> dims = new ArrayList<>();
        while (element()) {
            if (xml.getLocalName().equals("rt_info")) {
                skip();
                continue;
            }
            require("dim");
            String text = xml.getElementText();
            depth--;
            dims.add(dim(text, draft.source));
        }
        return shape(dims, draft.source);
    }

    /** A shape that sizes can be computed of. */
    static Shape shape(List<Dim> dims, SourceRef source) {
        Shape shape = new Shape(dims);
        if (dims.size() > MOST_AXES || !new TensorType(DType.FLOAT64, shape).fits()) {
            throw new GraphException(source, "its shape " + Printable.shortened(shape.toString()) + " is too large");
        }
        return shape;
    }

    /** A size; {@code -1}, {@code ?} and ranges leave it open. */
    static Dim dim(String text, SourceRef source) {
        String size = text.strip();
        if (size.equals("?") || size.equals("-1")) {
            return Dim.unknown();
        }
        Matcher range = RANGE.matcher(size);
        if (range.matches()) {
            return range.group(1).equals(range.group(2)) && !range.group(1).isEmpty()
                    ? Dim.of(Long.parseLong(range.group(1)))
                    : Dim.unknown();
        }
        if (size.isEmpty()
                || size.length() >= LONGEST_NUMBER - 1
                || !size.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new GraphException(source, "expected a size, found '" + Printable.shortened(text) + "'");
        }
        return Dim.of(Long.parseLong(size));
    }

    private void edges() throws XMLStreamException {
        while (element()) {
            require("edge");
            PortRef from = new PortRef(attribute("from-layer"), attribute("from-port"));
            PortRef to = new PortRef(attribute("to-layer"), attribute("to-port"));
            if (section.edges.put(to, from) != null) {
                throw wrong("port " + Printable.shortened(to.port()) + " of layer " + Printable.shortened(to.layer())
                        + " has two edges");
            }
            skip();
        }
    }
}
