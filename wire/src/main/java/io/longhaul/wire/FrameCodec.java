package io.longhaul.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/**
 * Frames to envelopes and back; {@code docs/protocol/pieces.md} describes the format.
 *
 * <p>A piece travels as its raw bytes with a binary header in a property, a parcel as its raw bytes; every other frame is a
 * JSON object. Pure; may be used from any thread.
 */
public final class FrameCodec {
    /** Property: {@code int}, the protocol version. */
    public static final String VERSION = "lh_version";

    /** Property: {@code String}, {@link FrameType#wireName()}. */
    public static final String TYPE = "lh_type";

    /** Property of frames about one transfer: {@code String}, the transfer id. */
    public static final String TRANSFER = "lh_transfer";

    /** Property of a piece: {@code long}, its index; for filters. */
    public static final String INDEX = "lh_index";

    /** Property of a piece: {@code byte[]}, {@link PieceHeaderCodec}. */
    public static final String PIECE = "lh_piece";

    /** Property of a parcel: {@code String}, the endpoint that sent it. */
    public static final String SENDER = "lh_sender";

    /** Property of every frame but a piece: {@code int}, the CRC-32C of the body; a piece's is in its header. */
    public static final String CRC = "lh_crc";

    /** Property: {@code String}, set by brokers: those that a message has passed, each followed by a slash. */
    public static final String VIA = "lh_via";

    /** The protocol version that this code writes. */
    public static final int CURRENT_VERSION = 1;

    private static final Map<String, FrameType> TYPES = Arrays.stream(FrameType.values())
            .collect(Collectors.toUnmodifiableMap(FrameType::wireName, Function.identity()));

    private static final JsonMapper JSON = json();

    private FrameCodec() {}

    private static JsonMapper json() {
        SimpleModule module = new SimpleModule("longhaul-wire");
        module.addSerializer(TransferId.class, ToStringSerializer.instance);
        module.addDeserializer(TransferId.class, new TransferIdDeserializer());
        module.addSerializer(Receipt.class, new ReceiptJson.Writer());
        GrownFrames.register(module);
        JsonMapper mapper = JsonMapper.builder()
                .addModule(module)
                // A newer peer may say more, but what it says must have one reading.
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
        mapper.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(8)
                        .maxStringLength(Limits.MAX_CONTROL_BYTES)
                        .build());
        return mapper;
    }

    private static final class TransferIdDeserializer extends FromStringDeserializer<TransferId> {
        private static final long serialVersionUID = 1L;

        TransferIdDeserializer() {
            super(TransferId.class);
        }

        @Override
        protected TransferId _deserialize(String value, DeserializationContext context) {
            return TransferId.parse(value);
        }
    }

    /** Returns the frame as properties and body; the body of a piece or a parcel is passed on, not copied. */
    public static Envelope encode(Frame frame) {
        Map<String, Object> properties = new HashMap<>();
        properties.put(VERSION, CURRENT_VERSION);
        properties.put(TYPE, frame.type().wireName());
        transferOf(frame).ifPresent(id -> properties.put(TRANSFER, id.toString()));
        if (frame instanceof Piece piece) {
            properties.put(INDEX, piece.header().index());
            properties.put(PIECE, PieceHeaderCodec.encode(piece.header()));
            return new Envelope(properties, piece.body());
        }
        if (frame instanceof Parcel parcel) {
            properties.put(SENDER, parcel.from());
            properties.put(CRC, crc(parcel.body().duplicate()));
            return new Envelope(properties, parcel.body());
        }
        byte[] json = toJson(frame);
        properties.put(CRC, crc(ByteBuffer.wrap(json)));
        return new Envelope(properties, ByteBuffer.wrap(json));
    }

    private static int crc(ByteBuffer body) {
        CRC32C crc = new CRC32C();
        crc.update(body);
        return (int) crc.getValue();
    }

    /** Returns the frame that the envelope holds; throws {@link WireException} when it breaks any rule. */
    public static Frame decode(Envelope envelope) {
        int version = (int) property(envelope, VERSION, Integer.class);
        if (version != CURRENT_VERSION) {
            throw new WireException("protocol version: expected " + CURRENT_VERSION + ", found " + version);
        }
        String name = property(envelope, TYPE, String.class);
        FrameType type = TYPES.get(name);
        if (type == null) {
            throw new WireException("frame type: expected one of " + TYPES.keySet() + ", found " + Names.shown(name));
        }
        Frame frame = decode(envelope, type);
        String actual = transferOf(frame).map(TransferId::toString).orElse("");
        String claimed = actual.isEmpty() ? "" : property(envelope, TRANSFER, String.class);
        if (!claimed.equals(actual)) {
            throw new WireException("property " + TRANSFER + ": expected " + actual + " as in the " + name + ", found "
                    + Names.shown(claimed));
        }
        return frame;
    }

    private static Frame decode(Envelope envelope, FrameType type) {
        return switch (type) {
            case MANIFEST -> json(envelope, Manifest.class);
            case PIECE -> piece(envelope);
            case SEAL -> json(envelope, Seal.class);
            case CANCEL -> json(envelope, Cancel.class);
            case RECEIPT -> json(envelope, Receipt.class);
            case LEASE_REQUEST -> json(envelope, LeaseRequest.class);
            case LEASE_GRANT -> json(envelope, LeaseGrant.class);
            case REPAIR_QUERY -> json(envelope, RepairQuery.class);
            case REPAIR_OFFER -> json(envelope, RepairOffer.class).after(hops(envelope));
            case REPAIR_REQUEST -> json(envelope, RepairRequest.class);
            case REPAIR_REFUSAL -> json(envelope, RepairRefusal.class);
            case TOPIC_QUERY -> json(envelope, TopicQuery.class);
            case TOPIC_ANSWER -> json(envelope, TopicAnswer.class);
            case NETWORK_QUERY -> json(envelope, NetworkQuery.class);
            case NETWORK_ANSWER -> json(envelope, NetworkAnswer.class);
            case BROKER_REPORT -> json(envelope, BrokerReport.class);
            case RETAINED_QUERY -> json(envelope, RetainedQuery.class);
            case RETAINED_ANSWER -> json(envelope, RetainedAnswer.class);
            case REMOVAL_REQUEST -> json(envelope, RemovalRequest.class);
            case REMOVAL_ANSWER -> json(envelope, RemovalAnswer.class);
            case PARCEL -> parcel(envelope);
        };
    }

    private static Piece piece(Envelope envelope) {
        PieceHeader header = PieceHeaderCodec.decode(property(envelope, PIECE, byte[].class));
        long index = property(envelope, INDEX, Long.class);
        if (index != header.index()) {
            throw new WireException(
                    "property " + INDEX + ": expected " + header.index() + " as in the header, found " + index);
        }
        return new Piece(header, envelope.body());
    }

    private static int hops(Envelope envelope) {
        return envelope.properties().get(VIA) instanceof String via
                ? (int) via.chars().filter(c -> c == '/').count()
                : 0;
    }

    private static Parcel parcel(Envelope envelope) {
        Parcel parcel = new Parcel(property(envelope, SENDER, String.class), envelope.body());
        checkCrc(envelope, "parcel");
        return parcel;
    }

    /** Returns the JSON form of a frame that is no piece, as ledgers keep it. */
    public static byte[] toJson(Frame frame) {
        try {
            return JSON.writeValueAsBytes(frame);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("frame cannot be written: " + frame.type(), e);
        }
    }

    /** Reads what {@link #toJson} wrote; throws {@link WireException} when it breaks any rule. */
    public static <T extends Frame> T fromJson(byte[] json, Class<T> type) {
        return json(ByteBuffer.wrap(json), type);
    }

    private static <T> T json(Envelope envelope, Class<T> type) {
        if (envelope.body().remaining() > Limits.MAX_CONTROL_BYTES) {
            throw new WireException(type.getSimpleName() + ": expected at most " + Limits.MAX_CONTROL_BYTES
                    + " bytes, found " + envelope.body().remaining());
        }
        checkCrc(envelope, type.getSimpleName());
        return json(envelope.body(), type);
    }

    private static void checkCrc(Envelope envelope, String what) {
        int expected = property(envelope, CRC, Integer.class);
        int found = crc(envelope.body().duplicate());
        if (found != expected) {
            throw new WireException(String.format("%s: expected CRC-32C %08x, found %08x", what, expected, found));
        }
    }

    private static <T> T json(ByteBuffer body, Class<T> type) {
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        try {
            // The four letters null are valid JSON, but no frame.
            T value = JSON.readValue(bytes, type);
            if (value == null) {
                throw new WireException(type.getSimpleName() + ": expected a JSON object, found null");
            }
            return value;
        } catch (JsonMappingException e) {
            Throwable cause = e.getCause();
            throw cause instanceof WireException refused
                    ? refused
                    : new WireException(type.getSimpleName() + ": " + e.getOriginalMessage(), e);
        } catch (JsonProcessingException e) {
            throw new WireException(type.getSimpleName() + ": expected JSON, found " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new WireException(type.getSimpleName() + ": unreadable", e);
        }
    }

    private static <T> T property(Envelope envelope, String name, Class<T> type) {
        Object value = envelope.properties().get(name);
        if (!type.isInstance(value)) {
            throw new WireException("property " + name + ": expected " + type.getSimpleName() + ", found "
                    + (value == null ? "none" : value.getClass().getSimpleName()));
        }
        return type.cast(value);
    }

    private static Optional<TransferId> transferOf(Frame frame) {
        return switch (frame.type()) {
            case MANIFEST -> Optional.of(((Manifest) frame).transfer());
            case PIECE -> Optional.of(((Piece) frame).header().transfer());
            case SEAL -> Optional.of(((Seal) frame).transfer());
            case CANCEL -> Optional.of(((Cancel) frame).transfer());
            case RECEIPT -> Optional.of(((Receipt) frame).transfer());
            case LEASE_REQUEST,
                    TOPIC_QUERY,
                    TOPIC_ANSWER,
                    NETWORK_QUERY,
                    NETWORK_ANSWER,
                    BROKER_REPORT,
                    RETAINED_QUERY,
                    RETAINED_ANSWER,
                    REMOVAL_REQUEST,
                    REMOVAL_ANSWER,
                    PARCEL -> Optional.empty();
            case LEASE_GRANT -> Optional.of(((LeaseGrant) frame).transfer());
            case REPAIR_QUERY -> Optional.of(((RepairQuery) frame).transfer());
            case REPAIR_OFFER -> Optional.of(((RepairOffer) frame).transfer());
            case REPAIR_REQUEST -> Optional.of(((RepairRequest) frame).transfer());
            case REPAIR_REFUSAL -> Optional.of(((RepairRefusal) frame).transfer());
        };
    }
}
