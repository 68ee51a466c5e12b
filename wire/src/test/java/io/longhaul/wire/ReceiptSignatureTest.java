package io.longhaul.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ReceiptSignatureTest {
    private static final String RFC_8032_SECRET = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
    private static final String RFC_8032_KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

    /** A change to one field that somebody might make. */
    enum Change {
        TRANSFER(r -> with(r, "transfer", "0199a1b2c3d4e5f60718293a4b5c6d7f")),
        TOPIC(r -> with(r, "topic", "climate.dailx")),
        SUBSCRIPTION(r -> with(r, "subscription", "archivf")),
        AGENT(r -> with(r, "agent", "site-c")),
        OUTCOME(r -> with(r, "outcome", "KEPT")),
        LENGTH(r -> replaced(r, "\"length\":5000000000", "\"length\":5000000001")),
        DIGEST(r -> with(r, "digest", "ca7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")),
        PATH(r -> with(r, "path", "2026/rain.nd")),
        TIME(r -> replaced(r, "\"atMillis\":1700000009000", "\"atMillis\":1700000009001")),
        REASON(r -> with(r, "reason", "x")),
        SEQUENCE(r -> replaced(r, "\"sequence\":7", "\"sequence\":8")),
        PREVIOUS(r -> with(r, "previous", ReceiptSignature.NO_PREVIOUS)),
        KEY(r -> with(r, "key", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511b"));

        final UnaryOperator<Receipt> made;

        Change(UnaryOperator<Receipt> made) {
            this.made = made;
        }
    }

    private static Receipt with(Receipt receipt, String member, String value) {
        String json = json(receipt);
        return parsed(json.replaceFirst("\"" + member + "\":\"[^\"]*\"", "\"" + member + "\":\"" + value + "\""));
    }

    private static Receipt replaced(Receipt receipt, String found, String instead) {
        assertThat(json(receipt)).contains(found);
        return parsed(json(receipt).replace(found, instead));
    }

    private static String json(Receipt receipt) {
        return new String(FrameCodec.toJson(receipt), StandardCharsets.UTF_8);
    }

    private static Receipt parsed(String json) {
        return FrameCodec.fromJson(json.getBytes(StandardCharsets.UTF_8), Receipt.class);
    }

    private static KeyPair rfcKeys() throws GeneralSecurityException {
        KeyFactory factory = KeyFactory.getInstance("Ed25519");
        HexFormat hex = HexFormat.of();
        return new KeyPair(
                factory.generatePublic(new X509EncodedKeySpec(hex.parseHex("302a300506032b6570032100" + RFC_8032_KEY))),
                factory.generatePrivate(
                        new PKCS8EncodedKeySpec(hex.parseHex("302e020100300506032b657004220420" + RFC_8032_SECRET))));
    }

    @Test
    void shouldSignAsAnotherProgramDoes() throws GeneralSecurityException {
        // when
        Receipt signed = ReceiptSignature.sign(Frames.receipt(), 7, Frames.DIGEST_OF_ABC, rfcKeys());

        // then
        assertThat(signed).isEqualTo(Frames.signedReceipt());
        assertThat(ReceiptSignature.holds(signed)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Change.class)
    void shouldNotHoldWhenAFieldIsChanged(Change change) {
        // given
        Receipt sound = Frames.signedReceipt();

        // when
        Receipt changed = change.made.apply(sound);

        // then
        assertThat(changed).isNotEqualTo(sound);
        assertThat(ReceiptSignature.holds(changed)).isFalse();
        assertThat(ReceiptSignature.hash(changed)).isNotEqualTo(ReceiptSignature.hash(sound));
    }

    @Test
    void shouldNotHoldWhenAnyBitOfTheSignatureIsFlipped() {
        // given
        ReceiptProof sound = Frames.signedReceipt().proof().orElseThrow();
        byte[] signature = HexFormat.of().parseHex(sound.signature());

        for (int bit = 0; bit < signature.length * 8; bit++) {
            byte[] flipped = signature.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);

            // when
            Receipt changed = Frames.receipt()
                    .withProof(new ReceiptProof(
                            sound.sequence(),
                            sound.previous(),
                            sound.key(),
                            HexFormat.of().formatHex(flipped)));

            // then
            assertThat(ReceiptSignature.holds(changed)).as("bit " + bit).isFalse();
        }
    }

    @Test
    void shouldNotHoldWhenThereIsNoSignatureOrTheKeyIsNone() {
        // given
        String noPoint = "02" + "0".repeat(62);
        ReceiptProof strange = new ReceiptProof(1, ReceiptSignature.NO_PREVIOUS, noPoint, "f".repeat(128));

        // when, then
        assertThat(ReceiptSignature.holds(Frames.receipt())).isFalse();
        assertThat(ReceiptSignature.holds(Frames.receipt().withProof(strange))).isFalse();
        assertThatThrownBy(() -> ReceiptSignature.hash(Frames.receipt())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldEncodeNoTwoReceiptsAlikeWhenTextMovesBetweenFields() {
        // given
        Set<String> encodings = new HashSet<>();

        // when
        for (int cut = 1; cut < 6; cut++) {
            Receipt receipt = new Receipt(
                    Frames.TRANSFER,
                    "abcdef".substring(0, cut),
                    "abcdef".substring(cut),
                    "a",
                    Receipt.Outcome.FAILED,
                    0,
                    "",
                    "",
                    0,
                    "",
                    Optional.empty());
            encodings.add(HexFormat.of()
                    .formatHex(ReceiptEncoding.encode(receipt, 1, ReceiptSignature.NO_PREVIOUS, RFC_8032_KEY)));
        }

        // then
        assertThat(encodings).hasSize(5);
    }

    @Test
    void shouldCallAKeyByTheStartOfItsHash() throws GeneralSecurityException {
        assertThat(ReceiptSignature.keyOf(rfcKeys().getPublic())).isEqualTo(RFC_8032_KEY);
        assertThat(ReceiptSignature.fingerprint(RFC_8032_KEY)).isEqualTo("21fe31dfa154a261");
    }

    @Test
    void shouldRefuseAKeyOfAnotherKind() throws GeneralSecurityException {
        // given
        KeyPair other = KeyPairGenerator.getInstance("X25519").generateKeyPair();

        // when, then
        assertThatThrownBy(() -> ReceiptSignature.keyOf(other.getPublic()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected one of Ed25519");
    }

    @Test
    void shouldReadAnUnsignedReceiptWhenItsAgentDoesNotSign() {
        assertThat(parsed(json(Frames.receipt())).proof()).isEmpty();
        assertThat(json(Frames.receipt())).doesNotContain("proof");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"sequence\":7 | \"sequence\":0",
                "\"sequence\":7 | \"sequence\":\"7\"",
                "\"sequence\":7 | \"sequence\":7.5",
                "\"sequence\":7 | \"sequence\":99999999999999999999",
                "\"sequence\":7 | \"sequence\":null",
                "\"sequence\":7 | \"other\":7",
                "\"sequence\":7 | \"sequence\":7,\"sequence\":7",
                "\"key\":\"d7 | \"key\":\"D7",
                "\"key\":\"d7 | \"key\":\"",
                "\"signature\":\"6d | \"signature\":\"6d6d",
                "\"proof\":{ | \"proof\":null,\"x\":{",
                "\"proof\":{ | \"proof\":[],\"x\":{",
                "\"proof\":{ | \"proof\":7,\"x\":{",
            })
    void shouldRefuseWhenAProofIsBroken(String found, String instead) {
        // given
        String json = json(Frames.signedReceipt());
        assertThat(json).contains(found);

        // when, then
        assertThatThrownBy(() -> parsed(json.replace(found, instead))).isInstanceOf(WireException.class);
    }
}
