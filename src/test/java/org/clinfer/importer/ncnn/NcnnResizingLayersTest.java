package org.clinfer.importer.ncnn;

import static org.clinfer.importer.ncnn.NcnnNet.same;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resizing, by factors, to sizes, and to the size of another blob. */
class NcnnResizingLayersTest {

    @TempDir
    Path folder;

    @Test
    void resizing() throws IOException {
        float[] x = {0, 4, 8};
        same(NcnnNet.of(3, 1, 1).layer("Interp", "0=1 1=1.0 2=2.0").run(folder, x, 1, 1, 1, 3), 0, 0, 4, 4, 8, 8);
        same(NcnnNet.of(3, 1, 1).layer("Interp", "0=2 1=1.0 2=2.0").run(folder, x, 1, 1, 1, 3), 0, 1, 3, 5, 7, 8);
        // one and a half times three are four columns, three quarters of a column apart
        same(NcnnNet.of(3, 1, 1).layer("Interp", "0=2 1=1.0 2=1.5").run(folder, x, 1, 1, 1, 3), 0, 2.5, 5.5, 8);
        same(NcnnNet.of(3, 1, 1).layer("Interp", "0=2 3=1 4=5 6=1").run(folder, x, 1, 1, 1, 3), 0, 2, 4, 6, 8);
        same(NcnnNet.of(2).layer("Interp", "0=2 3=1 4=2").run(folder, new float[] {1, 2}, 1, 2), 1, 1, 2, 2);
        NcnnNet like = NcnnNet.of(3, 1, 1)
                .line("Split s 1 2 x a b")
                .line("Padding p 1 1 b c 3=3")
                .line("Interp i 2 1 a c y 0=1 5=1");
        same(like.run(folder, x, 1, 1, 1, 3), 0, 0, 4, 4, 8, 8);
    }
}
