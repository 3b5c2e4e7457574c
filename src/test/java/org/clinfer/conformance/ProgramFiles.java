package org.clinfer.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.clinfer.kernel.KernelArgument;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.KernelSources;

/**
 * Programs of kernel launches, for compilers without a device. In a folder, each source once as {@code NUMBER.cl}, and
 * {@code programs.tsv} with a line for each set of options and kernel: number, kernel file, options, kernel, the devices
 * with commas between, how often it is launched, and of the launch with the most local memory the work-items of a group
 * (0 where the driver chooses) and the bytes.
 */
public final class ProgramFiles {

    private record Key(String file, String options, String entry) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return toString().compareTo(other.toString());
        }
    }

    /** The launches of one kernel of a program. */
    private static final class Uses {
        private final Set<String> devices = new TreeSet<>();
        private long launches;
        private long items;
        private long localBytes = -1;

        void add(String device, KernelLaunch launch) {
            devices.add(device);
            launches++;
            long bytes = launch.arguments().values().stream()
                    .mapToLong(argument -> argument instanceof KernelArgument.Local local ? local.bytes() : 0)
                    .sum();
            long group = launch.local().isEmpty()
                    ? 0
                    : launch.local().stream().mapToLong(Long::longValue).reduce(1, Math::multiplyExact);
            if (bytes > localBytes || (bytes == localBytes && group > items)) {
                localBytes = bytes;
                items = group;
            }
        }
    }

    private final KernelSources sources;
    private final Map<Key, Uses> programs = new TreeMap<>();

    /** None yet. */
    public ProgramFiles(KernelSources sources) {
        this.sources = sources;
    }

    /** Adds a launch on a device. */
    public void add(String device, KernelLaunch launch) {
        programs.computeIfAbsent(new Key(launch.file(), launch.options(), launch.entry()), key -> new Uses())
                .add(device, launch);
    }

    /** Writes them into a folder, which is made where it is not there. */
    public void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Map<String, Integer> numbers = new TreeMap<>();
        List<String> lines = new ArrayList<>();
        for (Map.Entry<Key, Uses> program : programs.entrySet()) {
            Key key = program.getKey();
            Uses uses = program.getValue();
            Integer known = numbers.get(key.file());
            int number = known == null ? numbers.size() : known;
            if (known == null) {
                numbers.put(key.file(), number);
                Files.writeString(folder.resolve(number + ".cl"), sources.text(key.file()));
            }
            lines.add(String.join(
                    "\t",
                    String.valueOf(number),
                    key.file(),
                    key.options(),
                    key.entry(),
                    String.join(",", uses.devices),
                    String.valueOf(uses.launches),
                    String.valueOf(uses.items),
                    String.valueOf(uses.localBytes)));
        }
        Files.write(folder.resolve("programs.tsv"), lines, StandardCharsets.UTF_8);
        System.out.println(lines.size() + " kernels of " + numbers.size() + " files");
    }
}
