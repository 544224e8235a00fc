/** Tests of the checks of a page in a browser and of the requests that it sent. */
import { assertEquals, describe, it } from "#test";
import type { OpenedPage } from "../../../../scripts/npm/browser/drive.ts";
import type { ArrivedRequest } from "../../../../scripts/npm/browser/front_routes.ts";
import { faultsOfPage, faultsOfRequests } from "../../../../scripts/npm/browser/page_faults.ts";

const SCENES = ["one", "two"];

function opened(part: Partial<OpenedPage>): OpenedPage {
  const played = SCENES.map((scene) => ({ scene, fault: "" }));
  return { played, console: [], errors: [], ...part };
}

function arrived(headers: Record<string, string>, path = "/books"): ArrivedRequest {
  const browser = { "user-agent": "Mozilla/5.0 (X11)" };
  return { method: "GET", path, headers: { ...browser, ...headers }, body: "" };
}

describe("the result of a page", () => {
  it("has no fault if every scene was played without a fault", () => {
    assertEquals(faultsOfPage(opened({}), SCENES), []);
  });

  it("has a fault if a scene failed or was not played", () => {
    const played = [{ scene: "one", fault: "Error: check failed: it rains" }];
    const expected = ["one: Error: check failed: it rains", "two: the scene was not played"];
    assertEquals(faultsOfPage(opened({ played }), SCENES), expected);
    const errors = ["TypeError: played is not defined"];
    const broken = faultsOfPage(opened({ played: undefined, errors }), SCENES);
    assertEquals(broken, [
      ...errors,
      "one: the scene was not played",
      "two: the scene was not played",
    ]);
  });

  it("has a fault if the console shows more than the browser's messages about the network", () => {
    const usual = [
      "error: Failed to load resource: the server responded with a status of 404 (Not Found)",
      "error: Access to fetch at 'http://a' from origin 'http://b' has been blocked by CORS policy",
    ];
    assertEquals(faultsOfPage(opened({ console: usual }), SCENES), []);
    const storm = ['error: Refused to set unsafe header "cookie"', "warning: anything"];
    const faults = faultsOfPage(opened({ console: [...usual, ...storm] }), SCENES);
    assertEquals(faults, storm.map((message) => `the console shows ${message}`));
  });
});

describe("the requests of a browser", () => {
  it("must arrive with the User-Agent of the browser and without a cookie", () => {
    assertEquals(faultsOfRequests([arrived({})]), []);
    assertEquals(faultsOfRequests([]), ["no request arrived"]);
    assertEquals(faultsOfRequests([arrived({ "user-agent": "mine/1.0", cookie: "a=1" })]), [
      "GET /books came with the User-Agent mine/1.0",
      "GET /books came with the Cookie a=1",
    ]);
    assertEquals(faultsOfRequests([arrived({ cookie: "visited=yes" }, "/visits")]), []);
  });

  it("must not ask for permission to send headers that the browser sets", () => {
    const asking = { "access-control-request-headers": "content-type,user-agent" };
    const expected = ["GET /books asks for permission to send content-type,user-agent"];
    assertEquals(faultsOfRequests([arrived(asking)]), expected);
  });
});
