package org.clinfer.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckReport.NodeReport;

/**
 * One report, with what tells it from the others of the same document.
 *
 * @param model the model's name; with its file where two models have the same name
 * @param file path of the model file, or its name alone; empty where not known
 * @param report what was found
 */
record Subject(String model, String file, CheckReport report) {

    /** The names that exporters give to every network. */
    private static final Set<String> OF_NO_NETWORK =
            Set.of("main_graph", "main", "graph", "model", "torch_jit", "torch-jit-export", "tf2onnx", "mlmodel");

    static List<Subject> of(List<CheckReport> reports, ReportOptions options) {
        List<String> files =
                reports.stream().map(report -> file(report, options)).toList();
        Map<String, Set<String>> byName = new HashMap<>();
        for (int i = 0; i < files.size(); i++) {
            byName.computeIfAbsent(reports.get(i).model(), name -> new HashSet<>())
                    .add(files.get(i));
        }
        List<Subject> subjects = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            CheckReport report = reports.get(i);
            boolean isUnique = byName.getOrDefault(report.model(), Set.of()).size() == 1;
            subjects.add(new Subject(name(report.model(), files.get(i), isUnique), files.get(i), report));
        }
        return subjects;
    }

    private static String name(String model, String file, boolean isUnique) {
        if (!file.isEmpty() && (model.isEmpty() || OF_NO_NETWORK.contains(model))) {
            return file;
        }
        if (model.isEmpty()) {
            return "model";
        }
        return isUnique ? model : model + " (" + file + ")";
    }

    private static String file(CheckReport report, ReportOptions options) {
        String given = options.file().apply(report);
        return given.isEmpty() && !report.nodes().isEmpty()
                ? report.nodes().get(0).source().file()
                : given;
    }

    List<NodeReport> nodes() {
        return report.nodes();
    }

    /** The profile's short name, or the device's where there is no profile. */
    String column() {
        return report.profile().isEmpty() ? report.device() : report.profile();
    }

    /** The device for people, with the profile's name where that says more. */
    String device() {
        boolean same = report.profile().isEmpty() || report.profile().equalsIgnoreCase(report.device());
        return same ? report.device() : report.device() + " (" + report.profile() + ")";
    }

    /** The model with the name of its file, where it does not say that itself. */
    String name() {
        String name = file.substring(file.lastIndexOf('/') + 1);
        return model.contains(name) ? model : model + " (" + name + ")";
    }

    /** As {@code fcn (fcn.onnx) on Ascend310}. */
    String title() {
        return name() + " on " + device();
    }
}
