package io.longhaul.ptcp.session;

import io.longhaul.ptcp.frame.Secret;
import io.longhaul.ptcp.frame.SessionId;

/**
 * What both ends agreed on in greeting and answer.
 *
 * @param maxStreams most data channels
 * @param packetBytes largest packet
 * @param windowBytes of this end
 * @param peerWindowBytes of the other end
 */
public record SessionTerms(
        SessionId id, Secret secret, int maxStreams, int packetBytes, long windowBytes, long peerWindowBytes) {}
