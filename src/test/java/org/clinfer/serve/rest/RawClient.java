package org.clinfer.serve.rest;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** A client of HTTP/1.1 in the thread of its caller, which opens a new connection whenever the server has closed the old one. */
final class RawClient implements AutoCloseable {

    private final Served served;
    private Socket socket;
    private InputStream in;

    /** An answer. */
    record Answered(int status, String content) {}

    RawClient(Served served) throws IOException {
        this.served = served;
        connect();
    }

    private void connect() throws IOException {
        socket = served.socket();
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** One request and its answer. */
    Answered post(String path, byte[] content, List<String> headers) throws IOException {
        StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n");
        for (int i = 0; i < headers.size(); i += 2) {
            head.append(headers.get(i)).append(": ").append(headers.get(i + 1)).append("\r\n");
        }
        head.append("Content-Length: ").append(content.length).append("\r\n\r\n");
        byte[] first = head.toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = new byte[first.length + content.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(content, 0, all, first.length, content.length);
        socket.getOutputStream().write(all);
        return answered();
    }

    private Answered answered() throws IOException {
        int status = Integer.parseInt(line().split(" ", 3)[1]);
        int length = 0;
        boolean closes = false;
        for (String line = line(); !line.isEmpty(); line = line()) {
            String header = line.toLowerCase(Locale.ROOT);
            if (header.startsWith("content-length: ")) {
                length = Integer.parseInt(header.substring("content-length: ".length()));
            }
            closes |= header.equals("connection: close");
        }
        byte[] content = in.readNBytes(length);
        if (closes) {
            close();
            connect();
        }
        return new Answered(status, new String(content, StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection after '" + line + "'");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
