import { assertEquals, assertInstanceOf, describe, it } from "#test";
import {
  APIError,
  DecodeError,
  ItemTooLargeError,
  RedirectError,
  ResponseTooLargeError,
  TransportError,
  ValidationError,
} from "../../src/errors/mod.ts";
import { RequestError } from "../../src/errors/request_error.ts";
import { DownloadError } from "../../src/files/mod.ts";

const request = { method: "GET", url: "https://api.example.com/x" };
const read = { response: new Response(), body: "", request };

const errors: readonly RequestError[] = [
  new APIError(new Response(null, { status: 404 }), { request }),
  new TransportError("no", { request }),
  new DecodeError("not JSON", read),
  new ValidationError("the response", { ...read, issues: [] }),
  new ResponseTooLargeError(9, 200, request),
  new ItemTooLargeError(9, 0, request),
  new RedirectError("too many redirects", 302, request),
  new DownloadError("range", "not the part", request, 0),
];

describe("an error that knows its request", () => {
  for (const error of errors) {
    it(`has it as a field and in its JSON: ${error.name}`, () => {
      assertInstanceOf(error, RequestError);
      assertEquals(error.request, request);
      assertEquals(Object.keys(error.toJSON()).slice(0, 3), ["name", "message", "request"]);
      assertEquals(Object.keys(error).filter((name) => name === "request"), ["request"]);
    });
  }

  it("has an undefined request if none was passed", () => {
    assertEquals(new TransportError("no").request, undefined);
    assertEquals(JSON.parse(JSON.stringify(new RedirectError("no", 302))).request, undefined);
  });
});
