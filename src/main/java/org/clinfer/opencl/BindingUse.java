package org.clinfer.opencl;

/**
 * The binding that is in use.
 *
 * @param name as it is asked for
 * @param reason why this one; empty for the default
 */
public record BindingUse(String name, String reason) {}
