package io.longhaul.gridftp.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.spi.WriteRequest;
import java.time.Duration;
import java.util.Optional;

/**
 * Calls to JSON and back; {@code docs/protocol/endpoint.md} describes the format. Pure; may be used from any thread.
 */
public final class CallCodec {
    private static final String CALL = "call";

    private CallCodec() {}

    /**
     * A call as it came.
     *
     * @param age how long before it was sent its first copy was
     */
    public record Sent(Call call, Duration age) {}

    /** Returns a call as JSON. */
    public static String encode(Call call) {
        return encode(call, Duration.ZERO);
    }

    /**
     * Returns a call as JSON.
     *
     * @param age how long ago it was sent first under the same number; counts in milliseconds
     */
    public static String encode(Call call, Duration age) {
        ObjectNode json = Json.object()
                .put("do", call.type().wireName())
                .put("user", call.user().name())
                .put("anonymous", call.user().isAnonymous());
        if (!age.isZero()) {
            json.put("age", age.toMillis());
        }
        put(json, call);
        return Json.text(json);
    }

    private static void put(ObjectNode json, Call call) {
        if (call instanceof Call.Stat stat) {
            json.put("path", stat.path().toString());
        } else if (call instanceof Call.ListDirectory list) {
            json.put("path", list.path().toString());
        } else if (call instanceof Call.MakeDirectory make) {
            json.put("path", make.path().toString());
        } else if (call instanceof Call.RemoveDirectory remove) {
            json.put("path", remove.path().toString());
        } else if (call instanceof Call.DeleteFile delete) {
            json.put("path", delete.path().toString());
        } else if (call instanceof Call.Rename rename) {
            json.put("path", rename.path().toString()).put("to", rename.to().toString());
        } else if (call instanceof Call.SetModified set) {
            json.put("path", set.path().toString()).put("time", set.time().toString());
        } else if (call instanceof Call.SetMode set) {
            json.put("path", set.path().toString()).put("mode", set.mode());
        } else if (call instanceof Call.Checksum checksum) {
            json.put("path", checksum.path().toString()).put("algorithm", Forms.word(checksum.algorithm()));
            Forms.putRange(json, checksum.range());
        } else if (call instanceof Call.Fetch fetch) {
            json.put("path", fetch.path().toString());
            Forms.putRanges(json, "ranges", fetch.ranges());
        } else if (call instanceof Call.Deliver deliver) {
            putDeliver(json, deliver);
        }
    }

    private static void putDeliver(ObjectNode json, Call.Deliver deliver) {
        WriteRequest request = deliver.request();
        json.put("content", deliver.content().toString())
                .put("path", request.path().toString())
                .put("kind", Forms.word(request.kind()))
                .put("expected", request.expectedBytes())
                .put("end", Forms.word(deliver.end()))
                .put("attempt", deliver.attempt());
        if (request.kind() == WriteRequest.Kind.OVERLAY) {
            // of the other kinds the rest says it
            request.origin().ifPresent(origin -> json.put("origin", origin));
        }
        Forms.putRanges(json, "present", request.present());
        request.checksum()
                .ifPresent(checksum -> json.putObject("checksum")
                        .put("algorithm", Forms.word(checksum.algorithm()))
                        .put("digits", checksum.digits()));
        deliver.seal()
                .ifPresent(seal ->
                        json.putObject("seal").put("length", seal.length()).put("checksum", seal.checksum()));
    }

    /** Returns what the JSON says; throws {@link CallException} when it breaks any rule. */
    public static Sent decode(String json) {
        Fields fields = Json.read(CALL, json);
        return new Sent(call(fields), fields.has("age") ? Duration.ofMillis(fields.count("age")) : Duration.ZERO);
    }

    private static Call call(Fields fields) {
        Principal user = new Principal(fields.text("user"), fields.flag("anonymous"));
        return switch (fields.oneOf("do", Call.Type.values(), Call.Type::wireName)) {
            case STAT -> new Call.Stat(user, fields.path("path"));
            case LIST_DIRECTORY -> new Call.ListDirectory(user, fields.path("path"));
            case MAKE_DIRECTORY -> new Call.MakeDirectory(user, fields.path("path"));
            case REMOVE_DIRECTORY -> new Call.RemoveDirectory(user, fields.path("path"));
            case DELETE_FILE -> new Call.DeleteFile(user, fields.path("path"));
            case RENAME -> new Call.Rename(user, fields.path("path"), fields.path("to"));
            case SET_MODIFIED -> new Call.SetModified(user, fields.path("path"), fields.time("time"));
            case SET_MODE -> new Call.SetMode(user, fields.path("path"), fields.small("mode"));
            case CHECKSUM -> new Call.Checksum(user, fields.path("path"), algorithm(fields), Forms.range(fields));
            case DELIVER -> deliver(user, fields);
            case FETCH -> new Call.Fetch(user, fields.path("path"), Forms.ranges(fields, "ranges"));
        };
    }

    private static ChecksumAlgorithm algorithm(Fields fields) {
        return fields.oneOf("algorithm", ChecksumAlgorithm.values(), Forms::word);
    }

    private static Call deliver(Principal user, Fields fields) {
        WriteRequest request = new WriteRequest(
                fields.path("path"),
                fields.oneOf("kind", WriteRequest.Kind.values(), Forms::word),
                fields.count("expected"),
                Forms.ranges(fields, "present"),
                fields.object("checksum")
                        .map(inner -> new WriteRequest.Checksum(algorithm(inner), inner.text("digits"))));
        Optional<Call.Seal> seal =
                fields.object("seal").map(inner -> new Call.Seal(inner.count("length"), inner.small("checksum")));
        Call.Deliver.End end = fields.oneOf("end", Call.Deliver.End.values(), Forms::word);
        if (end == Call.Deliver.End.COMMIT && seal.isEmpty()) {
            throw new CallException("call, field 'seal': expected one with a commit, found nothing");
        }
        long attempt = fields.has("attempt") ? fields.number("attempt") : 0;
        WriteRequest placed = fields.has("origin") ? request.from(fields.count("origin")) : request;
        return new Call.Deliver(user, fields.id("content"), placed, seal, end, attempt);
    }
}
