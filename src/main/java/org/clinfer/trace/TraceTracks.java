package org.clinfer.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tracks of a trace: numbers for processes and threads, each named before it is used first. */
final class TraceTracks {

    /** The process that stands for the host. */
    static final int HOST = 1;

    /** Those that stand for devices follow. */
    private static final int FIRST_DEVICE = 2;

    /** Tracks of one kind on a device: things that overlap, from several queues, are beside one another. */
    enum Kind {
        KERNELS(1),
        TRANSFERS(2);

        private final int first;

        Kind(int first) {
            this.first = first;
        }

        /** The number of one of the tracks of this kind. */
        long number(int lane) {
            return first + (long) lane * values().length;
        }
    }

    /** Names a track. */
    interface Naming {
        void name(String what, int process, long thread, String name);
    }

    private record Lanes(String device, Kind kind) {}

    private final Naming naming;
    private final Map<String, Integer> devices = new HashMap<>();
    private final Map<Lanes, List<Long>> lanes = new HashMap<>();
    private final Map<Long, String> threads = new HashMap<>();

    TraceTracks(Naming naming) {
        this.naming = naming;
        naming.name("process_name", HOST, 0, "host");
    }

    /** The track of a thread of the host. */
    long thread(long id, String name) {
        if (!name.equals(threads.put(id, name))) {
            naming.name("thread_name", HOST, id, name);
        }
        return id;
    }

    /** The process of a device. */
    int device(String name) {
        return devices.computeIfAbsent(name, any -> {
            int process = FIRST_DEVICE + devices.size();
            naming.name("process_name", process, 0, "device " + name);
            return process;
        });
    }

    /** A track of a device that is free in this time, and is not after it. */
    long lane(String device, Kind kind, TraceEvent.Time time) {
        List<Long> ends = lanes.computeIfAbsent(new Lanes(device, kind), any -> new ArrayList<>());
        int lane = 0;
        while (lane < ends.size() && ends.get(lane) > time.startNanos()) {
            lane++;
        }
        if (lane == ends.size()) {
            ends.add(time.endNanos());
            String name = kind.name().toLowerCase(java.util.Locale.ROOT);
            naming.name("thread_name", device(device), kind.number(lane), lane == 0 ? name : name + " " + (lane + 1));
        } else {
            ends.set(lane, time.endNanos());
        }
        return kind.number(lane);
    }
}
