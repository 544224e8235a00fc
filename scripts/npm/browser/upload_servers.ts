/** Two HTTPS servers that receive the uploads of browsers: over HTTP/2 alone, and over HTTP/1.1 alone. */
import { createHash } from "node:crypto";
import { createSecureServer, type ServerHttp2Session } from "node:http2";
import { createServer, type Server } from "node:https";
import { makeCertificates } from "../../../tests/support/certificates.ts";
import { portOf } from "../../../tests/support/server.ts";

/** The running servers. Their certificates are of an authority that no browser knows. */
export interface UploadServers {
  /** The origin of the server over HTTP/2. */
  readonly http2: string;
  /** The origin of the server over HTTP/1.1. */
  readonly http1: string;
  /** Closes all connections and stops the servers. */
  stop(): Promise<void>;
}

/** The parts of a request that the servers of both versions share. */
interface Upload extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly httpVersion: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Answer {
  setHeader(name: string, value: string): unknown;
  write(text: string): unknown;
  end(): unknown;
}

/**
 * Starts the servers, each on a loopback port that the system picks. They respond to an upload with
 * the HTTP version, the Content-Length, and the SHA-256 of the body.
 *
 * @param origin The origin whose pages may use the servers
 */
export async function startUploadServers(origin: string): Promise<UploadServers> {
  const certificates = await makeCertificates();
  const [cert, key] = certificates.server.pem;
  const listener = (upload: Upload, answer: Answer): void => {
    // An upload that breaks off needs no response: its scene gets the error of the connection.
    receive(upload, answer, origin).catch(() => {});
  };
  const http2 = createSecureServer({ cert, key, allowHTTP1: false }, listener);
  const http1 = createServer({ cert, key }, listener);
  // A server over HTTP/2 cannot close its connections by itself.
  const sessions = new Set<ServerHttp2Session>();
  http2.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  const urlOf = async (server: Server | typeof http2): Promise<string> => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `https://127.0.0.1:${portOf(server)}`;
  };
  return {
    http2: await urlOf(http2),
    http1: await urlOf(http1),
    async stop() {
      const closed = [http2, http1].map((server) =>
        new Promise<void>((resolve) => server.close(() => resolve()))
      );
      for (const session of sessions) session.destroy();
      http1.closeAllConnections();
      await Promise.all(closed);
      await certificates.remove();
    },
  };
}

async function receive(upload: Upload, answer: Answer, origin: string): Promise<void> {
  const hash = createHash("sha256");
  for await (const chunk of upload) hash.update(chunk);
  answer.setHeader("access-control-allow-origin", origin);
  answer.setHeader("access-control-allow-methods", "PUT");
  answer.setHeader("access-control-allow-headers", "content-type");
  answer.setHeader("content-type", "application/json");
  const received = {
    httpVersion: upload.httpVersion,
    length: upload.headers["content-length"] ?? null,
    sha256: hash.digest("hex"),
  };
  if (upload.method !== "OPTIONS") answer.write(JSON.stringify(received));
  answer.end();
}
