package org.clinfer.cli;

import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.clinfer.opencl.RequiresOpenCl;
import org.junit.jupiter.api.Test;

/** Options, label files and output places that cannot be used. */
final class HostileOptionTest extends HostileInput {

    @Test
    void labels() throws IOException {
        Path model = write(oneByFour("Relu").bytes());
        Object[] run = {"run", model, "--device", "cpu", "--input", "x=random", "--labels"};
        assertRefused(clinfer(with(run, folder.resolve("none.txt"))), "none.txt: no such file");
        assertRefused(clinfer(with(run, folder)), folder.toString());
        Path shorter = Files.writeString(folder.resolve("l.txt"), "cat\ndog\n");
        assertRefused(clinfer(with(run, shorter)), "--labels: the file has 2 lines", "4 elements");
        Path binary = Files.write(folder.resolve("b.txt"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 'a'});
        assertRefused(clinfer(with(run, binary)), "b.txt");
    }

    private static Object[] with(Object[] args, Object last) {
        Object[] all = Arrays.copyOf(args, args.length + 1);
        all[args.length] = last;
        return all;
    }

    @Test
    void outputsThatCannotBeWritten() throws IOException {
        Path model = write(oneByFour("Relu").bytes());
        Path file = Files.writeString(folder.resolve("file"), "");
        Ran ran = clinfer("run", model, "--device", "cpu", "--input", "x=zeros", "-o", file);
        assertRefused(ran, "file");
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", "x=zeros", "-o", "/proc/none/out"), "/proc");
        assertRefused(clinfer("check", model, "--device", "cpu", "-o", "/proc/none/report"), "/proc");
    }

    @Test
    void options() throws IOException {
        Path model = write(oneByFour("Relu").bytes());
        assertRefused(clinfer("run", model, "--frobnicate"), "--frobnicate");
        assertRefused(clinfer("run", model, "--binding", "foo"), "foo");
        assertRefused(clinfer("run", model, "--device", "-1"), "-1");
        assertRefused(clinfer("run", model, "--threads", "0"), "--threads");
        assertRefused(clinfer("run", model, "--threads", "99999999999"), "--threads");
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", "x=zeros", "--top", "-3"), "--top");
    }

    @Test
    @RequiresOpenCl
    void aNumberThatNoDeviceHas() throws IOException {
        Path model = write(oneByFour("Relu").bytes());
        assertRefused(clinfer("run", model, "--device", "99", "--input", "x=zeros"), "there is no OpenCL device 99");
    }
}
