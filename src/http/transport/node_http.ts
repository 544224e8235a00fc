/**
 * Sends requests through `node:http`, for routes and methods that the runtime's fetch cannot send.
 */
import { TransportError } from "../../errors/transport_error.ts";
import { mergeFields, noFramingHeaders } from "../headers.ts";
import type { TransportInit } from "../transport.ts";
import { answerOf } from "./node_answer.ts";
import { type OutgoingBody, outgoingBody } from "./node_body.ts";
import {
  type Agent,
  type AgentClass,
  type Connected,
  type ConnectOptions,
  hostOf,
  httpModule,
  type IncomingMessage,
  serverName,
  type Socket,
  tlsModule,
  type TlsOptions,
  withRoots,
} from "./node_builtins.ts";
import type { ProxyAddress } from "./proxies.ts";
import type { Route, RuntimeTransport } from "./route.ts";
import { TunnelRefusal, Tunnels } from "./tunnel.ts";

/** A pool of connections to a server or proxy, and how a URL is requested on them. */
interface Upstream {
  readonly protocol: string;
  readonly agent: Agent;
  target(url: URL): { readonly host: string; readonly port: string; readonly path: string };
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Opens a transport on `node:http` and `node:https`, for requests that the runtime's own clients
 * cannot send.
 *
 * It has the features of fetch that an HTTP session needs: streams in both directions, an abort
 * signal, and gzip.
 */
export function openBuiltinTransport(route: Route): RuntimeTransport {
  const { proxy, cert, verify } = route;
  const ca = withRoots(route.ca);
  const toProxy = { ...(ca === undefined ? {} : { ca }), rejectUnauthorized: verify };
  const tunnels = proxy && new Tunnels(proxy, toProxy);
  const secure = secureUpstream(tunnels, { ...toProxy, ...cert });
  const plain = plainUpstream(proxy, toProxy);
  const upstreamOf = (url: string) => url.startsWith("https:") ? secure : plain;
  return {
    carry: (url, init) => carry(upstreamOf(url), url, init),
    carryOnce: (url, init) => carry(upstreamOf(url), url, init, true),
    close() {
      tunnels?.close();
      closeWhenIdle(secure.agent);
      closeWhenIdle(plain.agent);
    },
  };
}

/** Closes idle connections at once, and the others when their response has been read. */
function closeWhenIdle(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
}

/** Returns the connections for `https:` URLs: to the server, directly or through a tunnel. */
function secureUpstream(tunnels: Tunnels | undefined, toServer: TlsOptions): Upstream {
  const { Agent } = httpModule("https:");
  const agent = tunnels === undefined
    ? new Agent({ keepAlive: true, ...toServer })
    : new (tunnelAgent(Agent, tunnels, toServer))({ keepAlive: true });
  return {
    protocol: "https:",
    agent,
    target: (url) => ({
      host: hostOf(url),
      port: url.port || "443",
      path: `${url.pathname}${url.search}`,
    }),
    headers: {},
  };
}

/**
 * Returns the connections for `http:` URLs: to the server, or to a proxy, asked for the whole URL.
 */
function plainUpstream(proxy: ProxyAddress | undefined, toProxy: TlsOptions): Upstream {
  const to = proxy && new URL(proxy.origin);
  const protocol = to?.protocol ?? "http:";
  return {
    protocol,
    agent: new (httpModule(protocol).Agent)({ keepAlive: true, ...toProxy }),
    target: (url) => ({
      host: hostOf(to ?? url),
      port: (to ?? url).port || (protocol === "https:" ? "443" : "80"),
      path: `${to === undefined ? "" : url.origin}${url.pathname}${url.search}`,
    }),
    headers: proxy?.authorization === undefined
      ? {}
      : { "proxy-authorization": proxy.authorization },
  };
}

/** Returns a class of agents that open a tunnel for each connection. */
function tunnelAgent(base: AgentClass, tunnels: Tunnels, toServer: TlsOptions): AgentClass {
  return class extends base {
    override createConnection(options: ConnectOptions, connected: Connected): undefined {
      const { host } = options;
      tunnels.open(options).then((socket) => {
        const servername = serverName(host);
        const secure = tlsModule().connect({ ...toServer, socket, host, servername });
        const fail = (error: unknown) => connected(error);
        secure.once("error", fail);
        secure.once("secureConnect", () => {
          secure.removeListener("error", fail);
          connected(null, secure as Socket);
        });
      }, connected);
    }
  };
}

/**
 * Sends one request. Resolves when the headers of the response have arrived.
 *
 * @param upstream The connections
 * @param url The URL
 * @param init The request
 * @param isOnce True if the runtime must not repeat the request. Default: false
 */
async function carry(
  upstream: Upstream,
  url: string,
  init: TransportInit,
  isOnce: boolean = false,
): Promise<Response> {
  const to = new URL(url);
  const body = await outgoingBody(init.body);
  const { signal } = init;
  return await new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const headers = mergeFields(
      { accept: "*/*", "accept-encoding": "gzip" },
      body?.type,
      init.headers,
      // node:http sends all framing headers that it is given, even if they do not fit the body.
      noFramingHeaders,
      { host: to.host },
      body?.framing,
      upstream.headers,
    );
    const request = httpModule(upstream.protocol).request({
      ...upstream.target(to),
      method: init.method,
      headers,
      agent: upstream.agent,
    });
    // node:http converts the `method` option to upper case.
    request.method = init.method;
    let incoming: IncomingMessage | undefined;
    const abort = () => {
      incoming?.destroy(signal?.reason);
      request.destroy();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    const release = () => signal?.removeEventListener("abort", abort);
    request.on("response", (response: IncomingMessage) => {
      incoming = response;
      resolve(answerOf(response, init.method, to, release));
    });
    request.on("upgrade", (_response: IncomingMessage, socket: Socket) => {
      // Without this listener the request would never settle.
      release();
      socket.destroy();
      reject(
        new TransportError(
          "the server switched to another protocol, which the request did not ask for",
        ),
      );
    });
    let sockets = 0;
    request.on("socket", (socket: Socket) => {
      // If a kept-alive connection closes, Deno's node:http sends the request again on another one.
      if (isOnce && sockets++ > 0) {
        request.destroy(
          new TransportError("the connection closed before the response", { kind: "reset" }),
        );
      }
      // Deno 2.9.6 treats header text as UTF-8 if it is buffered together with the body.
      socket.cork = socket.uncork = () => {};
    });
    request.on("error", (error: Error) => {
      if (incoming === undefined) release();
      if (error instanceof TunnelRefusal && error.response !== undefined) {
        return resolve(error.response);
      }
      reject(error);
    });
    send(body, request, reject);
  });
}

/** Writes the body. Waits if the connection cannot take more at the moment. */
async function send(
  body: OutgoingBody | undefined,
  request: ReturnType<ReturnType<typeof httpModule>["request"]>,
  reject: (reason: unknown) => void,
): Promise<void> {
  let isOver = false;
  let resume = () => {};
  const over = () => {
    isOver = true;
    resume();
  };
  request.once("close", over);
  try {
    for await (const chunk of body?.chunks ?? []) {
      // Returning from the loop cancels the stream.
      if (isOver) return;
      if (!request.write(chunk)) {
        await new Promise<void>((resolve) => {
          resume = resolve;
          request.once("drain", resolve);
        });
      }
    }
    if (!isOver) request.end();
  } catch (error) {
    // The caller's stream failed.
    reject(error);
    request.destroy();
  }
}
