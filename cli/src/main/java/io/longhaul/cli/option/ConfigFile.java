package io.longhaul.cli.option;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.longhaul.broker.users.PlainYaml;
import io.longhaul.broker.users.SmallFile;
import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A YAML file with the options of one command: the keys are the long names without dashes.
 *
 * <p>It becomes arguments that stand before those of the command line; an option that the command line names is left
 * out of the file's, so the command line wins. Lists repeat the option, mappings give {@code key=value} each, and
 * {@code key=a=1,b=2} where the value is a mapping itself; {@code true} sets a flag. Unknown keys are errors. A file of
 * comments says nothing.
 */
public final class ConfigFile {
    /** Options that make no sense inside the file. */
    private static final Set<String> NOT_HERE = Set.of("config", "help");

    private ConfigFile() {}

    /** Returns the file's arguments; throws {@link IllegalArgumentException} that names file, key and what was expected. */
    public static List<String> arguments(Path file, CommandSpec command, List<String> given) {
        List<String> arguments = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : read(file).properties()) {
            OptionSpec option = command.optionsMap().get("--" + field.getKey());
            if (option == null || NOT_HERE.contains(field.getKey())) {
                throw new IllegalArgumentException(file + ": unknown key '" + field.getKey() + "' for "
                        + command.qualifiedName() + NearestKey.hint(field.getKey(), keys(command)));
            }
            if (!isGiven(option, given)) {
                arguments.addAll(ofField(file, field.getKey(), field.getValue(), option));
            }
        }
        return arguments;
    }

    private static JsonNode read(Path file) {
        try {
            JsonNode root = PlainYaml.read(SmallFile.text(file));
            if (root.isObject() || root.isMissingNode()) {
                return root;
            }
            throw new IllegalArgumentException(file + ": expected YAML with one 'key: value' a line");
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    file + ": not valid YAML" + place(e.getLocation()) + ": " + e.getOriginalMessage(), e);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(file + ": no such configuration file", e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + ": expected text in UTF-8, found other bytes", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + ": cannot be read: " + StorageException.reason(e), e);
        }
    }

    private static String place(@Nullable JsonLocation place) {
        return place == null ? "" : " at line " + place.getLineNr() + ", column " + place.getColumnNr();
    }

    private static List<String> keys(CommandSpec command) {
        return command.optionsMap().keySet().stream()
                .filter(name -> name.startsWith("--"))
                .map(name -> name.substring(2))
                .filter(name -> !NOT_HERE.contains(name))
                .toList();
    }

    private static boolean isGiven(OptionSpec option, List<String> given) {
        for (String name : option.names()) {
            if (given.stream().anyMatch(argument -> argument.equals(name) || argument.startsWith(name + "="))) {
                return true;
            }
        }
        return false;
    }

    private static List<String> ofField(Path file, String key, JsonNode value, OptionSpec option) {
        boolean flag = option.arity().max() == 0;
        if (flag && value.isBoolean()) {
            return value.asBoolean() ? List.of("--" + key) : List.of();
        }
        if (value.isBoolean() && option.typeInfo().isBoolean()) {
            return List.of("--" + key + "=" + value.asBoolean());
        }
        List<String> arguments = new ArrayList<>();
        if (!flag && value.isArray() && option.isMultiValue()) {
            value.forEach(item -> arguments.add("--" + key + "=" + scalar(file, key, item)));
        } else if (!flag && value.isObject() && option.isMultiValue()) {
            value.properties()
                    .forEach(e -> arguments.add(
                            "--" + key + "=" + e.getKey() + "=" + part(file, key + "." + e.getKey(), e.getValue())));
        } else if (!flag) {
            if (value.isNull() && option.isMultiValue()) {
                throw new IllegalArgumentException(
                        file + ": key '" + key + "': expected a value or a list of them, found none");
            }
            arguments.add("--" + key + "=" + scalar(file, key, value));
        } else {
            throw new IllegalArgumentException(
                    file + ": key '" + key + "': expected true or false, found " + shown(value));
        }
        return arguments;
    }

    private static String shown(JsonNode value) {
        if (value.isValueNode()) {
            return value.isNull() ? "none" : "'" + value.asText() + "'";
        }
        return (value.isEmpty() ? "an empty " : "a ") + (value.isArray() ? "list" : "mapping");
    }

    /** A mapping in a mapping is one text: {@code key=value,key=value}. */
    private static String part(Path file, String key, JsonNode value) {
        return value.isObject() && !value.isEmpty()
                ? value.properties().stream()
                        .map(e -> e.getKey() + "=" + scalar(file, key + "." + e.getKey(), e.getValue()))
                        .collect(Collectors.joining(","))
                : scalar(file, key, value);
    }

    private static String scalar(Path file, String key, JsonNode value) {
        if (!value.isValueNode() || value.isNull()) {
            throw new IllegalArgumentException(
                    file + ": key '" + key + "': expected a single value, found " + shown(value));
        }
        if (value.isBoolean()) {
            throw new IllegalArgumentException(file + ": key '" + key
                    + "': expected text, found yes or no, true or false; put it in quotes if it is meant");
        }
        return value.asText();
    }
}
