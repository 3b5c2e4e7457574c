/**
 * Clinfer's own model format, read and written: operators as JSON, weights in it or in a safetensors file beside it.
 *
 * <pre>
 * {"name": "net", "ops": [
 *   {"name": "in", "optype": "Input", "tensors_in": [], "tensors_out": [{"arg_name": "y", "name": "x"}],
 *    "params": [{"arg_name": "dtype", "value": "float32"}, {"arg_name": "dims", "value": ["batch", 3]}]},
 *   {"name": "act", "optype": "LeakyRelu", "tensors_in": [{"arg_name": "x", "name": "x"}],
 *    "tensors_out": [{"arg_name": "y", "name": "z"}], "params": [{"arg_name": "alpha", "value": 0.5}]},
 *   {"name": "out", "optype": "Output", "tensors_in": [{"arg_name": "x", "name": "z"}], "tensors_out": [], "params": []}
 * ]}
 * </pre>
 *
 * It is LightNet's intermediate representation with OpLib's operators Input, Output and Const (OpLib 3.21 to 3.23), and an
 * optional name of the graph. Names of arguments are those of the operator's description; what stands in a list of
 * arguments may stand in any order, except that a variadic argument is repeated in its order.
 */
@NullMarked
package org.clinfer.importer.json;

import org.jspecify.annotations.NullMarked;
