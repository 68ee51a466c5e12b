package io.longhaul.gridftp.call;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.longhaul.gridftp.spi.BackendException.Code;
import java.util.List;

/**
 * Answers to JSON and back; {@code docs/protocol/endpoint.md} describes the format. Pure; may be used from any thread.
 */
public final class AnswerCodec {
    private static final String ANSWER = "answer";
    private static final String LOGIN = "login";
    private static final String LASTING = "lasting";
    private static final String DETAILS = "details";

    private AnswerCodec() {}

    /** Returns an answer as JSON. */
    public static String encode(Answer answer) {
        ObjectNode json = Json.object().put("is", answer.type().wireName());
        if (answer instanceof Answer.Working working) {
            json.put("bytes", working.bytes());
        } else if (answer instanceof Answer.Found found) {
            Forms.putEntry(json.putObject("entry"), found.entry());
        } else if (answer instanceof Answer.Listed listed) {
            ArrayNode array = json.putArray("entries");
            listed.entries().forEach(entry -> Forms.putEntry(array.addObject(), entry));
        } else if (answer instanceof Answer.Digits digits) {
            json.put("digits", digits.digits());
        } else if (answer instanceof Answer.Fetched fetched) {
            json.put("content", fetched.content().toString());
            Forms.putEntry(json.putObject("entry"), fetched.entry());
        } else if (answer instanceof Answer.Failed failed) {
            boolean isLogin = failed.code() == Code.NOT_LOGGED_IN;
            boolean isLasting = failed.code() == Code.LASTING;
            // for those who do not know the code: a refusal, and something that a person has to see to
            Code plain = isLogin ? Code.DENIED : isLasting ? Code.NO_SPACE : failed.code();
            json.put("code", Forms.word(plain)).put("message", failed.message());
            if (isLogin) {
                json.put(LOGIN, true);
            }
            if (isLasting) {
                json.put(LASTING, true);
            }
            if (!failed.details().isEmpty()) {
                failed.details().forEach(json.putArray(DETAILS)::add);
            }
        }
        return Json.text(json);
    }

    /** Returns the answer that the JSON says; throws {@link CallException} when it breaks any rule. */
    public static Answer decode(String json) {
        Fields fields = Json.read(ANSWER, json);
        return switch (fields.oneOf("is", Answer.Type.values(), Answer.Type::wireName)) {
            case WORKING -> new Answer.Working(fields.count("bytes"));
            case DONE -> new Answer.Done();
            case FOUND -> new Answer.Found(Forms.entry(entry(fields)));
            case LISTED ->
                new Answer.Listed(
                        fields.objects("entries").stream().map(Forms::entry).toList());
            case DIGITS -> new Answer.Digits(fields.text("digits"));
            case FETCHED -> new Answer.Fetched(fields.id("content"), Forms.entry(entry(fields)));
            case FAILED ->
                new Answer.Failed(
                        code(fields),
                        fields.text("message"),
                        fields.has(DETAILS) ? fields.texts(DETAILS) : List.of());
        };
    }

    private static Code code(Fields fields) {
        Code code = fields.oneOf("code", Code.values(), Forms::word);
        if (fields.has(LOGIN) && fields.flag(LOGIN)) {
            return Code.NOT_LOGGED_IN;
        }
        return fields.has(LASTING) && fields.flag(LASTING) ? Code.LASTING : code;
    }

    private static Fields entry(Fields fields) {
        return fields.object("entry")
                .orElseThrow(() -> new CallException("answer, field 'entry': expected one, found nothing"));
    }
}
