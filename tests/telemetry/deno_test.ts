/**
 * Tests with the tracing that Deno has built in, and a receiver of OTLP. It has to be turned on before
 * a program starts, so that the program runs in a process of its own.
 */
import { after, assertEquals, before, describe, it } from "#test";
import process from "node:process";
import { runChild } from "../../scripts/shared/child.ts";
import { ROOT } from "../../scripts/shared/source_files.ts";
import { detectRuntime } from "../../src/base/runtime.ts";
import { bodyOf, startServer, type TestServer } from "../support/server.ts";

const isDeno = detectRuntime().name === "Deno";

/** A span in OTLP, as far as the tests read it. */
interface OtlpSpan {
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  /** 1 for INTERNAL, 3 for CLIENT. */
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string };
      readonly spans: readonly OtlpSpan[];
    }[];
  }[];
}

interface OtlpMetrics {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly {
      readonly scope: { readonly name: string };
      readonly metrics: readonly { readonly name: string }[];
    }[];
  }[];
}

describe("a program on Deno with OTEL_DENO=true", () => {
  const traces: OtlpTraces[] = [];
  const metrics: OtlpMetrics[] = [];
  /** The ids of the parents that the API and the other server received. */
  const parents: (string | undefined)[] = [];
  const servers: TestServer[] = [];
  let printed = "";

  async function serve(answer: Parameters<typeof startServer>[0]): Promise<string> {
    const server = await startServer(answer);
    servers.push(server);
    return server.url;
  }

  before(async () => {
    const receiver = await serve(async (request, response) => {
      const list: unknown[] | undefined = { "/v1/traces": traces, "/v1/metrics": metrics }[
        request.url!
      ];
      list?.push(JSON.parse(await bodyOf(request)));
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    const note: Parameters<typeof startServer>[0] = ({ headers: { traceparent } }) =>
      void parents.push(String(traceparent).split("-")[2]);
    const other = await serve((request, response) => {
      note(request, response);
      response.end("[8]");
    });
    const api = await serve((request, response) => {
      note(request, response);
      response.writeHead(parents.length === 1 ? 503 : 302, { location: `${other}/b` }).end("x");
    });
    const program = ["tests/support/traced_program.ts", api];
    const result = await runChild(process.execPath, isDeno ? ["run", "-A", ...program] : program, {
      cwd: ROOT,
      env: {
        OTEL_DENO: "true",
        OTEL_DENO_CONSOLE: "ignore",
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver,
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      },
    });
    printed = result.output.trim();
  });
  after(async () => {
    for (const server of servers) await server.stop();
  });

  /** Returns the spans of a library, in the order of their start. */
  function spansOf(name: string): OtlpSpan[] {
    return traces.flatMap(({ resourceSpans }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .filter(({ scope }) => scope.name === name)
      .flatMap(({ spans }) => spans)
      .sort((one, other) => one.startTimeUnixNano < other.startTimeUnixNano ? -1 : 1);
  }

  it("works as without it, also on runtimes that do not know the variable", () => {
    assertEquals(printed, "[8]");
  });

  it("has a span of the call, with the template and the count", () => {
    const spans = spansOf("restwright").map(({ name, kind, attributes }) => [
      name,
      kind,
      ...attributes.map(({ key, value }) => [key, ...Object.values(value)]),
    ]);
    assertEquals(
      spans,
      isDeno
        ? [[
          "GET /books/{}",
          1,
          ["http.request.method", "GET"],
          ["url.template", "/books/{}"],
          ["http.request.resend_count", 2],
        ]]
        : [],
    );
  });

  it("has one CLIENT span of Deno for each request, in the span of the call", () => {
    const [call] = spansOf("restwright");
    const clients = spansOf("deno").map(({ kind, parentSpanId }) => [kind, parentSpanId]);
    assertEquals(clients, isDeno ? Array(3).fill([3, call!.spanId]) : []);
  });

  it("sends the trace context of Deno's spans, but not to another origin", () => {
    const sent = spansOf("deno").map(({ spanId }) => spanId).slice(0, 2);
    assertEquals(parents, isDeno ? [...sent, undefined] : Array(3).fill(undefined));
  });

  it("has the metric once", () => {
    const names = metrics.flatMap(({ resourceMetrics }) => resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap(({ scope, metrics }) => metrics.map(({ name }) => `${scope.name} ${name}`))
      .filter((name) => name.includes("http.client"));
    assertEquals(names, isDeno ? ["restwright http.client.request.duration"] : []);
  });
});
