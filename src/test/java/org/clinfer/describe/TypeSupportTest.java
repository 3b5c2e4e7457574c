package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.clinfer.describe.TypeSupport.Place;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

/** Where an operator runs, told from its descriptions alone. */
class TypeSupportTest {

    private static final String ROOT = """
            {"ops": [
              {"optype": "Root", "author": "Clinfer", "arch": "none",
               "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE", "dtype": ["floating", "int32", "int64"],
                               "dtype_doc": "too small for a root"}],
               "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}]},
              {"optype": "Root_fast", "author": "Clinfer", "arch": "opencl", "inherits": "Root", "variant": "fast",
               "tensors_in": [{"arg_name": "x", "dtype": "float32"}],
               "checks": [{"check": "x.len >= 32, \\"fewer than 32 elements\\""}],
               "run": [{"kernel": "a.cl#a", "args": {"x": "x", "y": "y"}, "global": ["x.len"]}]},
              {"optype": "Root_ref", "author": "Clinfer", "arch": "opencl", "inherits": "Root", "variant": "ref",
               "tensors_in": [{"arg_name": "x", "dtype": ["float16", "float32", "float64", "int32", "int64"]}],
               "checks": [
                 {"check": "x.dtype != 'int32' || has_extension('cl_khr_fp64'), \\"int32 needs double\\""},
                 {"check": "x.dtype != 'int64', \\"no int64\\""}],
               "run": [{"kernel": "a.cl#a", "args": {"x": "x", "y": "y"}, "global": ["x.len"]}]}
            ]}
            """;

    private static OpCatalog catalog(String json) {
        return OpCatalog.empty().with(Map.of("test.json", json.getBytes(StandardCharsets.UTF_8)));
    }

    private static TypeSupport support(OpCatalog catalog, String optype, boolean cpu) {
        return TypeSupport.of(catalog.find(optype).orElseThrow(), catalog.variants(optype), cpu);
    }

    private final OpCatalog roots = catalog(ROOT);
    private final TypeSupport root = support(roots, "Root", true);

    private void assertCell(DType type, Place place, String reason) {
        assertThat(root.cell(type)).isEqualTo(new TypeSupport.Cell(place, reason));
    }

    @Test
    void everyTypeHasItsPlaceAndReason() {
        assertThat(root.argument()).isEqualTo("x");
        assertCell(DType.FLOAT32, Place.BOTH, "");
        assertCell(DType.FLOAT16, Place.BOTH, "");
        assertCell(DType.FLOAT64, Place.FP64, "kernels that touch float64 need cl_khr_fp64");
        assertCell(DType.INT32, Place.FP64, "int32 needs double");
        assertCell(DType.INT64, Place.CPU, "no int64");
        assertCell(DType.BFLOAT16, Place.CPU, "the kernels take only float16, float32, float64, int32, int64");
        assertCell(DType.INT8, Place.NONE, "too small for a root");
        assertCell(DType.BOOL, Place.NONE, "a bool is not a number");
    }

    @Test
    void eachVariantHasItsTypes() {
        List<VariantDescription> variants = roots.variants("Root");

        assertThat(root.types(variants.get(0))).containsExactly(DType.FLOAT32);
        assertThat(root.types(variants.get(1)))
                .containsExactly(DType.INT32, DType.FLOAT16, DType.FLOAT32, DType.FLOAT64);
    }

    @Test
    void withoutTheCpuOnlyOpenClIsLeft() {
        assertThat(support(roots, "Root", false).cell(DType.FLOAT32).place()).isEqualTo(Place.OPENCL);
        assertThat(support(roots, "Root", false).cell(DType.INT64).place()).isEqualTo(Place.NONE);
        assertThat(support(roots, "Root", false).cell(DType.FLOAT64))
                .isEqualTo(new TypeSupport.Cell(Place.OPENCL, "kernels that touch float64 need cl_khr_fp64"));
    }

    @Test
    void theCpuTakesWhatOneOfTheElementFormsTakes() {
        OpCatalog forms = roots.with(Map.of("forms.json", """
                {"ops": [{"optype": "Root_cpu", "author": "me", "arch": "cpu", "inherits": "Root", "variant": "wide",
                  "tensors_in": [{"arg_name": "x", "dtype": ["float32", "int64"]}],
                  "run": [{"tensor": "y", "value": "sqrt(real(element(x, at)))"}]}]}
                """.getBytes(StandardCharsets.UTF_8)));
        TypeSupport support = TypeSupport.of(
                forms.find("Root").orElseThrow(), forms.variants("Root"), false, forms.elementForms("Root"));

        assertThat(support.cell(DType.FLOAT32).place()).isEqualTo(Place.BOTH);
        assertThat(support.cell(DType.INT64).place()).isEqualTo(Place.CPU);
        assertThat(support.cell(DType.FLOAT16).place()).isEqualTo(Place.OPENCL);
        assertThat(support.cell(DType.BFLOAT16).place()).isEqualTo(Place.NONE);
    }

    @Test
    void theMainTensorIsTheOneThatGivesTheOutputItsType() {
        OpCatalog builtIn = OpCatalog.builtIn();

        assertThat(support(builtIn, "Where", true).argument()).isEqualTo("a");
        assertThat(support(builtIn, "Less", true).argument()).isEqualTo("a");
        assertThat(support(builtIn, "Concat", true).argument()).isEqualTo("x");
        assertThat(support(builtIn, "ConstantOfShape", true).argument()).isEqualTo("y");
        assertThat(support(builtIn, "Range", true).argument()).isEqualTo("start_tensor");
    }

    @Test
    void noTypeIsMissingWithoutAReason() {
        OpCatalog builtIn = OpCatalog.builtIn();
        for (OpDescription op : builtIn.operators()) {
            support(builtIn, op.optype(), true)
                    .cells()
                    .forEach((type, cell) -> assertThat(cell.place() == Place.BOTH || isReason(cell.reason()))
                            .as("%s of %s", op.optype(), type)
                            .isTrue());
        }
    }

    /** A sentence of the description, not the text that stands in where there is none. */
    private static boolean isReason(String reason) {
        return !reason.isEmpty() && !reason.startsWith(TypeSupport.UNDOCUMENTED);
    }
}
