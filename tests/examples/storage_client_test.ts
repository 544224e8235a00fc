import { assertEquals, assertRejects, describe, it } from "#test";
import { Bucket, StorageProblem } from "../../examples/storage_client.ts";
import { APIError, ValidationError } from "../../mod.ts";
import { isErrorWith } from "../../src/entries/errors.ts";
import { type MockCall, mockTransport, silentLogger } from "../../src/testing/mod.ts";

const keys = ["a.txt", "photos/1.jpg", "photos/2.jpg", "songs/1.ogg", "z.txt"];
const namespace = ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
const headers = { "content-type": "application/xml" };

/** Answers like the service: `max-keys` objects and folders, and a token for the rest. */
function list({ params }: MockCall, declaration: string): Response {
  const { prefix = "", delimiter = "", "max-keys": size = "1000" } = params;
  const all = keys.filter((key) => key.startsWith(`${prefix}`)).map((key) => {
    const end = delimiter === "" ? -1 : key.indexOf(`${delimiter}`, prefix.length);
    return end < 0 ? key : key.slice(0, end + 1);
  });
  const names = [...new Set(all)];
  const first = Number(params["continuation-token"]?.slice(1) ?? 0);
  const last = first + Number(size);
  const page = names.slice(first, last).map((name) =>
    name.endsWith("/") ? `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>` : `<Contents>
      <Key>${name}</Key><LastModified>2026-11-20T10:00:00.000Z</LastModified>
      <ETag>&quot;d41d8&quot;</ETag><Size>${name.length}</Size>
    </Contents>`
  );
  const more = last < names.length;
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>
    <ListBucketResult${declaration}><Name>bucket</Name><Prefix>${prefix}</Prefix><KeyCount/>
      <MaxKeys>${size}</MaxKeys><IsTruncated>${more}</IsTruncated>${page.join("")}
      <NextContinuationToken>${more ? `t${last}` : ""}</NextContinuationToken>
    </ListBucketResult>`,
    { headers },
  );
}

describe("the storage client of the examples", () => {
  function start(declaration = namespace) {
    const fetch = mockTransport({ "GET /": (call) => list(call, declaration) });
    return { bucket: new Bucket({ fetch, logger: silentLogger }), fetch };
  }

  it("reads a page with its counts", async () => {
    const { bucket } = start();
    const { body, items: [object] } = await bucket.list({ pageSize: 2 });
    assertEquals([body.name, body.isTruncated, body.maxKeys], ["bucket", true, 2]);
    assertEquals(body.keyCount, undefined); // the element is empty
    assertEquals(object?.lastModified, new Date("2026-11-20T10:00:00Z"));
    assertEquals([object?.eTag, object?.size, object?.storageClass], ['"d41d8"', 5, "STANDARD"]);
  });

  it("reads all pages by their continuation tokens", async () => {
    const { bucket, fetch } = start();
    const objects = await bucket.list({ pageSize: 2 }).collect();
    assertEquals(objects.map(({ key }) => key), keys);
    assertEquals(fetch.calls.map(({ params }) => params["continuation-token"]), [
      undefined,
      "t2",
      "t4",
    ]);
  });

  it("reads folders on each page", async () => {
    const { bucket } = start();
    const folders: string[] = [];
    for await (const { body } of bucket.list({ delimiter: "/", pageSize: 3 }).pages()) {
      folders.push(...body.folders());
    }
    assertEquals(folders, ["photos/", "songs/"]);
  });

  it("reads a listing whose namespace is left out", async () => {
    const { bucket } = start("");
    assertEquals((await bucket.list({ prefix: "photos/" }).collect()).length, 2);
  });

  it("rejects a listing in another namespace", async () => {
    const { bucket } = start(' xmlns="urn:other"');
    await assertRejects(async () => await bucket.list(), ValidationError);
  });

  it("reads the problem of an error response", async () => {
    const problem = "<Error><Code>NoSuchBucket</Code><RequestId>r1</RequestId></Error>";
    const fetch = mockTransport({ "GET /": new Response(problem, { status: 404, headers }) });
    const bucket = new Bucket({ fetch, logger: silentLogger });
    const error = await assertRejects(async () => await bucket.list(), APIError);
    if (!isErrorWith(error, StorageProblem)) throw error;
    assertEquals([error.status, error.data.code, error.data.requestId], [
      404,
      "NoSuchBucket",
      "r1",
    ]);
  });
});
