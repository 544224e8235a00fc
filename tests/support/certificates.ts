import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A certificate and its key, as files and as PEM. */
export interface Pair {
  /** The path of the certificate. */
  readonly certificate: string;
  /** The path of the key. */
  readonly key: string;
  /** The texts of the certificate and the key. */
  readonly pem: readonly [certificate: string, key: string];
}

/** Certificates for the TLS tests. */
export interface Certificates {
  /** The private authority that signed the certificates of the servers and of `client`. */
  readonly authority: Pair;
  /** An authority that signed nothing. */
  readonly stranger: Pair;
  /** For servers on `localhost` and 127.0.0.1. */
  readonly server: Pair;
  /** For a server whose certificate has expired. */
  readonly expired: Pair;
  /** For a server, with the name of another host. */
  readonly wrongHost: Pair;
  /** For a client, `CN=ada`. */
  readonly client: Pair;
  /** For a client, signed by `stranger`. */
  readonly strangeClient: Pair;
  /** The folder of the files. */
  readonly folder: string;
  /** Removes the folder. */
  remove(): Promise<void>;
}

/** Creates new certificates with openssl. */
export async function makeCertificates(): Promise<Certificates> {
  const folder = await mkdtemp(join(tmpdir(), "restwright-tls-"));
  // nginx and squid run as other users, who have to read the files.
  await chmod(folder, 0o755);
  const openssl = (...args: string[]) => run("openssl", args, { cwd: folder });
  const pairOf = async (name: string): Promise<Pair> => {
    const [certificate, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
    await chmod(key, 0o644);
    const pem = [await readFile(certificate, "utf8"), await readFile(key, "utf8")] as const;
    return { certificate, key, pem };
  };
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const authority = async (name: string): Promise<Pair> => {
    const out = ["-keyout", `${name}.key`, "-out", `${name}.pem`];
    await openssl("req", "-x509", ...newKey, ...out, "-subj", `/CN=${name}`, "-days", "2");
    return await pairOf(name);
  };
  const signed = async (
    name: string,
    { by, extensions, days = 2 }: { by: string; extensions: string; days?: number },
  ): Promise<Pair> => {
    const request = `${name}.csr`;
    const out = ["-keyout", `${name}.key`, "-out", request];
    await openssl("req", ...newKey, ...out, "-subj", `/CN=${name}`);
    await writeFile(join(folder, `${name}.cnf`), extensions);
    await openssl(
      ...["x509", "-req", "-in", request, "-CA", `${by}.pem`, "-CAkey", `${by}.key`],
      ...["-CAcreateserial", "-days", `${days}`, "-extfile", `${name}.cnf`, "-out", `${name}.pem`],
    );
    return await pairOf(name);
  };
  const forServer = (names: string) => `subjectAltName=${names}\nextendedKeyUsage=serverAuth\n`;
  const local = forServer("DNS:localhost,IP:127.0.0.1");
  const forClient = "extendedKeyUsage=clientAuth\n";
  try {
    return {
      authority: await authority("authority"),
      stranger: await authority("stranger"),
      server: await signed("server", { by: "authority", extensions: local }),
      expired: await signed("expired", { by: "authority", extensions: local, days: -1 }),
      wrongHost: await signed("wrong", {
        by: "authority",
        extensions: forServer("DNS:other.example"),
      }),
      client: await signed("ada", { by: "authority", extensions: forClient }),
      strangeClient: await signed("eve", { by: "stranger", extensions: forClient }),
      folder,
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
