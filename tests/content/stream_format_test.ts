import { assertEquals, assertRejects, describe, it } from "#test";
import { APISession, UnexpectedValueError } from "../../mod.ts";
import type { StreamFormat } from "../../src/content/stream_format.ts";
import { scripted } from "../support/scripted.ts";

const url = "https://api.example.com";

describe("a stream format", () => {
  const format: StreamFormat<Response[]> = {
    accept: "text/plain",
    headers: { "Accept-Encoding": "identity", "x-own": "format" },
    stream: async (response, call) => [response, await call.reopen({ "x-part": "2" })],
  };
  const sentBy = async (options: object, used = format) => {
    const fetch = scripted(200);
    await new APISession({ url, fetch }).get("x", { ...options, format: used });
    const names = ["accept", "accept-encoding", "x-own", "x-part"];
    return fetch.calls.map(({ init: { headers } }) => names.map((name) => headers[name]));
  };

  it("sets headers, also of the requests that it makes again", async () => {
    assertEquals(await sentBy({}), [
      ["text/plain", "identity", "format", undefined],
      ["text/plain", "identity", "format", "2"],
    ]);
  });

  it("does not replace headers of the call", async () => {
    const headers = { Accept: "text/csv", "X-Own": "call" };
    assertEquals(await sentBy({ headers }), [
      ["text/csv", "identity", "call", undefined],
      ["text/csv", "identity", "call", "2"],
    ]);
  });

  it("must have valid headers", async () => {
    const wrong = { ...format, headers: { "a b": "1" } };
    await assertRejects(() => sentBy({}, wrong), UnexpectedValueError);
  });
});

describe("a function that opens a stream", () => {
  const open = () => new Blob(["x"]).stream();

  it("can have a content type, which the call can replace", async () => {
    const fetch = scripted(200);
    const session = new APISession({ url, fetch });
    const content = Object.assign(open, { type: "text/csv" });
    await session.post("x", { content });
    await session.post("x", { content, headers: { "content-type": "text/plain" } });
    const types = fetch.calls.map(({ init }) => init.headers["content-type"]);
    assertEquals(types, ["text/csv", "text/plain"]);
  });

  it("must have a content type that a header can carry", async () => {
    const session = new APISession({ url, fetch: scripted(200) });
    for (const type of ["a\r\nb: c", 7 as never]) {
      const content = Object.assign(() => open(), { type });
      await assertRejects(
        () => session.post("x", { content }),
        UnexpectedValueError,
        "content.type",
      );
    }
  });
});
