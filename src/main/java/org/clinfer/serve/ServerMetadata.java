package org.clinfer.serve;

import java.util.List;

/**
 * What a server says of itself.
 *
 * @param name {@code clinfer}
 * @param version the product's version
 * @param extensions names of the protocol's extensions that it has
 */
public record ServerMetadata(String name, String version, List<String> extensions) {}
