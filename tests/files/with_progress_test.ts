import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { UnsupportedOptionError } from "../../src/entries/errors.ts";
import { lostProgressWarning } from "../../src/call/lost_progress.ts";
import { type Content, prepareContent } from "../../src/content/body.ts";
import { HttpSession } from "../../src/http/http_session.ts";
import { uploadBodyOf } from "../../src/http/request_body.ts";
import { multipart, withProgress } from "../../src/files/mod.ts";

const bytes = new TextEncoder().encode("hello");
const form = multipart({ a: "1", file: new File(["hello"], "a.txt") });
const onDisk = { size: 5, stream: () => new Blob(["hello"]).stream() };
const contents: readonly (readonly [string, Content, string])[] = [
  ["text", "hello", "hello"],
  ["bytes", bytes, "hello"],
  ["a Blob", new Blob(["hello"]), "hello"],
  ["a form of Blobs", form, await form.toBlob().text()],
];

/** Returns the body of an attempt with progress, and the reports as `transferred/total`. */
function start(content: Exclude<Content, ReadableStream | AsyncIterable<unknown>>) {
  const reports: string[] = [];
  const note = (progress: { transferred: number; total: number | undefined }) =>
    void reports.push(`${progress.transferred}/${progress.total}`);
  const body = prepareContent(withProgress(content as Blob, note));
  return { body, upload: uploadBodyOf(body), reports };
}

describe("content with progress, if a browser may not send streams", () => {
  for (const support of ["maybe", "no"] as const) {
    for (const [what, content, text] of contents) {
      it(`is sent whole, and its progress goes to the end: ${what}, support ${support}`, async () => {
        const { upload, reports } = start(content as Blob);
        const sent = upload.open(support);
        assert(sent instanceof Blob && upload.isWhole);
        assertEquals(await sent.text(), text);
        assertEquals(reports, [`0/${sent.size}`, `${sent.size}/${sent.size}`]);
      });
    }
  }

  it("is still a stream if it cannot be a Blob, and an error if streams cannot be sent", async () => {
    for (const content of [() => new Blob(["hello"]).stream(), multipart({ file: onDisk })]) {
      const { upload } = start(content as unknown as Blob);
      const sent = upload.open("maybe");
      assert(sent instanceof ReadableStream && !upload.isWhole);
      assert((await new Response(sent).text()).includes("hello"));
      const error = assertThrows(() => upload.open("no"), UnsupportedOptionError);
      assertEquals(error.option, "content");
      assert(upload.failure?.error === error);
    }
  });

  it("is a stream that reports each step if streams can be sent", async () => {
    const { upload, reports } = start(new Blob([new Uint8Array(70_000)]));
    const sent = upload.open("yes");
    assert(sent instanceof ReadableStream && !upload.isWhole);
    await new Response(sent).arrayBuffer();
    assertEquals([reports[0], reports.at(-1), reports.length > 2], [
      "0/70000",
      "70000/70000",
      true,
    ]);
  });

  it("ends the call with the error of its function", () => {
    const mistake = new Error("no such element");
    const body = prepareContent(withProgress("hello", () => {
      throw mistake;
    }));
    const upload = uploadBodyOf(body);
    const error = assertThrows(() => upload.open("maybe"), Error);
    assert(error === mistake && upload.failure?.error === mistake);
  });

  it("is followed by one warning for each HTTP session, and none for a form without progress", () => {
    const http = new HttpSession();
    const { body } = start("hello");
    assertEquals(lostProgressWarning(prepareContent(form), http), undefined);
    assert(lostProgressWarning(body, http)?.includes("HTTP/2"));
    assertEquals(lostProgressWarning(start("other").body, http), undefined);
    assert(lostProgressWarning(body, new HttpSession()) !== undefined);
  });
});
