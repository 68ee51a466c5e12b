package io.longhaul.broker.http;

/**
 * What is answered.
 *
 * @param status code of HTTP
 * @param contentType media type with its charset, which must be UTF-8
 * @param body the text
 */
public record Page(int status, String contentType, String body) {
    static final String TEXT = "text/plain; charset=utf-8";

    /** Returns a page of one line of text. */
    static Page line(int status, String text) {
        return new Page(status, TEXT, text + "\n");
    }
}
