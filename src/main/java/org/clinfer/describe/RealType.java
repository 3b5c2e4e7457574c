package org.clinfer.describe;

/** How a number parameter is stored: {@code INT} takes whole numbers only. */
public enum RealType {
    INT,
    FLOAT,
    DOUBLE
}
