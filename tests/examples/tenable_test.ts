import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import { credentials, startTenableApi, type TenableApi } from "../../examples/tenable/api.ts";
import { ExportError, ExportTimeoutError } from "../../examples/tenable/exports.ts";
import { TenableIO } from "../../examples/tenable/tenable_io.ts";
import { UnauthorizedError, UnexpectedValueError } from "../../mod.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";

const { accessKey, secretKey, username, password } = credentials;

describe("the port of a Python SDK", () => {
  let api: TenableApi;
  const opened: TenableIO[] = [];
  before(async () => {
    api = await startTenableApi();
  });
  after(async () => {
    for (const tio of opened) await tio.close();
    await api.stop();
  });

  /** Opens a session with API keys. Its waits end at once; `waits()` returns their seconds. */
  async function open(url: string = api.url) {
    const clock = fakeClock({ autoAdvance: true });
    const tio = await TenableIO.open({ url, accessKey, secretKey, clock, logger: silentLogger });
    opened.push(tio);
    const timersOfLogin = clock.waits.length;
    return { tio, waits: () => clock.waits.slice(timersOfLogin) };
  }

  /** Returns a target for a download, and the text that it has received. */
  function textTarget() {
    const decoder = new TextDecoder();
    const received = { text: "" };
    const target = new WritableStream<Uint8Array>({
      write: (chunk) => void (received.text += decoder.decode(chunk)),
    });
    return { target, received };
  }

  describe("logging in", () => {
    it("sends both keys in one header, and neither logs in nor out", async () => {
      const { tio } = await open();
      const before = api.requests.length;
      await tio.scans.list();
      await tio.close();
      assertEquals(api.requests.slice(before), ["GET /scans"]);
      assertEquals(api.headers.at(-1)?.["x-apikeys"], "accessKey=a-1; secretKey=s-1");
    });

    it("logs in with user name and password, and logs out at the end", async () => {
      const before = api.requests.length;
      const logger = recordingLogger();
      const tio = await TenableIO.open({ url: api.url, username, password, logger });
      assertEquals(api.logins, 1);
      assertEquals((await tio.scans.list()).length, 2);
      await tio.close();
      assertEquals(api.logins, 0);
      assertEquals(api.requests.slice(before), ["POST /session", "GET /scans", "DELETE /session"]);
      assert(!logger.messages().join().includes(password), "the password is in the log");
    });

    it("rejects a wrong password with the class of its status, before the first call", async () => {
      const options = { url: api.url, username, password: "guess", logger: silentLogger };
      const error = await assertRejects(() => TenableIO.open(options), UnauthorizedError);
      assert(error.requestId?.startsWith("q-"), "the error has no request id");
    });

    it("warns about a session without credentials, whose calls fail", async () => {
      const logger = recordingLogger();
      const tio = new TenableIO({ url: api.url, logger });
      await assertRejects(() => tio.scans.list(), UnauthorizedError);
      assertEquals(logger.messages("warn"), ["Starting an unauthenticated session."]);
      await tio.close();
    });

    it("rejects an option that it does not know", () => {
      const mistyped: object = { acessKey: "a-1" };
      let error: unknown;
      try {
        new TenableIO({ ...mistyped });
      } catch (reason) {
        error = reason;
      }
      assert(
        error instanceof UnexpectedValueError && error.message.includes("acessKey"),
        `${error}`,
      );
    });
  });

  describe("exports.vulns()", () => {
    it("polls the job, and iterates over the findings of all chunks", async () => {
      const { tio, waits } = await open();
      const before = api.requests.length;
      const findings = tio.exports.vulns();
      assertEquals([api.requests.length, findings.uuid], [before, undefined]);

      const names: string[] = [];
      for await (const finding of findings) names.push(finding.plugin.name);

      assertEquals(names.length, 5);
      assertEquals([names[0], names[4]], ["Telnet is enabled", "Old PHP"]);
      const { uuid, status, currentPage } = findings;
      assertEquals([status, currentPage], ["FINISHED", 3]);
      assertEquals(waits(), [1, 1]);
      const job = `GET /vulns/export/${uuid}`;
      assertEquals(api.requests.slice(before), [
        ...["POST /vulns/export", `${job}/status`, `${job}/status`, `${job}/chunks/1`],
        ...[
          `${job}/status`,
          `${job}/status`,
          `${job}/chunks/2`,
          `${job}/status`,
          `${job}/chunks/3`,
        ],
      ]);
    });

    it("returns boxes, whose keys have names in camel case", async () => {
      const { tio } = await open();
      const [first] = await tio.exports.vulns({ severity: ["low"] }).collect();
      assertEquals(first?.firstFound, "2026-01-02T00:00:00Z");
      assertEquals([first?.asset.hostname, first?.first_found], ["host-1", first?.firstFound]);
    });

    it("downloads chunks ahead, and returns the same findings", async () => {
      const { tio } = await open();
      assertEquals((await tio.exports.vulns({ prefetch: 2 }).collect()).length, 5);
    });

    it("continues an export that was started earlier", async () => {
      const { tio } = await open();
      const uuid = await tio.exports.start();
      const findings = tio.exports.vulns({ uuid });
      assertEquals((await findings.collect()).length, 5);
      assertEquals(findings.uuid, uuid);
    });

    it("ends when the export is cancelled", async () => {
      const { tio } = await open();
      const findings = tio.exports.vulns();
      await findings.next();
      await findings.cancel();
      assertEquals(await findings.collect(), []);
      assertEquals((await tio.exports.status(findings.uuid!)).status, "CANCELLED");
    });

    it("sends the id of the last request and the number of the retry after a 429", async () => {
      const busy = await startTenableApi({ busy: 2 });
      try {
        const { tio, waits } = await open(busy.url);
        await tio.exports.start();
        const sent = busy.headers.map((each) => [
          each["x-tio-last-request-uuid"],
          each["x-tio-retry-count"],
        ]);
        assertEquals(sent, [[undefined, undefined], ["r-2", "1"], ["r-1", "2"]]);
        assertEquals(waits(), [0.5, 0.5]);
      } finally {
        await busy.stop();
      }
    });

    it("throws the SDK's own error if the export fails on the server", async () => {
      const failing = await startTenableApi({ progress: [["QUEUED", 0], ["ERROR", 0]] });
      try {
        const { tio } = await open(failing.url);
        const error = await assertRejects(() => tio.exports.vulns().collect(), ExportError);
        assertEquals([error.uuid, error.name], ["e-1", "ExportError"]);
      } finally {
        await failing.stop();
      }
    });

    it("cancels an export that is queued for too long", async () => {
      const queued = await startTenableApi({ progress: [["QUEUED", 0]] });
      try {
        const { tio, waits } = await open(queued.url);
        const findings = tio.exports.vulns({ timeout: 5 });
        await assertRejects(() => findings.collect(), ExportTimeoutError);
        assertEquals(waits(), [1, 2, 3]);
        assertEquals(queued.requests.at(-1), "POST /vulns/export/e-1/cancel");
      } finally {
        await queued.stop();
      }
    });
  });

  describe("scans", () => {
    it("lists the scans", async () => {
      const { tio } = await open();
      assertEquals((await tio.scans.list()).map(({ name }) => name), ["Weekly", "PCI"]);
    });

    it("iterates over the history of a scan by offset and limit", async () => {
      const { tio } = await open();
      const before = api.requests.length;
      const history = tio.scans.history(7);
      const runs = await history.collect();
      assertEquals([runs.length, runs[119]?.id, history.total], [120, 119, 120]);
      assertEquals(api.requests.length - before, 3);
    });

    it("waits for a report, and downloads it to a stream", async () => {
      const { tio, waits } = await open();
      const { target, received } = textTarget();
      const { transferred } = await tio.scans.export(7, target, { format: "csv", historyId: 3 });
      assertEquals(received.text, "csv report of run 3: vuln_by_host");
      assertEquals([transferred, waits()], [received.text.length, [0.5, 0.5]]);
    });
  });
});
