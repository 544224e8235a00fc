import { assertEquals, describe, it } from "#test";
import { mediaTypeOf } from "../../src/base/media_type.ts";
import { assertLinearTime } from "../support/linear_time.ts";

describe("the media type of a content type", () => {
  type Row = readonly [contentType: string | null, essence: string, charset?: string];
  const rows: readonly Row[] = [
    [null, ""],
    ["", ""],
    ["text/plain", "text/plain"],
    [" Text/HTML ;charset=UTF-8", "text/html", "UTF-8"],
    ['a/b+xml ; x=1; Charset="utf-16"', "a/b+xml", "utf-16"],
    ["a/b;charset=", "a/b"],
    ['a/b;charset=""', "a/b"],
    ["a/b;charset;charset=latin1", "a/b", "latin1"],
    ["a/b;charset=latin1;charset=utf-8", "a/b", "latin1"],
    [String.raw`a/b;charset="lat\in1"`, "a/b", "latin1"],
    ['a/b;charset="latin1', "a/b", "latin1"],
    ["a/b; charset = latin1 ", "a/b", "latin1"],
    ['a/b;x="y;charset=latin1"', "a/b"],
    ["json", ""],
    ["application /json", ""],
    ["application/json charset=utf-8", ""],
    // From the Fetch Standard, "extract a MIME type".
    ["text/html;charset=gbk, text/html", "text/html", "gbk"],
    ["text/html;charset=gbk;a=b, text/html;x=y", "text/html", "gbk"],
    ["text/html;charset=gbk, x/x;charset=euc-kr", "x/x", "euc-kr"],
    ["text/html;charset=gbk, x/x, text/html;x=y", "text/html"],
    ['text/html;x=",text/plain', "text/html"],
    ["text/html;charset=gbk, text/html;charset=euc-kr", "text/html", "euc-kr"],
    ["application/json, application/json", "application/json"],
    ["application/json,application/json; charset=utf-8", "application/json", "utf-8"],
    ["text/html, application/json", "application/json"],
    ["application/json, */*", "application/json"],
    ["application/json, nonsense", "application/json"],
    [",application/json,", "application/json"],
    ['text/plain;x="a, b/c", text/csv', "text/csv"],
    [String.raw`text/plain;x="a\", b/c", text/csv`, "text/csv"],
  ];
  for (const [contentType, essence, charset] of rows) {
    const shown = contentType === null ? "none" : contentType.replaceAll('"', "'");
    it(`is the last valid value, with its charset: ${shown}`, () => {
      const found = mediaTypeOf(contentType);
      assertEquals([found.essence, found.charset], [essence, charset]);
    });
  }

  const formats: readonly (readonly [string, "json" | "xml" | undefined])[] = [
    ["application/json", "json"],
    ["text/json", "json"],
    ["APPLICATION/PROBLEM+JSON", "json"],
    ["application/xml", "xml"],
    ["text/xml", "xml"],
    ["application/atom+xml", "xml"],
    ["application/jsonp", undefined],
    ["application/json+ld", undefined],
    ["application/xml-dtd", undefined],
    ["image/json", undefined],
  ];
  for (const [contentType, format] of formats) {
    it(`is of the format ${format ?? "of neither JSON nor XML"}: ${contentType}`, () => {
      assertEquals(mediaTypeOf(contentType).format, format);
    });
  }

  for (const part of [" ", ",", '"', "\\", ';a="', "a/b,", 'a/b;x="\\"', ";charset"]) {
    it(`takes a time that grows with its length only: ${part.replaceAll('"', "'")}`, () => {
      const repeated = (length: number) => part.repeat(length / part.length);
      let run = 0;
      assertLinearTime((length) => mediaTypeOf(`a/b;${repeated(length)}${++run}`));
    });
  }
});

describe("the encoding of a text", () => {
  const rows: readonly (readonly [string | null, string])[] = [
    [null, "utf-8"],
    ["application/json", "utf-8"],
    ["text/plain; charset=UTF8", "utf-8"],
    ["text/plain; charset=klingon", "utf-8"],
    ["text/plain; charset=latin1", "windows-1252"],
    ["text/plain; charset=utf-16le, text/plain", "utf-16le"],
  ];
  for (const [contentType, encoding] of rows) {
    it(`is that of the charset, or UTF-8 without a known one: ${contentType}`, () => {
      assertEquals(mediaTypeOf(contentType).encoding, encoding);
    });
  }
});
