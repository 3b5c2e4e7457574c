package org.clinfer.benchdnn;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Chooses problems to compute: some of every stratum and some of every list, always the same ones. */
final class Selection {

    /** Multiply-adds of one image at most. */
    static final long MAX_MULTIPLY_ADDS = 1L << 29;

    /** Multiply-adds at most of a problem that is alone in its list. */
    static final long MAX_MULTIPLY_ADDS_ALONE = 1L << 32;

    /** Elements of one tensor at most. */
    static final long MAX_ELEMENTS = 1L << 24;

    private static final int PER_STRATUM = 8;
    private static final int PER_REVERSED_STRATUM = 3;
    private static final int PER_LIST = 6;

    /** Of two images, where both together cost less than this. */
    private static final long CHEAP_MULTIPLY_ADDS = 1L << 24;

    /** Problems that are the same computation, and all lists they stand in. */
    private record Candidate(Problem problem, Set<String> lists) {}

    private final Map<String, Problem> chosen = new LinkedHashMap<>();

    private Selection() {}

    /** The chosen problems with one or two images each. */
    static List<Problem> of(List<Problem> problems) {
        Selection selection = new Selection();
        List<Candidate> candidates = candidates(problems);
        selection.choose(candidates, candidate -> Set.of(Stratum.of(candidate.problem())), PER_STRATUM);
        selection.choose(candidates, Candidate::lists, PER_LIST);
        List<Problem> reversed = problems.stream()
                .filter(problem -> !problem.transposed())
                .map(Problem::reversed)
                .toList();
        selection.choose(
                candidates(reversed), candidate -> Set.of(Stratum.of(candidate.problem())), PER_REVERSED_STRATUM);
        return List.copyOf(selection.chosen.values());
    }

    /** What is small enough, without repetitions, in an order that mixes sizes and lists. */
    private static List<Candidate> candidates(List<Problem> problems) {
        Map<String, Candidate> candidates = new TreeMap<>();
        Map<String, Long> inList =
                problems.stream().collect(Collectors.groupingBy(Problem::driverAndList, Collectors.counting()));
        for (Problem problem : problems) {
            Problem small = problem.withBatch(1);
            boolean alone = inList.getOrDefault(problem.driverAndList(), 0L) == 1;
            if (isSmall(small, alone ? MAX_MULTIPLY_ADDS_ALONE : MAX_MULTIPLY_ADDS)) {
                candidates
                        .computeIfAbsent(small.geometry(), key -> new Candidate(small, new TreeSet<>()))
                        .lists()
                        .add(problem.driverAndList());
            }
        }
        return candidates.values().stream()
                .sorted(Comparator.comparing(
                        candidate -> candidate.problem().geometry().hashCode() * 0x9E3779B9))
                .toList();
    }

    private static boolean isSmall(Problem problem, long multiplyAdds) {
        return problem.inputElements() <= MAX_ELEMENTS
                && problem.weightElements() <= MAX_ELEMENTS
                && problem.outputElements() <= MAX_ELEMENTS
                && problem.multiplyAdds() <= multiplyAdds;
    }

    /** Fills up every class to a number of chosen problems, where it has so many. */
    private void choose(List<Candidate> candidates, Function<Candidate, Set<?>> classes, int number) {
        Map<Object, Integer> counts = new HashMap<>();
        List<Candidate> others = new ArrayList<>();
        for (Candidate candidate : candidates) {
            if (chosen.containsKey(candidate.problem().geometry())) {
                classes.apply(candidate).forEach(key -> counts.merge(key, 1, Integer::sum));
            } else {
                others.add(candidate);
            }
        }
        for (Candidate candidate : others) {
            Set<?> keys = classes.apply(candidate);
            if (keys.stream().anyMatch(key -> counts.getOrDefault(key, 0) < number)) {
                keys.forEach(key -> counts.merge(key, 1, Integer::sum));
                chosen.put(candidate.problem().geometry(), withImages(candidate.problem()));
            }
        }
    }

    private static Problem withImages(Problem problem) {
        return problem.multiplyAdds() * 2 <= CHEAP_MULTIPLY_ADDS ? problem.withBatch(2) : problem;
    }
}
