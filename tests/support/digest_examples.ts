import { hexHash } from "../../src/auth/digest/algorithm.ts";
import {
  type DigestChallenge,
  readDigestChallenges,
} from "../../src/auth/digest/digest_challenge.ts";
import {
  authorizationHeader,
  credentialsFor,
  type DigestProof,
  responseHash,
  secretHash,
} from "../../src/auth/digest/digest_response.ts";

/** Parses the parameters of a Digest challenge. */
export function challengeOf(header: string): DigestChallenge {
  return readDigestChallenges(`Digest ${header}`).known[0]!;
}

/** A challenge, and the request that answers it. */
export interface DigestExample {
  readonly challenge: string;
  readonly username?: string;
  readonly password?: string;
  readonly method?: string;
  readonly body?: string;
  readonly proof: Partial<DigestProof>;
}

/** Returns the Authorization header of an example. */
export function answerTo(
  { challenge: header, username = "Mufasa", password = "x", method = "GET", body = "", proof: of }:
    DigestExample,
): string {
  const challenge = challengeOf(header);
  const credentials = credentialsFor({ username, password }, challenge.isUtf8);
  const proof: DigestProof = {
    nonce: challenge.nonce,
    count: 1,
    cnonce: "c",
    qop: "auth",
    uri: "/",
    ...of,
  };
  const secret = secretHash(challenge, credentials, proof.cnonce);
  const bodyHash = hexHash(challenge.algorithm.hash, body);
  const response = responseHash(challenge.algorithm, secret, proof, method, bodyHash);
  return authorizationHeader(challenge, credentials.username, proof, response);
}

const NONCE_1 = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v";
const CNONCE_1 = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";
const OPAQUE_1 = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS";
const NONCE_2 = "5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK";
const CNONCE_2 = "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v";
const OPAQUE_2 = "HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS";

/** The examples of the RFCs, and their Authorization headers. */
export const digestExamples: readonly (readonly [
  name: string,
  example: DigestExample,
  expected: string,
])[] = [
  [
    "RFC 7616 section 3.9.1 with MD5",
    {
      challenge: `realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, ` +
        `nonce="${NONCE_1}", opaque="${OPAQUE_1}"`,
      password: "Circle of Life",
      proof: { cnonce: CNONCE_1, uri: "/dir/index.html" },
    },
    `Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", ` +
    `algorithm=MD5, nonce="${NONCE_1}", nc=00000001, cnonce="${CNONCE_1}", qop=auth, ` +
    `response="8ca523f5e9506fed4657c9700eebdbec", opaque="${OPAQUE_1}"`,
  ],
  [
    "RFC 7616 section 3.9.1 with SHA-256",
    {
      challenge: `realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, ` +
        `nonce="${NONCE_1}", opaque="${OPAQUE_1}"`,
      password: "Circle of Life",
      proof: { cnonce: CNONCE_1, uri: "/dir/index.html" },
    },
    `Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", ` +
    `algorithm=SHA-256, nonce="${NONCE_1}", nc=00000001, cnonce="${CNONCE_1}", qop=auth, ` +
    `response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1", ` +
    `opaque="${OPAQUE_1}"`,
  ],
  [
    "RFC 7616 section 3.9.2 with SHA-512-256 and userhash, as erratum 4897 corrects it",
    {
      challenge: `realm="api@example.org", qop="auth", algorithm=SHA-512-256, ` +
        `nonce="${NONCE_2}", opaque="${OPAQUE_2}", charset=UTF-8, userhash=true`,
      username: "J\u00e4s\u00f8n Doe",
      password: "Secret, or not?",
      proof: { cnonce: CNONCE_2, uri: "/doe.json" },
    },
    `Digest username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b", ` +
    `realm="api@example.org", uri="/doe.json", algorithm=SHA-512-256, nonce="${NONCE_2}", ` +
    `nc=00000001, cnonce="${CNONCE_2}", qop=auth, ` +
    `response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5", ` +
    `opaque="${OPAQUE_2}", userhash=true`,
  ],
  [
    "RFC 7616 section 3.9.2 without userhash: the name in username*",
    {
      challenge: `realm="api@example.org", qop="auth", algorithm=SHA-512-256, ` +
        `nonce="${NONCE_2}", opaque="${OPAQUE_2}", charset=UTF-8, userhash=false`,
      username: "J\u00e4s\u00f8n Doe",
      password: "Secret, or not?",
      proof: { cnonce: CNONCE_2, uri: "/doe.json" },
    },
    `Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, ` +
    `realm="api@example.org", uri="/doe.json", algorithm=SHA-512-256, nonce="${NONCE_2}", ` +
    `nc=00000001, cnonce="${CNONCE_2}", qop=auth, ` +
    `response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5", ` +
    `opaque="${OPAQUE_2}"`,
  ],
  [
    "RFC 2617 section 3.5",
    {
      challenge: `realm="testrealm@host.com", qop="auth,auth-int", ` +
        `nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"`,
      password: "Circle Of Life",
      proof: { cnonce: "0a4f113b", uri: "/dir/index.html" },
    },
    `Digest username="Mufasa", realm="testrealm@host.com", uri="/dir/index.html", ` +
    `nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", nc=00000001, cnonce="0a4f113b", qop=auth, ` +
    `response="6629fae49393a05397450978507c4ef1", opaque="5ccc069c403ebaf9f0171e9517f40e41"`,
  ],
  [
    "RFC 2069 section 2.4, as erratum 749 corrects it: without qop, count and cnonce",
    {
      challenge: `realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", ` +
        `opaque="5ccc069c403ebaf9f0171e9517f40e41"`,
      password: "CircleOfLife",
      proof: { qop: undefined, uri: "/dir/index.html" },
    },
    `Digest username="Mufasa", realm="testrealm@host.com", uri="/dir/index.html", ` +
    `nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", ` +
    `response="1949323746fe6a43ef61f9606e7febea", opaque="5ccc069c403ebaf9f0171e9517f40e41"`,
  ],
];
