package org.clinfer.judge;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Finding;
import org.clinfer.check.RuleId;
import org.clinfer.check.Verdict;
import org.clinfer.describe.Bindings;
import org.clinfer.describe.OpCatalog;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.profile.ConverterStep;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.FamilyQuantization;
import org.clinfer.profile.Vocabulary;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * The capability reports of a network for devices that are known by their profiles alone. Nodes that are the same use of
 * an operator are judged once.
 */
public final class ProfileCheck {

    private static final NodeReports.Placed ON_DEVICE = new NodeReports.Placed(Verdict.ON_DEVICE, "", List.of());

    private final OpCatalog catalog;
    private final Vocabulary vocabulary;
    private final ProfileOptions options;
    private final List<ProfileJudge> judges;
    private final Function<CheckedNode, Optional<String>> cpu;

    /** The scopes of the judges' families, which are often the same one. */
    private final Map<Optional<FamilyQuantization>, RuleScope> scopes = new HashMap<>();

    /**
     * @param catalog the operators
     * @param vocabulary the words of the rules
     * @param options what else the reports depend on
     * @param judges one for each profile
     * @param cpu why the CPU cannot run a node, or empty if it can
     */
    public ProfileCheck(
            OpCatalog catalog,
            Vocabulary vocabulary,
            ProfileOptions options,
            List<ProfileJudge> judges,
            Function<CheckedNode, Optional<String>> cpu) {
        this.catalog = catalog;
        this.vocabulary = vocabulary;
        this.options = options;
        this.judges = List.copyOf(judges);
        this.cpu = cpu;
        judges.forEach(judge -> scopes.computeIfAbsent(
                judge.profile().rules().quantization(), by -> new RuleScope(vocabulary, options.float32As(), by)));
    }

    private RuleScope scope(ProfileJudge judge) {
        return requireNonNull(scopes.get(judge.profile().rules().quantization()));
    }

    /**
     * {@return the report of each profile on every node, in the order of the judges}
     *
     * @param checked the network
     */
    public List<CheckReport> reports(CheckedGraph checked) {
        Map<Set<ConverterStep>, Conversion> conversions = new HashMap<>();
        RuleScope scope = new RuleScope(vocabulary);
        IdentityHashMap<CheckedNode, List<String>> kinds = new IdentityHashMap<>();
        judges.forEach(judge -> conversions.computeIfAbsent(
                steps(judge),
                steps -> new Conversion(checked, catalog, steps, node -> kinds.computeIfAbsent(node, scope::kinds))));
        QuantizedUses quantized = QuantizedUses.of(checked);
        boolean looksAround = judges.stream()
                .anyMatch(judge -> !judge.totals().isEmpty() || !judge.orders().isEmpty());
        Set<String> constants = looksAround ? constants(checked) : Set.of();
        IdentityHashMap<CheckedNode, List<NodeReports.Placed>> placed =
                placed(checked, conversions.values(), quantized);
        NodeReports all = new NodeReports(checked, catalog);
        ProfileCosts costs = new ProfileCosts(
                checked,
                judges.stream().map(ProfileJudge::profile).toList(),
                vocabulary,
                options.float32As(),
                quantized);
        List<CheckReport> reports = new ArrayList<>();
        for (int i = 0; i < judges.size(); i++) {
            int index = i;
            DeviceProfile profile = judges.get(i).profile();
            Conversion conversion = requireNonNull(conversions.get(steps(judges.get(i))));
            Function<CheckedNode, NodeReports.Placed> byRules = node -> standing(
                    node, conversion, of -> requireNonNull(placed.get(of)).get(index));
            NetworkTotals totals = totals(judges.get(i), checked, conversion, quantized, constants, byRules);
            Function<CheckedNode, NodeReports.Placed> byTotals =
                    node -> withFindings(totals.refused(), node, byRules.apply(node));
            Map<String, List<Finding>> behind = new NodeOrder(
                            judges.get(i), checked, conversion, quantized, constants, scope(judges.get(i)))
                    .refused(byTotals);
            Function<CheckedNode, NodeReports.Placed> own =
                    node -> converted(node, conversion, profile, of -> withFindings(behind, of, byTotals.apply(of)));
            ValuesOnDevice values = ValuesOnDevice.of(profile, options.float32As());
            List<DType> passing = options.float32As().isPresent()
                    ? List.of()
                    : new PassingTypes(judges.get(i), vocabulary, conversion)
                            .of(
                                    checked.nodes(),
                                    node -> converted(node, conversion, profile, byRules)
                                                    .verdict()
                                            != Verdict.ON_DEVICE);
            CheckReport report = all.report(
                    profile.title(),
                    profile.name(),
                    profile.memory(),
                    values,
                    Optional.of(basis(judges.get(i), conversion, values, passing)),
                    node -> belongs(node, quantized, own) ? ON_DEVICE : own.apply(node));
            reports.add(costs.of(report.withFindings(totals.ofNetwork()), profile, conversion));
        }
        return reports;
    }

    /** The limits that all nodes share, of those that the device runs by its other rules. */
    private NetworkTotals totals(
            ProfileJudge judge,
            CheckedGraph checked,
            Conversion conversion,
            QuantizedUses quantized,
            Set<String> constants,
            Function<CheckedNode, NodeReports.Placed> byRules) {
        if (judge.totals().isEmpty()) {
            return new NetworkTotals(judge, List.of(), node -> scope(judge), constant -> false);
        }
        return new NetworkTotals(
                judge,
                checked.nodes().stream()
                        .filter(node -> conversion.part(node).isEmpty()
                                && byRules.apply(node).verdict() == Verdict.ON_DEVICE)
                        .toList(),
                node -> scope(judge).seeing(node, quantized.of(node)),
                constants::contains);
    }

    /** The values that are known before the network runs, whether or not they were computed. */
    private static Set<String> constants(CheckedGraph checked) {
        Set<String> constants = new HashSet<>(checked.constants().keySet());
        for (CheckedNode node : checked.nodes()) {
            if (constants.containsAll(node.node().inputs())) {
                constants.addAll(node.node().outputs());
            }
        }
        return constants;
    }

    /** The decision on a node by rules on it alone, and by those on its place in the network. */
    private NodeReports.Placed withFindings(
            Map<String, List<Finding>> ofNetwork, CheckedNode node, NodeReports.Placed byRules) {
        List<Finding> findings = ofNetwork.getOrDefault(node.node().name(), List.of());
        if (findings.isEmpty()) {
            return byRules;
        }
        NodeReports.Placed placed = isDecided(findings)
                ? refused(node, findings, List.of())
                : new NodeReports.Placed(Verdict.UNKNOWN, "", findings);
        return byRules.converted().map(placed::as).orElse(placed);
    }

    /** Tells whether one of the findings is more than a rule that cannot be decided. */
    private static boolean isDecided(List<Finding> findings) {
        return findings.stream()
                .anyMatch(finding ->
                        finding.broken().map(Finding.BrokenRule::isDecided).orElse(true));
    }

    /** The decisions of the judges on each node, those that converters make included; nodes that rules see alike share them. */
    private IdentityHashMap<CheckedNode, List<NodeReports.Placed>> placed(
            CheckedGraph checked, Collection<Conversion> conversions, QuantizedUses quantized) {
        Map<Object, List<CheckedNode>> distinct = new LinkedHashMap<>();
        Stream.concat(
                        checked.nodes().stream(),
                        conversions.stream().flatMap(conversion -> conversion.others().stream()))
                .forEach(node -> distinct.computeIfAbsent(use(node, quantized), use -> new ArrayList<>())
                        .add(node));
        IdentityHashMap<CheckedNode, List<NodeReports.Placed>> placed = new IdentityHashMap<>();
        distinct.values().parallelStream()
                .map(alike -> Map.entry(alike, placed(alike.get(0), quantized.of(alike.get(0)), checked)))
                .toList()
                .forEach(entry -> entry.getKey().forEach(node -> placed.put(node, entry.getValue())));
        return placed;
    }

    /** Equal for nodes that rules see alike. */
    private static Object use(CheckedNode node, QuantizedUses quantized) {
        return List.of(node.configuration(), quantized.of(node));
    }

    /** Tells whether a node belongs to others, all of which the device runs. */
    private static boolean belongs(
            CheckedNode node, QuantizedUses quantized, Function<CheckedNode, NodeReports.Placed> placed) {
        List<CheckedNode> owners = quantized.owners(node);
        return !owners.isEmpty()
                && owners.stream().allMatch(owner -> placed.apply(owner).verdict() == Verdict.ON_DEVICE);
    }

    private Set<ConverterStep> steps(ProfileJudge judge) {
        return options.asWritten()
                ? Set.of()
                : judge.profile().rules().converts().keySet();
    }

    private CheckReport.Basis basis(
            ProfileJudge judge, Conversion conversion, ValuesOnDevice values, List<DType> passingTypes) {
        return judge.basis(
                options.asWritten(), options.float32As(), values.float32As(), passingTypes, conversion.counts());
    }

    /** A part has the verdict of the node that it is part of. */
    private static NodeReports.Placed converted(
            CheckedNode node,
            Conversion conversion,
            DeviceProfile profile,
            Function<CheckedNode, NodeReports.Placed> placed) {
        Optional<Conversion.Part> part = conversion.part(node);
        if (part.isEmpty()) {
            return placed.apply(node);
        }
        NodeReports.Placed whole = converted(part.get().into(), conversion, profile, placed);
        ConverterStep step = part.get().step();
        String into = part.get().into().node().name();
        Finding follows = new Finding(
                new RuleId(profile.rules().family() + "/converts/" + step.word()),
                step.deed() + " '" + into + "', which is " + whole.verdict().label());
        return new NodeReports.Placed(
                whole.verdict(),
                "",
                whole.verdict() == Verdict.ON_DEVICE ? List.of() : List.of(follows),
                Optional.of(new CheckReport.Converted(step, into)));
    }

    /** A node that stands as others has the worst of their verdicts. */
    private static NodeReports.Placed standing(
            CheckedNode node, Conversion conversion, Function<CheckedNode, NodeReports.Placed> placed) {
        Conversion.Standing standing = conversion.standing(node);
        NodeReports.Placed worst = standing.nodes().stream()
                .map(placed)
                .max(Comparator.comparing(NodeReports.Placed::verdict))
                .orElseThrow();
        return standing.step()
                .map(step -> worst.as(new CheckReport.Converted(step, "")))
                .orElse(worst);
    }

    /** @param type the type that its numbers of float32 stand for, if they do */
    private List<NodeReports.Placed> placed(CheckedNode node, Optional<DType> type, CheckedGraph checked) {
        IdentityHashMap<RuleScope, Vocabulary.Use> uses = new IdentityHashMap<>();
        IdentityHashMap<RuleScope, PassingSearch> searches = new IdentityHashMap<>();
        Bindings variations = new Bindings();
        List<NodeReports.Placed> placed = new ArrayList<>();
        for (ProfileJudge judge : judges) {
            RuleScope ruleScope = scope(judge);
            Vocabulary.Use use = uses.computeIfAbsent(
                    ruleScope, scope -> scope.seeing(node, type).of(node));
            List<Finding> findings = judge.judge(use);
            if (!isDecided(findings)) {
                Verdict verdict = findings.isEmpty() ? Verdict.ON_DEVICE : Verdict.UNKNOWN;
                placed.add(new NodeReports.Placed(verdict, "", findings));
                continue;
            }
            if (!options.passing() || (!judge.isListed(use) && use.isOfOneKind())) {
                placed.add(refused(node, findings, List.of()));
                continue;
            }
            PassingSearch search = searches.computeIfAbsent(
                    ruleScope,
                    scope -> new PassingSearch(
                            catalog, scope.seeing(node, type), node, use, checked.constants(), variations));
            placed.add(refused(node, findings, search.of(judge, judge.broken(use))));
        }
        return placed;
    }

    private NodeReports.Placed refused(CheckedNode node, List<Finding> findings, List<Finding.PassingValue> passing) {
        List<Finding> all = new ArrayList<>();
        findings.forEach(finding -> all.add(with(finding, passing)));
        Optional<String> refusal = refusal(node);
        refusal.ifPresent(
                reason -> all.add(new Finding(new RuleId("cpu/" + node.node().op()), reason)));
        return new NodeReports.Placed(refusal.isPresent() ? Verdict.UNSUPPORTED : Verdict.FALLS_BACK, "", all);
    }

    /** The finding with further changes that would do; of a rule of a device profile alone. */
    private static Finding with(Finding finding, List<Finding.PassingValue> further) {
        return new Finding(
                finding.rule(),
                finding.message(),
                finding.broken()
                        .map(of -> new Finding.BrokenRule(
                                of.isDecided(),
                                of.expression(),
                                of.workings(),
                                of.actual(),
                                of.limit(),
                                of.margin(),
                                of.unit(),
                                of.places(),
                                of.source(),
                                of.evidence(),
                                of.reading(),
                                Stream.concat(of.passing().stream(), further.stream())
                                        .toList())));
    }

    private Optional<String> refusal(CheckedNode node) {
        Optional<String> refusal = Optional.empty();
        for (CheckedNode form = node; form != null; form = form.lowered()) {
            boolean known = form.outputTypes().stream().map(TensorType::shape).allMatch(shape -> shape.isKnown());
            refusal = known ? cpu.apply(form) : Optional.empty();
            if (refusal.isEmpty()) {
                return refusal;
            }
        }
        return refusal;
    }
}
