/** Behavior of browsers only: the same-origin policy, and headers that only the browser can set. */
import { APIError, APISession, TransportError } from "@restwright/restwright";
import { multipart, withProgress } from "@restwright/restwright/files";
import { recordingLogger } from "@restwright/restwright/testing";
import { Library, Reading } from "./library.ts";
import { impatient } from "./impatient.ts";
import { type BrowserPlace, check, type Echo, errorOf, type Scene } from "./scene.ts";

/** An upload as its server received it. */
interface Received {
  readonly httpVersion: string;
  readonly length: string | null;
  readonly sha256: string;
}

/** Uploads a megabyte, and returns it as it arrived, the progress, and the logged warnings. */
async function upload(url: string): Promise<Received & { reports: number[]; warnings: string[] }> {
  const bytes = new Uint8Array(1_000_000).map((_, index) => index % 251);
  const reports: number[] = [];
  const content = withProgress(new Blob([bytes]), ({ transferred, total }) => {
    check("the total is known", total === bytes.length);
    reports.push(transferred);
  });
  const logger = recordingLogger();
  const session = new Reading({ url, ...impatient, logger, retries: 1 });
  const received = await session.put<Received>("upload", { content });
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  check("the bytes arrive whole", received.sha256 === sha256);
  const warnings = logger.messages("warn").filter((text) => text.includes("HTTP/2"));
  return { ...received, reports, warnings };
}

/** The scenes that apply to browsers only. */
export const ofBrowsers: Readonly<Record<string, Scene<BrowserPlace>>> = {
  async "a response that CORS blocks is a TransportError"({ url }) {
    const options = { url, ...impatient, retries: 1 };
    const error = await errorOf(new Reading(options).get("closed"), TransportError);
    check("it was retried", error.retries === 1);
    check("it names the request", error.message.includes(`GET ${url}/closed failed`));
  },

  async "uploads with progress to an http: URL are sent whole, with one warning"({ url }) {
    const logger = recordingLogger();
    const session = new Reading({ url, logger, retries: 0 });
    for (const content of [new Blob(["hello"]), multipart({ file: new File(["a"], "a.txt") })]) {
      const reports: string[] = [];
      const upload = withProgress(content, ({ transferred, total }) => {
        reports.push(`${transferred}/${total}`);
      });
      const { headers } = await session.post<Echo>("echo", { content: upload });
      const { size } = content;
      check("the length is known", headers["content-length"] === `${size}`);
      check("the progress ends", reports.join() === `0/${size},${size}/${size}`);
    }
    const warnings = logger.messages("warn");
    check("one warning is logged", warnings.filter((text) => text.includes("HTTP/2")).length === 1);
  },

  async "uploads over HTTPS with HTTP/2 are streams, whose progress grows in steps"({ http2 }) {
    const { httpVersion, length, reports, warnings } = await upload(http2);
    check("the server uses HTTP/2", httpVersion === "2.0");
    check("the upload has no Content-Length, as a stream", length === null);
    // Each report is 65,536 bytes after the one before, at most.
    check("the progress begins with 0", reports[0] === 0);
    check("it ends with all bytes", reports.at(-1) === 1_000_000);
    check("it has a report for each step", reports.length >= 17);
    const steps = reports.slice(1).map((transferred, index) => transferred - reports[index]!);
    check("each step is small", steps.every((step) => step > 0 && step <= 65_536));
    check("no warning is logged", warnings.length === 0);
  },

  async "uploads over HTTPS with HTTP/1.1 are sent whole by the second attempt"({ http1 }) {
    const { httpVersion, length, reports, warnings } = await upload(http1);
    check("the server uses HTTP/1.1", httpVersion === "1.1");
    check("the upload has a Content-Length", length === "1000000");
    check("the progress begins twice, and goes to its end", reports.join() === "0,0,1000000");
    check("one warning is logged", warnings.length === 1);
  },

  async "the browser sends its own User-Agent and its own cookies"({ url }) {
    const { userAgent } = navigator;
    const headers = { "User-Agent": "mine/1.0", Cookie: "by=hand" };
    const session = new Reading({ url, vendor: "acme", product: "shelf" });
    session.httpSession.headers.set("Cookie", "by=session");
    const client = new Library({ baseUrl: url, headers, cookies: { by: "client" } });
    const shared = new Library({ baseUrl: url, session: session.httpSession });
    for (
      const echo of [
        await session.get<Echo>("echo"),
        await session.get<Echo>("echo", { headers }),
        await client.anything<Echo>("/echo"),
        await client.withOptions({ headers }).anything<Echo>("/echo"),
        await shared.anything<Echo>("/echo", { cookies: { by: "call" } }),
      ]
    ) {
      check("the User-Agent is the browser's", echo.headers["user-agent"] === userAgent);
      check("no option sets a cookie", echo.headers["cookie"] === undefined);
    }
  },

  async "the browser stores and sends cookies only with credentials: include"({ url }) {
    const session = new Reading({ url });
    const visits = (credentials: RequestCredentials) =>
      session.get<{ cookie: string }>("visits", { credentials });
    await visits("include");
    check("they are sent with include", (await visits("include")).cookie === "visited=yes");
    check("they are not sent with omit", (await visits("omit")).cookie === "");
  },

  async "a redirect that is not followed is an error"({ url }) {
    const session = new APISession({ url });
    const error = await errorOf(session.get("moved", { followRedirects: false }), APIError);
    check("its status is hidden", error.status === 0);
  },
};
