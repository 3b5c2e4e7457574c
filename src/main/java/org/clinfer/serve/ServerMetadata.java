package org.clinfer.serve;

import java.util.List;

/**
 * The metadata of a server.
 *
 * @param name {@code clinfer}
 * @param version the product's version
 * @param extensions names of the protocol's extensions that it has
 */
public record ServerMetadata(String name, String version, List<String> extensions) {}
