package org.clinfer.serve;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * The address at which a protocol's server listens, and whom it serves.
 *
 * @param host name or address to listen at; {@code localhost} serves this machine alone
 * @param port from 0 to 65535; 0: any that is free
 * @param maxRequestBytes the size of a request at most, in bytes
 * @param token what a client has to send; empty: anybody is served
 * @param tls the server's identity; empty: without TLS
 */
public record ListenOptions(
        String host, int port, long maxRequestBytes, Optional<AccessToken> token, Optional<TlsIdentity> tls) {

    public ListenOptions {
        if (port < 0 || port > 0xFFFF) {
            throw new IllegalArgumentException("a port is from 0 to 65535, but is " + port);
        }
        if (maxRequestBytes < 1) {
            throw new IllegalArgumentException("the size of a request must be at least 1, but is " + maxRequestBytes);
        }
    }

    /** {@return true if others than this machine can connect} */
    public boolean isOpenToOthers() {
        try {
            return !InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return true;
        }
    }
}
