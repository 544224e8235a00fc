// A vulnerability scanner in memory, for the port in this folder, on Deno, Node and Bun. It answers
// like the API of Tenable Vulnerability Management, as far as that slice needs it.
//
//   POST   /session                            { token }; { username, password }
//   DELETE /session
//   POST   /vulns/export                       { export_uuid }; { num_assets, filters }
//   GET    /vulns/export/<uuid>/status         { status, chunks_available }
//   GET    /vulns/export/<uuid>/chunks/<n>     findings
//   POST   /vulns/export/<uuid>/cancel         { status }
//   GET    /scans                              { scans }
//   GET    /scans/<id>/history?limit=&offset=  { history, pagination }
//   POST   /scans/<id>/export                  { file }; { format, chapters }
//   GET    /scans/<id>/export/<file>/status    { status }: loading, later ready
//   GET    /scans/<id>/export/<file>/download  the report
//
// All but POST /session need `X-APIKeys: accessKey=a-1; secretKey=s-1` or `X-Cookie: token=…`.

import { createServer } from "node:http";

/** The credentials that the API accepts. */
export const credentials = {
  accessKey: "a-1",
  secretKey: "s-1",
  username: "ada",
  password: "countess-1815",
} as const;

const names = ["Telnet is enabled", "Expired certificate", "Weak cipher", "Open share", "Old PHP"];
const findings = names.map((name, index) => ({
  severity: index % 2 === 0 ? "critical" : "low",
  first_found: `2026-01-0${index + 1}T00:00:00Z`,
  plugin: { id: 100 + index, name },
  asset: { hostname: `host-${index % 3}` },
}));

/** The statuses of a job, one for each request, and the number of chunks that are ready then. */
const progress = [["QUEUED", 0], ["PROCESSING", 1], ["PROCESSING", 1], ["FINISHED", 3]] as const;

export interface TenableApiOptions {
  /** The statuses of the exports, in place of QUEUED, PROCESSING, FINISHED. The last one stays. */
  readonly progress?: readonly (readonly [string, number])[];
  /** The number of 429 responses before an export can be started. Default: 0 */
  readonly busy?: number;
}

/** The running API. */
export interface TenableApi {
  /** Its base URL, without a trailing slash. */
  readonly url: string;
  /** The requests so far, such as `GET /scans`. */
  readonly requests: readonly string[];
  /** The headers of the requests so far. */
  readonly headers: readonly Readonly<Record<string, unknown>>[];
  /** The number of sessions that are logged in. */
  readonly logins: number;
  /** Closes every connection and stops the API. */
  stop(): Promise<void>;
}

/** A status and a body: JSON, or a file. */
type Answer = readonly [status: number, body?: unknown, headers?: Record<string, string>];

/** A route: the method and path, and the function that answers. */
type Route = readonly [RegExp, (segments: readonly string[], sent: Sent) => Answer];

interface Sent {
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}

/** Starts the API on a loopback port that the system picks. */
export async function startTenableApi(options: TenableApiOptions = {}): Promise<TenableApi> {
  const tokens = new Set<string>();
  const jobs: { looks: number; cancelled: boolean; found: typeof findings }[] = [];
  const reports: { looks: number; text: string }[] = [];
  const states = options.progress ?? progress;
  let busy = options.busy ?? 0;

  const routes: Route[] = [
    [/^POST \/session$/, (_, { body }) => {
      const { username, password } = credentials;
      if (body["username"] !== username || body["password"] !== password) return [401];
      tokens.add(`t-${tokens.size + 1}`);
      return [200, { token: `t-${tokens.size}` }];
    }],
    [/^DELETE \/session$/, () => [tokens.clear() ?? 200]],
    [/^POST \/vulns\/export$/, (_, { body }) => {
      if (busy-- > 0) {
        return [429, {}, { "retry-after": "0.5", "x-tio-last-request-uuid": `r-${busy + 1}` }];
      }
      const { severity } = body["filters"] as { severity?: string[] };
      const found = findings.filter((each) => severity?.includes(each.severity) ?? true);
      return [200, { export_uuid: `e-${jobs.push({ looks: 0, cancelled: false, found })}` }];
    }],
    [/^GET \/vulns\/export\/e-(\d+)\/status$/, ([id]) => {
      const job = jobs[Number(id) - 1];
      if (job === undefined) return [404];
      const [status, ready] = states[Math.min(job.looks++, states.length - 1)]!;
      const chunks_available = Array.from({ length: ready }, (_, index) => index + 1);
      return [200, { status: job.cancelled ? "CANCELLED" : status, chunks_available }];
    }],
    // The first chunk has two findings, the second none, the third the rest.
    [/^GET \/vulns\/export\/e-(\d+)\/chunks\/(\d)$/, ([id, chunk]) => {
      const { found } = jobs[Number(id) - 1]!;
      return [200, [[], found.slice(0, 2), [], found.slice(2)][Number(chunk)]];
    }],
    [/^POST \/vulns\/export\/e-(\d+)\/cancel$/, ([id]) => {
      jobs[Number(id) - 1]!.cancelled = true;
      return [200, { status: "CANCELLED" }];
    }],
    [/^GET \/scans$/, () => [200, {
      scans: [{ id: 7, name: "Weekly", status: "completed" }, {
        id: 8,
        name: "PCI",
        status: "paused",
      }],
    }]],
    [/^GET \/scans\/7\/history$/, (_, { query }) => {
      const [limit, offset] = [Number(query.get("limit")), Number(query.get("offset"))];
      const runs = Array.from({ length: 120 }, (_, index) => ({ id: index, status: "completed" }));
      const pagination = { total: runs.length, limit, offset };
      return [200, { history: runs.slice(offset, offset + limit), pagination }];
    }],
    [/^POST \/scans\/7\/export$/, (_, { body, query }) => {
      const run = query.get("history_id") ?? "last";
      const text = `${body["format"]} report of run ${run}: ${body["chapters"]}`;
      return [200, { file: reports.push({ looks: 0, text }) }];
    }],
    [/^GET \/scans\/7\/export\/(\d+)\/status$/, ([file]) => {
      const isReady = reports[Number(file) - 1]!.looks++ > 1;
      return [200, { status: isReady ? "ready" : "loading" }];
    }],
    [/^GET \/scans\/7\/export\/(\d+)\/download$/, ([file]) => [
      200,
      new TextEncoder().encode(reports[Number(file) - 1]!.text),
    ]],
  ];

  function answer(request: string, headers: Record<string, unknown>, sent: Sent): Answer {
    const { accessKey, secretKey } = credentials;
    const isKnown = headers["x-apikeys"] === `accessKey=${accessKey}; secretKey=${secretKey}` ||
      tokens.has(String(headers["x-cookie"] ?? "").replace("token=", ""));
    if (!isKnown && request !== "POST /session") return [401, { error: "Invalid Credentials" }];
    for (const [pattern, run] of routes) {
      const match = pattern.exec(request);
      if (match !== null) return run(match.slice(1), sent);
    }
    return [404, { error: "The requested file was not found." }];
  }

  const requests: string[] = [];
  const headers: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    const [path = "/", query = ""] = (request.url ?? "/").split("?", 2);
    requests.push(`${request.method} ${path}`);
    headers.push(request.headers);
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const sent = { query: new URLSearchParams(query), body: text === "" ? {} : JSON.parse(text) };
    const [status, body, extra] = answer(`${request.method} ${path}`, request.headers, sent);
    const isFile = body instanceof Uint8Array;
    response.writeHead(status, {
      "content-type": isFile ? "application/octet-stream" : "application/json",
      "x-request-uuid": `q-${requests.length}`,
      ...extra,
    });
    response.end(isFile || body === undefined ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the API has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    headers,
    get logins() {
      return tokens.size;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
