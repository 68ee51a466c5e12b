package io.longhaul.it.testbed;

import io.longhaul.cli.CommandHere;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a command said that ran to its end in the test's own process, where only its answer matters.
 *
 * @param output the lines of its standard output
 * @param errors the lines of its standard error
 */
public record Answer(List<OutputLine> output, List<OutputLine> errors) {
    /** Runs a command, which must end with the exit code given. */
    static Answer of(int exitCode, Map<String, String> variables, List<String> arguments) {
        CommandHere.Ended ended = CommandHere.run(variables, arguments);
        Answer answer = new Answer(lines(ended.output()), lines(ended.errors()));
        if (ended.code() != exitCode) {
            throw new AssertionError(
                    arguments + ": exit code " + ended.code() + ", expected " + exitCode + '\n' + answer.story());
        }
        return answer;
    }

    private static List<OutputLine> lines(List<String> texts) {
        return texts.stream()
                .map(text -> new OutputLine(System.nanoTime(), text))
                .toList();
    }

    /** Returns the lines of one event. */
    public List<OutputLine> events(String event) {
        return output.stream().filter(line -> line.isOf(event)).toList();
    }

    /** Returns everything that it printed. */
    public String story() {
        List<String> texts = new ArrayList<>();
        output.forEach(line -> texts.add(line.text()));
        errors.forEach(line -> texts.add(line.text()));
        return String.join("\n", texts);
    }
}
