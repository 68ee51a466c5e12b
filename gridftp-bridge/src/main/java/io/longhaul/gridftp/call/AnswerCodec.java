package io.longhaul.gridftp.call;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers to JSON and back; {@code docs/protocol/endpoint.md} describes the format. Pure; may be used from any thread.
 */
public final class AnswerCodec {
    private static final String ANSWER = "answer";
    private static final String ENTRY = "entry";
    private static final String ENTRIES = "entries";
    private static final String LOGIN = "login";
    private static final String LASTING = "lasting";
    private static final String DETAILS = "details";

    private AnswerCodec() {}

    /** Returns an answer as JSON. */
    public static String encode(Answer answer) {
        return Json.text(out -> {
            out.writeStartObject();
            out.writeStringField("is", answer.type().wireName());
            write(out, answer);
            out.writeEndObject();
        });
    }

    private static void write(JsonGenerator out, Answer answer) throws IOException {
        if (answer instanceof Answer.Working working) {
            out.writeNumberField("bytes", working.bytes());
        } else if (answer instanceof Answer.Found found) {
            write(out, found.entry());
        } else if (answer instanceof Answer.Listed listed) {
            if (listed.self().isPresent()) {
                write(out, listed.self().get());
            }
            out.writeArrayFieldStart(ENTRIES);
            for (Entry entry : listed.entries()) {
                EntryCodec.write(out, entry);
            }
            out.writeEndArray();
        } else if (answer instanceof Answer.Digits digits) {
            out.writeStringField("digits", digits.digits());
        } else if (answer instanceof Answer.Fetched fetched) {
            out.writeStringField("content", fetched.content().toString());
            write(out, fetched.entry());
        } else if (answer instanceof Answer.Failed failed) {
            write(out, failed);
        }
    }

    private static void write(JsonGenerator out, Entry entry) throws IOException {
        out.writeFieldName(ENTRY);
        EntryCodec.write(out, entry);
    }

    private static void write(JsonGenerator out, Answer.Failed failed) throws IOException {
        boolean isLogin = failed.code() == Code.NOT_LOGGED_IN;
        boolean isLasting = failed.code() == Code.LASTING;
        // for those who do not know the code: a refusal, and something that a person has to see to
        Code plain = isLogin ? Code.DENIED : isLasting ? Code.NO_SPACE : failed.code();
        out.writeStringField("code", Forms.word(plain));
        out.writeStringField("message", failed.message());
        if (isLogin) {
            out.writeBooleanField(LOGIN, true);
        }
        if (isLasting) {
            out.writeBooleanField(LASTING, true);
        }
        if (!failed.details().isEmpty()) {
            out.writeArrayFieldStart(DETAILS);
            for (String line : failed.details()) {
                out.writeString(line);
            }
            out.writeEndArray();
        }
    }

    /** Returns the answer that the JSON says; throws {@link CallException} when it breaks any rule. */
    public static Answer decode(String json) {
        return Json.read(ANSWER, json, AnswerCodec::read);
    }

    private static Answer read(JsonParser in) throws IOException {
        ObjectNode others = Json.object();
        Optional<Entry> entry = Optional.empty();
        Optional<List<Entry>> entries = Optional.empty();
        for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
            in.nextToken();
            if (others.has(field)
                    || field.equals(ENTRY) && entry.isPresent()
                    || field.equals(ENTRIES) && entries.isPresent()) {
                throw new CallException("answer, field '" + field + "': expected once, found twice");
            }
            switch (field) {
                case ENTRY -> entry = Optional.of(EntryCodec.read(in));
                case ENTRIES -> entries = Optional.of(entries(in));
                default -> others.set(field, Json.value(in));
            }
        }
        return answer(new Fields(ANSWER, others), entry, entries);
    }

    private static List<Entry> entries(JsonParser in) throws IOException {
        Json.expect(in, ANSWER, "a list of entries", JsonToken.START_ARRAY);
        List<Entry> entries = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            entries.add(EntryCodec.read(in));
        }
        return entries;
    }

    private static Answer answer(Fields fields, Optional<Entry> entry, Optional<List<Entry>> entries) {
        return switch (fields.oneOf("is", Answer.Type.values(), Answer.Type::wireName)) {
            case WORKING -> new Answer.Working(fields.count("bytes"));
            case DONE -> new Answer.Done();
            case FOUND -> new Answer.Found(there(ENTRY, entry));
            case LISTED -> new Answer.Listed(entry, there(ENTRIES, entries));
            case DIGITS -> new Answer.Digits(fields.text("digits"));
            case FETCHED -> new Answer.Fetched(fields.id("content"), there(ENTRY, entry));
            case FAILED ->
                new Answer.Failed(
                        code(fields), fields.text("message"), fields.has(DETAILS) ? fields.texts(DETAILS) : List.of());
        };
    }

    private static <T> T there(String field, Optional<T> value) {
        return value.orElseThrow(() -> new CallException("answer, field '" + field + "': expected one, found nothing"));
    }

    private static Code code(Fields fields) {
        Code code = fields.oneOf("code", Code.values(), Forms::word);
        if (fields.has(LOGIN) && fields.flag(LOGIN)) {
            return Code.NOT_LOGGED_IN;
        }
        return fields.has(LASTING) && fields.flag(LASTING) ? Code.LASTING : code;
    }
}
