/** Reads certificates and keys from PEM or from files, and checks them. */
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { UnsupportedOptionError } from "../../errors/unsupported_option_error.ts";
import { builtinModule } from "../../base/runtime.ts";

/**
 * A client certificate and its key. Text that begins with `-----BEGIN` is PEM; any other text is
 * the path of a PEM file. Intermediate certificates may follow the certificate. The key must not be
 * encrypted.
 *
 * @example `["/etc/acme/client.pem", "/etc/acme/client.key"]`
 *
 * @category HTTP
 */
export type ClientCertificate = readonly [certificate: string, key: string];

/**
 * Certificates of authorities. Text that begins with `-----BEGIN` is PEM; any other text is the
 * path of a PEM file. Each text or file may hold several certificates.
 *
 * @example `"/etc/acme/authorities.pem"`
 *
 * @category HTTP
 */
export type CertificateAuthorities = string | readonly string[];

/** A client certificate and its key, as PEM. */
export interface PemPair {
  /** The certificate, followed by its intermediate certificates. */
  readonly cert: string;
  /** The private key, not encrypted. */
  readonly key: string;
}

interface FileSystem {
  readFileSync(path: string, encoding: "utf8"): string;
}

interface Crypto {
  readonly X509Certificate: new (pem: string) => { checkPrivateKey(key: unknown): boolean };
  createPrivateKey(pem: string): unknown;
}

/**
 * Reads and checks a client certificate and its key. The key must belong to the first certificate.
 *
 * @param value The value of the `cert` option
 * @throws {UnexpectedValueError} If the value is not a pair, a file cannot be read, or its content
 * is not a certificate and its key
 * @throws {UnsupportedOptionError} If the runtime lacks `node:crypto`, or `node:fs` for a path
 */
export function checkedCert(value: unknown): PemPair | undefined {
  if (value === undefined || value === null) return undefined;
  const [certificate, secret, ...more]: unknown[] = Array.isArray(value) ? value : [];
  if (!isFilled(certificate) || !isFilled(secret) || more.length > 0) {
    const expected = "a pair of certificate and key, each as PEM or as the path of a file, or null";
    throw new UnexpectedValueError("cert", expected, value);
  }
  const certificates = certificatesIn("cert[0]", certificate);
  const key = blocksIn("cert[1]", secret, "[A-Z ]*PRIVATE KEY")[0];
  const { X509Certificate, createPrivateKey } = builtin<Crypto>("node:crypto", "cert");
  let isPair: boolean;
  try {
    const first = new X509Certificate(certificates[0] ?? "");
    isPair = first.checkPrivateKey(createPrivateKey(key ?? ""));
  } catch {
    // The original error is not passed on: its message may show a part of the key.
    const expected = "a certificate and its key in PEM; the key must not be encrypted";
    throw new UnexpectedValueError("cert", expected, value);
  }
  if (isPair) return { cert: certificates.join("\n"), key: key! };
  throw new UnexpectedValueError("cert", "a certificate and the key that belongs to it", value);
}

/**
 * Reads and checks certificates of authorities.
 *
 * @param value The value of the `ca` option
 * @throws {UnexpectedValueError} If a file cannot be read, or its content is not a certificate
 * @throws {UnsupportedOptionError} If the runtime lacks `node:crypto`, or `node:fs` for a path
 */
export function checkedAuthorities(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const all: unknown[] = Array.isArray(value) ? value : [value];
  const expected = "certificates of authorities, each as PEM or as the path of a file, or null";
  if (all.length === 0) throw new UnexpectedValueError("ca", expected, value);
  return all.flatMap((each, index) => {
    const option = Array.isArray(value) ? `ca[${index}]` : "ca";
    if (!isFilled(each)) throw new UnexpectedValueError(option, expected, each);
    const certificates = certificatesIn(option, each);
    const { X509Certificate } = builtin<Crypto>("node:crypto", "ca");
    try {
      for (const certificate of certificates) new X509Certificate(certificate);
    } catch {
      throw new UnexpectedValueError(option, expected, each);
    }
    return certificates;
  });
}

function certificatesIn(option: string, given: string): string[] {
  return blocksIn(option, given, "(?:X509 )?CERTIFICATE");
}

/** Returns the PEM blocks with a label. Files may hold other blocks, and notes between them. */
function blocksIn(option: string, given: string, label: string): string[] {
  const text = given.startsWith("-----BEGIN") ? given : readText(option, given);
  const blocks = text.match(new RegExp(`-----BEGIN (${label})-----[^]*?-----END \\1-----`, "g"));
  if (blocks !== null) return blocks;
  const what = label.includes("KEY") ? "a key" : "a certificate";
  throw new UnexpectedValueError(
    option,
    `PEM that contains ${what}, or the path of such a file`,
    given,
  );
}

function readText(option: string, path: string): string {
  const files = builtin<FileSystem>("node:fs", option);
  try {
    return files.readFileSync(path, "utf8");
  } catch (error) {
    // The message must not show the path: a key without its first line is mistaken for a path.
    const { code, name } = error as Error & { readonly code?: string };
    // Without permission to read, Deno's error has a name of its own and no code.
    const expected = `PEM that begins with -----BEGIN, or the path of a file that can be read (${
      code ?? name
    })`;
    throw new UnexpectedValueError(option, expected, path);
  }
}

function builtin<M>(name: `node:${string}`, option: string): M {
  const found = builtinModule<M>(name);
  if (found !== undefined) return found;
  throw new UnsupportedOptionError(option, `the runtime has no ${name}`);
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
