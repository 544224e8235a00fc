import { assertEquals, describe, it } from "#test";
import {
  boundedMessage,
  escapeControls,
  messageText,
  pathForMessage,
  quotedText,
  shorten,
} from "../../src/errors/message_text.ts";

describe("external text in a message", () => {
  const texts: readonly (readonly [string, string, string])[] = [
    ["a plain name", "order-item", "order-item"],
    ["letters of any script", "größe 数量 עברית 😀", "größe 数量 עברית 😀"],
    ["terminal escapes", "\x1b[31mred\x9b0m", "\\u001b[31mred\\u009b0m"],
    ["line breaks and tabs", "a\r\nb\tc", "a\\u000d\\u000ab\\u0009c"],
    ["a null character and DEL", "a\0b\x7f", "a\\u0000b\\u007f"],
    ["line and paragraph separators", "a\u2028b\u2029", "a\\u2028b\\u2029"],
    [
      "marks of direction",
      "a\u202eb\u2066c\u200f\u061c",
      "a\\u202eb\\u2066c\\u200f\\u061c",
    ],
    ["half of a surrogate pair", "a\ud83d", "a\\ud83d"],
  ];
  for (const [kind, text, shown] of texts) {
    it(`is shown without characters that control a terminal: ${kind}`, () => {
      assertEquals(messageText(text), shown);
    });
  }

  const cuts: readonly (readonly [string, number, string])[] = [
    ["abc", 3, "abc"],
    ["abcd", 3, "abc…"],
    ["ab😀c", 3, "ab…"],
    ["ab😀c", 4, "ab😀…"],
    ["", 3, ""],
  ];
  for (const [text, limit, shown] of cuts) {
    it(`is shortened, but never within a character: '${text}' to ${limit}`, () => {
      assertEquals(shorten(text, limit), shown);
      assertEquals(messageText(text, limit), shown);
    });
  }

  it("has its quotes escaped if it is in quotes", () => {
    assertEquals(quotedText('a"b\n\u202e'), '"a\\"b\\n\\u202e"');
    assertEquals(quotedText("abcdef", 3), '"abc…"');
  });

  it("is escaped in JSON without a change of its value", () => {
    const value = { text: "a\x9b\u202e\x7f\u2028\n" };
    const escaped = escapeControls(JSON.stringify(value));
    assertEquals(escaped, '{"text":"a\\u009b\\u202e\\u007f\\u2028\\n"}');
    assertEquals(JSON.parse(escaped), value);
  });
});

describe("an error message", () => {
  it("keeps its lines, and has no other control characters", () => {
    assertEquals(boundedMessage("a\n\tb\r\nc\x1b[1m\rd"), "a\n\tb\r\nc\\u001b[1m\\u000dd");
  });

  it("has at most 10,000 characters and an ellipsis, escapes included", () => {
    assertEquals(boundedMessage("x".repeat(10_000)).length, 10_000);
    for (const text of ["x", "\x1b"]) {
      assertEquals(boundedMessage(text.repeat(20_000)).length, 10_001);
    }
  });
});

describe("a path in a message", () => {
  const paths: readonly (readonly [string, string])[] = [
    ["users/7", "users/7"],
    ["../x?token=t0ken", "../x?…"],
    ["ftp://b.example/x#t0ken", "ftp://b.example/x?…"],
    ["ftp://ada:t0ken@b.example/x", "ftp://…@b.example/x"],
    ["https://ada:t0k/en@b.example", "https://…@b.example"],
    ["https://ada:t0k?en#x@b.example", "https://…@b.example"],
    ["users/@me", "users/@me"],
    ["../a\x1bb", "../a\\u001bb"],
  ];
  for (const [index, [path, shown]] of paths.entries()) {
    it(`shows neither credentials nor query, case ${index}: '${shown.replaceAll("\\", "")}'`, () => {
      assertEquals(pathForMessage(path), shown);
    });
  }

  it("is shortened", () => {
    assertEquals(pathForMessage("x".repeat(1000)).length, 201);
  });
});
