package org.clinfer.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.cli.io.JsonText;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.device.DeviceFacts;
import org.clinfer.opencl.ClLoad;
import org.clinfer.opencl.OpenCl;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.ProfileException;
import org.clinfer.profile.ProfileFinding;
import org.clinfer.profile.ProfileReview;
import org.clinfer.profile.RuleFileReview;
import picocli.CommandLine;

/** Looks through files of profiles and prints what is to be said of them. */
final class ProfileValidation {

    private final ProfileCatalog catalog;
    private final PrintWriter out;
    private final PrintWriter err;

    ProfileValidation(ProfileCatalog catalog, CommandLine command) {
        this.catalog = catalog;
        this.out = command.getOut();
        this.err = command.getErr();
    }

    /** The names of the operators that a profile may list. */
    static Set<String> operators() {
        return OpCatalog.builtIn().operators().stream()
                .map(OpDescription::optype)
                .collect(Collectors.toSet());
    }

    /** The names of tensors, parameters and scratch values of each operator, of which rules may speak. */
    static Map<String, Set<String>> operatorNames() {
        Map<String, Set<String>> byOperator = new HashMap<>();
        for (OpDescription op : OpCatalog.builtIn().operators()) {
            Set<String> names = new HashSet<>(Set.of("output_count"));
            op.inputs().forEach(input -> names.add(input.name()));
            op.params().forEach(param -> names.add(param.name()));
            op.privs().forEach(scratch -> names.add(scratch.name()));
            byOperator.put(op.optype(), names);
        }
        return byOperator;
    }

    /** The exit code for all of them; one that cannot be read does not keep the others from being looked through. */
    int of(List<Path> files, boolean json) {
        int worst = ExitCode.OK;
        List<Map<String, Object>> documents = new ArrayList<>();
        Set<Path> known = new HashSet<>();
        Deque<Path> open = new ArrayDeque<>();
        files.stream().filter(file -> known.add(place(file))).forEach(open::add);
        while (!open.isEmpty()) {
            Path file = open.remove();
            try {
                ProfileReview review = RuleFileReview.isRuleFile(file)
                        ? RuleFileReview.of(file, catalog, operatorNames())
                        : ProfileReview.of(file, catalog, operators(), ProfileValidation::device);
                ownRules(review).filter(rules -> known.add(place(rules))).ifPresent(open::add);
                worst = Math.max(worst, review.isSound() ? ExitCode.OK : ExitCode.NO);
                documents.add(document(review));
                if (!json) {
                    lines(review).forEach(out::println);
                }
            } catch (ProfileException unreadable) {
                CommandFailure failure = CommandFailure.of(unreadable);
                worst = Math.max(worst, failure.exitCode());
                documents.add(Map.of("file", file.toString(), "unreadable", failure.line()));
                err.println("clinfer: " + failure.line());
            }
        }
        if (json) {
            JsonText.of(Map.of("profiles", documents)).lines().forEach(out::println);
        }
        return worst;
    }

    /** The same for all names of a file in one folder. */
    private static Path place(Path file) {
        return file.toAbsolutePath().normalize();
    }

    /** The rules of a profile's family where they are of a folder of one's own; the shipped ones are known to be sound. */
    private static Optional<Path> ownRules(ProfileReview review) {
        return review.kind() != ProfileReview.Kind.PROFILE || review.family().isEmpty()
                ? Optional.empty()
                : ProfileCatalog.ownRules(review.family());
    }

    private static Optional<DeviceFacts> device() {
        return OpenCl.open(Optional.empty()) instanceof ClLoad.Available available
                ? Optional.of(available.openCl().devices().get(0).facts())
                : Optional.empty();
    }

    private static List<String> lines(ProfileReview review) {
        List<String> lines = new ArrayList<>();
        for (ProfileFinding finding : review.findings()) {
            lines.add(review.file() + ":" + finding.line() + ": "
                    + finding.level().label() + ": " + finding.message());
        }
        lines.add(
                review.file() + ": " + subject(review) + ", " + (review.isSound() ? "without errors" : "with errors"));
        return lines;
    }

    private static String subject(ProfileReview review) {
        return switch (review.kind()) {
            case PROFILE ->
                "a profile " + (review.family().isEmpty() ? "of no known family" : "of the family " + review.family());
            case RULES -> "rules of the family " + review.family();
            case VOCABULARY -> "a vocabulary";
        };
    }

    private static Map<String, Object> document(ProfileReview review) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("file", review.file());
        document.put("family", review.family());
        document.put("sound", review.isSound());
        document.put(
                "findings",
                review.findings().stream().map(ProfileValidation::document).toList());
        return document;
    }

    private static Map<String, Object> document(ProfileFinding finding) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("level", finding.level().label());
        document.put("line", finding.line());
        document.put("key", finding.key());
        document.put("message", finding.message());
        return document;
    }
}
