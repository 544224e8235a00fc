import { assertEquals, describe, it } from "#test";
import fc from "fast-check";
import { DigestAuth } from "../../../src/auth/digest/mod.ts";
import { readDigestChallenges } from "../../../src/auth/digest/digest_challenge.ts";
import { answerTo, challengeOf, digestExamples } from "../../support/digest_examples.ts";
import { DigestServer } from "../../support/digest_server.ts";
import { exchanging } from "../../support/exchanging.ts";
import { holds, stringOf } from "../../support/property.ts";

describe("the examples of RFC 7616 and RFC 2617", () => {
  // contract: auth-3
  it("have the same answer in any order, case and spacing, and among other challenges", async () => {
    const example = fc.constantFrom(...digestExamples);
    const comma = fc.constantFrom(", ", ",", " ,\t", ",,", " , , ");
    const equals = fc.constantFrom("=", " = ", "\t=");
    const other = fc.constantFrom('Basic realm="a, b"', "Negotiate", "NTLM abc==", "New x=1");
    const others = fc.array(other, { maxLength: 2 });
    const order = fc.array(fc.nat(), { minLength: 9, maxLength: 9 });
    await holds(fc.property(
      example,
      order,
      comma,
      equals,
      fc.boolean(),
      others,
      others,
      ([, given, expected], keys, between, sign, isUpper, before, after) => {
        const params = [...given.challenge.matchAll(/([\w]+)=("[^"]*"|[^,]+)/g)]
          .map(([, name = "", value]) => (isUpper ? name.toUpperCase() : name) + sign + value)
          .map((param, index) => [keys[index]!, param] as const)
          .sort(([one], [two]) => one - two)
          .map(([, param]) => param);
        const challenge = [...params, ...after].join(between);
        assertEquals(answerTo({ ...given, challenge }), expected);
        const header = [...before, `${isUpper ? "DIGEST" : "digest"} ${challenge}`].join(between);
        assertEquals(readDigestChallenges(header).known, [challengeOf(given.challenge)]);
      },
    ));
  });
});

describe("Digest with any values", () => {
  const text = stringOf(...[" ", '"', "\\", ",", "=", ":", "%", "é", "€", "🔑", "a", "Ada", "'"])
    .map((each) => each.toWellFormed());
  const name = text.map((each) => each.replace(/\p{Cc}/gu, ""));
  const realm = name.map((each) => each.replace(/[^ -~\xa0-\xff]/g, "?"));

  const policy = fc.record({
    algorithm: fc.constantFrom("MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512"),
    qop: fc.constantFrom("auth", "auth-int", "auth,auth-int", null),
    uses: fc.constantFrom(1, 2, 100),
    nextAfter: fc.constantFrom(1, 2, 100),
    saysStale: fc.boolean(),
    proof: fc.constant("right" as const),
  });
  const request = fc.record({
    path: text.map((each) => `/x${encodeURI(each)}`),
    body: fc.oneof(fc.constant(undefined), text),
  });
  const requests = fc.array(request, { minLength: 1, maxLength: 4 });

  it("is accepted by an independent server, request after request", async () => {
    await holds(
      fc.asyncProperty(
        policy,
        name,
        text,
        realm,
        requests,
        fc.constantFrom("", "charset=UTF-8", "charset=UTF-8, userhash=true"),
        fc.boolean(),
        async (given, username, password, place, sent, more, integrity) => {
          // The server compares names as they are, so that they have to be normalized before.
          const [user, secret] = [username, password].map((each) => each.normalize("NFC"));
          const server = new DigestServer({
            ...given,
            users: { [user!]: secret! },
            realm: () => place,
            ...(more !== "" && { more }),
          });
          const auth = new DigestAuth(user!, secret!, { integrity });
          const { send } = exchanging({ answers: [], session: { auth, fetch: server.transport } });
          for (const { path, body } of sent) {
            const { response } = await send({
              method: body === undefined ? "GET" : "POST",
              url: new URL(path, "https://a.example").href,
              body: body === undefined ? { kind: "none" } : { kind: "whole", content: body },
            });
            assertEquals([response.status, await response.text()], [200, "well kept"]);
          }
          const reasons = new Set(server.refusals);
          assertEquals([...reasons].filter((each) => each !== "no answer" && each !== "stale"), []);
        },
      ),
      150,
    );
  });
});
