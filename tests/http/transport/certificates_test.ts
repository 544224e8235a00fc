import { after, assert, assertEquals, assertThrows, before, describe, it } from "#test";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { APISession, UnexpectedValueError } from "../../../mod.ts";
import { HttpSession } from "../../../src/http/mod.ts";
import { checkedAuthorities, checkedCert } from "../../../src/http/transport/certificates.ts";
import { type Certificates, makeCertificates } from "../../support/certificates.ts";
import { tlsMissing } from "../../support/tls_peers.ts";

const GARBAGE = "-----BEGIN CERTIFICATE-----\nbm90aGluZw==\n-----END CERTIFICATE-----\n";
const GARBAGE_KEY = GARBAGE.replaceAll("CERTIFICATE", "PRIVATE KEY");

describe("certificates", () => {
  const missing = tlsMissing();
  let made: Certificates;
  const test = (name: string, body: () => void) => it(name, body, { ignore: missing });

  before(async () => {
    if (missing === undefined) made = await makeCertificates();
  });
  after(() => made?.remove());

  const file = (name: string, text: string): string => {
    const path = join(made.folder, name);
    writeFileSync(path, text);
    return path;
  };
  const trimmed = (text: string | undefined) => text?.trim();

  // contract: reading-13
  test("cert accepts PEM and paths, also one of each", () => {
    const { pem: [cert, key], certificate, key: keyFile } = made.client;
    for (
      const input of [[cert, key], [certificate, keyFile], [cert, keyFile], [certificate, key]]
    ) {
      assertEquals(checkedCert(input), { cert: cert.trim(), key: key.trim() });
    }
    assertEquals([checkedCert(null), checkedCert(undefined)], [undefined, undefined]);
  });

  test("cert accepts one file for both, with notes between the blocks and the chain", () => {
    const { pem: [cert, key] } = made.client;
    const chain = made.authority.pem[0];
    const all = file("all.pem", `a note\n${cert}subject=CN = ada\n${chain}\n${key}`);
    assertEquals(checkedCert([all, all]), {
      cert: `${cert.trim()}\n${chain.trim()}`,
      key: key.trim(),
    });
  });

  test("cert accepts keys in every common format", () => {
    const openssl = (...args: string[]) =>
      execFileSync("openssl", args, { cwd: made.folder, stdio: "pipe" });
    openssl("ec", "-in", made.client.key, "-out", "sec1.key");
    assertEquals(
      checkedCert([made.client.certificate, join(made.folder, "sec1.key")]) === undefined,
      false,
    );
    const rsa = ["-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=rsa"];
    openssl("req", ...rsa, "-keyout", "rsa.key", "-out", "rsa.pem");
    openssl("rsa", "-in", "rsa.key", "-traditional", "-out", "pkcs1.key");
    for (const key of ["rsa.key", "pkcs1.key"]) {
      const pair = checkedCert([join(made.folder, "rsa.pem"), join(made.folder, key)]);
      assert(trimmed(pair?.key)?.startsWith("-----BEGIN"), key);
    }
    openssl("pkcs8", "-topk8", "-in", "rsa.key", "-out", "locked.key", "-passout", "pass:x");
    const locked = [join(made.folder, "rsa.pem"), join(made.folder, "locked.key")];
    assertThrows(() => checkedCert(locked), UnexpectedValueError, "must not be encrypted");
  });

  const badCerts: readonly (readonly [string, () => unknown, string, option?: string])[] = [
    ["a string", () => made.client.pem[0], "a pair of certificate and key"],
    ["one of two", () => [made.client.pem[0]], "a pair of certificate and key"],
    ["three", () => [...made.client.pem, "x"], "a pair of certificate and key"],
    ["an empty string", () => [made.client.pem[0], ""], "a pair of certificate and key"],
    ["a number", () => [made.client.pem[0], 7], "a pair of certificate and key"],
    [
      "a file that does not exist",
      () => [made.client.certificate, "/nowhere/secret.key"],
      "(ENOENT)",
      "cert[1]",
    ],
    [
      "a folder",
      () => [made.folder, made.client.key],
      "the path of a file that can be read",
      "cert[0]",
    ],
    [
      "a file without a certificate",
      () => [made.client.key, made.client.key],
      "PEM that contains a certificate",
      "cert[0]",
    ],
    [
      "a file without a key",
      () => [made.client.certificate, made.client.certificate],
      "PEM that contains a key",
      "cert[1]",
    ],
    [
      "certificate and key in the wrong order",
      () => [...made.client.pem].reverse(),
      "PEM that contains a certificate",
      "cert[0]",
    ],
    [
      "a key of another certificate",
      () => [made.client.pem[0], made.strangeClient.pem[1]],
      "the key that belongs to it",
    ],
    ["data that is not a certificate", () => [GARBAGE, made.client.pem[1]], "in PEM"],
    ["data that is not a key", () => [made.client.pem[0], GARBAGE_KEY], "in PEM"],
    [
      "a key whose first line is missing",
      () => [made.client.pem[0], made.client.pem[1].slice(28)],
      "PEM that begins with",
      "cert[1]",
    ],
  ];
  for (const [what, input, expected, option = "cert"] of badCerts) {
    test(`cert is refused before anything is sent: ${what}`, () => {
      const error = assertThrows(() => checkedCert(input()), UnexpectedValueError, expected);
      assertEquals(error.option, option);
      const shown = `${error.stack}${JSON.stringify(error)}${String(error.cause)}`;
      for (const secret of [made.client.pem[1].slice(40, 80), "bm90aGluZw", "secret.key"]) {
        assert(!shown.includes(secret), shown);
      }
      const cert = input() as readonly [string, string];
      const url = "https://a.example";
      assertThrows(() => new APISession({ url, cert }), UnexpectedValueError, expected);
      assertThrows(() => new HttpSession({ cert }), UnexpectedValueError, expected);
    });
  }

  test("ca accepts PEM, paths and lists, each with one certificate or more", () => {
    const { authority, stranger } = made;
    const [one, other] = [authority.pem[0].trim(), stranger.pem[0].trim()];
    assertEquals(checkedAuthorities(authority.pem[0]), [one]);
    assertEquals(checkedAuthorities(authority.certificate), [one]);
    assertEquals(checkedAuthorities([authority.certificate, other]), [one, other]);
    assertEquals(checkedAuthorities(file("bundle.pem", `# both\n${one}\n${other}\n`)), [
      one,
      other,
    ]);
    assertEquals([checkedAuthorities(null), checkedAuthorities(undefined)], [[], []]);
  });

  const badAuthorities: readonly (readonly [string, () => unknown, option?: string])[] = [
    ["an empty list", () => []],
    ["an empty string", () => ""],
    ["a number in a list", () => [made.authority.certificate, 7], "ca[1]"],
    ["a file that does not exist", () => "/nowhere/authority.pem"],
    ["a file without a certificate", () => made.client.key],
    ["data that is not a certificate", () => [made.authority.certificate, GARBAGE], "ca[1]"],
  ];
  for (const [what, input, option = "ca"] of badAuthorities) {
    test(`ca is refused before anything is sent: ${what}`, () => {
      const error = assertThrows(() => checkedAuthorities(input()), UnexpectedValueError);
      assertEquals(error.option, option);
    });
  }
});
