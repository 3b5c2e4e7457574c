package org.clinfer.profile;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.FieldUses;
import org.clinfer.expr.Scope;
import org.clinfer.tensor.DType;

/** The keys that profiles of a family have, as {@code Section.key}: those its rules look at, and those of its profiles. */
final class FamilyKeys {

    private final RuleSet family;
    private final List<DeviceProfile> profiles;
    private final Map<String, Set<String>> rules = new LinkedHashMap<>();
    private final Set<String> memory;
    private final Set<String> cost = new TreeSet<>();
    private final FieldUses uses = new FieldUses();
    private final Set<String> known;

    /**
     * @param reviewed the profile that is looked at
     * @param profiles those of its family that come with Clinfer
     */
    FamilyKeys(DeviceProfile reviewed, List<DeviceProfile> profiles) {
        this.family = reviewed.rules();
        this.profiles = profiles;
        Set<String> sections = new TreeSet<>(reviewed.sections());
        profiles.forEach(profile -> sections.addAll(profile.sections()));
        known = new TreeSet<>();
        for (ProfileRule rule : family.rules()) {
            known.addAll(rule.keys(sections));
            rule.addUses(uses);
            if (!isIdle(rule, reviewed)) {
                for (String key : rule.keys(sections)) {
                    rules.computeIfAbsent(key, none -> new LinkedHashSet<>())
                            .add(rule.kinds().get(0) + "/" + rule.id());
                }
            }
        }
        memory = family.memory().map(Expr::fields).orElse(Set.of());
        known.addAll(memory);
        family.cost().ifPresent(model -> {
            cost.addAll(model.keys(sections));
            model.addUses(uses);
        });
        known.addAll(cost);
        profiles.forEach(profile -> known.addAll(profile.figures().keySet()));
        if (!family.detect().isEmpty()) {
            known.add(family.detect());
        }
    }

    /** Tells whether a rule holds on this device for every use of an operator. */
    private static boolean isIdle(ProfileRule rule, DeviceProfile profile) {
        Map<String, ExpressionValue> nothing = new HashMap<>();
        rule.reads().forEach(name -> nothing.put(name, ExpressionValue.unknown()));
        return rule.holds(profile.over(Scope.of(nothing)));
    }

    RuleSet family() {
        return family;
    }

    /** The rules for which each key matters on the device, in the order of the file. */
    Map<String, Set<String>> rules() {
        return rules;
    }

    /** The keys of which the memory of the device is computed. */
    Set<String> memory() {
        return memory;
    }

    /** The keys of which the time of nodes is computed. */
    Set<String> cost() {
        return cost;
    }

    /** Tells whether rules compare or count with the value of a key as a number. */
    boolean isNumber(String key) {
        return uses.isNumber(key) || memory.contains(key);
    }

    /** Tells whether rules compare the value of a key with data types. */
    boolean isDataType(String key) {
        return uses.isDataType(key);
    }

    /** The words that rules look for as the value of a key, and those that profiles of the family have; empty where no rule does. */
    Set<String> words(String key) {
        Set<String> words = new TreeSet<>(uses.words(key));
        if (uses.isDataType(key)) {
            Arrays.stream(DType.values()).map(DType::label).forEach(words::add);
        }
        if (!words.isEmpty()) {
            values(key).forEach(value -> texts(value).forEach(words::add));
        }
        return words;
    }

    /** The texts that a value is or has in its list. */
    static List<String> texts(ExpressionValue value) {
        if (value instanceof ExpressionValue.ListOf list) {
            return list.elements().stream()
                    .flatMap(element -> texts(element).stream())
                    .toList();
        }
        return value instanceof ExpressionValue.Text text ? List.of(text.value()) : List.of();
    }

    /** Tells whether the family has the key. */
    boolean has(String key) {
        return known.contains(key);
    }

    /** The sections that the family has. */
    Set<String> sections() {
        return known.stream().map(FamilyKeys::section).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The keys of one section, without it. */
    Set<String> in(String section) {
        return known.stream()
                .filter(key -> section(key).equals(section))
                .map(key -> key.substring(section.length() + 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static String section(String key) {
        return key.substring(0, key.indexOf('.'));
    }

    /** The values of the shipped profiles for a key, without those that do not state it. */
    List<ExpressionValue> values(String key) {
        return profiles.stream()
                .flatMap(profile -> profile.figure(key).stream())
                .map(DeviceProfile.Figure::value)
                .filter(value -> !value.isEmpty())
                .map(DeviceProfile::value)
                .toList();
    }

    /** Tells whether it is judged what a profile has for this key; the others are the vendor's own business. */
    boolean isOurs(String key) {
        return !family.hasVendorFiles() || rules.containsKey(key) || memory.contains(key) || cost.contains(key);
    }

    /** A few names, and how many more. */
    static String some(Collection<String> names) {
        int most = 5;
        String first = names.stream().limit(most).collect(Collectors.joining(", "));
        return names.size() <= most ? first : first + " and " + (names.size() - most) + " more";
    }
}
