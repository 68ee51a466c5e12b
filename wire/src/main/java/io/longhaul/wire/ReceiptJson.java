package io.longhaul.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** A receipt as JSON, with a proof or without one. */
final class ReceiptJson {
    private static final String PROOF = "proof";

    private ReceiptJson() {}

    /** Writes the members in the order of the record. */
    static final class Writer extends StdSerializer<Receipt> {
        private static final long serialVersionUID = 1L;

        Writer() {
            super(Receipt.class);
        }

        @Override
        public void serialize(Receipt receipt, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeStartObject();
            json.writeStringField("transfer", receipt.transfer().toString());
            json.writeStringField("topic", receipt.topic());
            json.writeStringField("subscription", receipt.subscription());
            json.writeStringField("agent", receipt.agent());
            json.writeStringField("outcome", receipt.outcome().name());
            json.writeNumberField("length", receipt.length());
            json.writeStringField("digest", receipt.digest());
            json.writeStringField("path", receipt.path());
            json.writeNumberField("atMillis", receipt.atMillis());
            json.writeStringField("reason", receipt.reason());
            if (receipt.proof().isPresent()) {
                ReceiptProof proof = receipt.proof().get();
                json.writeObjectFieldStart(PROOF);
                json.writeNumberField("sequence", proof.sequence());
                json.writeStringField("previous", proof.previous());
                json.writeStringField("key", proof.key());
                json.writeStringField("signature", proof.signature());
                json.writeEndObject();
            }
            json.writeEndObject();
        }
    }

    static Receipt read(JsonNode receipt) {
        return new Receipt(
                TransferId.parse(JsonMembers.text(receipt, "transfer")),
                JsonMembers.text(receipt, "topic"),
                JsonMembers.text(receipt, "subscription"),
                JsonMembers.text(receipt, "agent"),
                outcome(JsonMembers.text(receipt, "outcome")),
                JsonMembers.number(receipt, "length"),
                JsonMembers.text(receipt, "digest"),
                JsonMembers.text(receipt, "path"),
                JsonMembers.number(receipt, "atMillis"),
                JsonMembers.text(receipt, "reason"),
                receipt.has(PROOF)
                        ? Optional.of(proof(JsonMembers.object(PROOF, receipt.get(PROOF))))
                        : Optional.empty());
    }

    private static ReceiptProof proof(JsonNode proof) {
        return new ReceiptProof(
                JsonMembers.number(proof, "sequence"),
                JsonMembers.text(proof, "previous"),
                JsonMembers.text(proof, "key"),
                JsonMembers.text(proof, "signature"));
    }

    private static Receipt.Outcome outcome(String name) {
        return Arrays.stream(Receipt.Outcome.values())
                .filter(outcome -> outcome.name().equals(name))
                .findAny()
                .orElseThrow(() -> new WireException("outcome: expected one of "
                        + Arrays.toString(Receipt.Outcome.values()) + ", found " + Names.shown(name)));
    }
}
