package org.clinfer.describe;

/** The type in which a number parameter is stored: {@code INT} takes whole numbers only. */
public enum RealType {
    INT,
    FLOAT,
    DOUBLE
}
