import { Buffer } from "node:buffer";
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { UnexpectedValueError } from "../../mod.ts";
import {
  StandardWebhooks,
  type VerifiedWebhook,
  verifyWebhook,
  type VerifyWebhookOptions,
  WebhookError,
  WebhookHeaderError,
  type WebhookScheme,
  type WebhookSecret,
  WebhookSignatureError,
  WebhookTimestampError,
  WebhookTooLargeError,
} from "../../src/webhooks/mod.ts";

// The vector of the libraries of Standard Webhooks and Svix.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const published = {
  body: '{"test": 2432232314}',
  headers: {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  },
};
const sentAt = 1614265330;

/** Options with a clock that is some seconds after the time of the vector. */
const after = (seconds: number): VerifyWebhookOptions => ({
  clock: { now: () => (sentAt + seconds) * 1000 },
});

const requestOf = (
  { body, headers }: { readonly body: string | Uint8Array<ArrayBuffer>; readonly headers: object },
) => new Request("https://example.com/hook", { method: "POST", body, headers: { ...headers } });

/** Signs a body as Standard Webhooks says, with the functions of Node. */
function signed(body: string | Uint8Array, key: Uint8Array, id = "msg_1", time = sentAt): string {
  const hmac = createHmac("sha256", key).update(`${id}.${time}.`).update(body);
  return `v1,${hmac.digest("base64")}`;
}

const withSignature = (signature: string) => ({
  ...published,
  headers: { ...published.headers, "webhook-signature": signature },
});

const verify = (
  message: Parameters<typeof verifyWebhook>[0] = published,
  secrets: WebhookSecret | readonly WebhookSecret[] = secret,
  options = after(0),
): Promise<VerifiedWebhook> => verifyWebhook(message, secrets, options);

describe("verifyWebhook", () => {
  it("returns the webhook of a request, with its id, its time and its body", async () => {
    const webhook = await verify(requestOf(published));
    assertEquals([webhook.id, webhook.sentAt?.getTime()], [
      published.headers["webhook-id"],
      sentAt * 1000,
    ]);
    assertEquals([webhook.text(), webhook.json()], [published.body, { test: 2432232314 }]);
    assertEquals(Buffer.from(webhook.body).toString(), published.body);
  });

  it("takes headers and the raw body of any server", async () => {
    const names = Object.entries(published.headers);
    const headers = [
      new Headers(names),
      Object.fromEntries(names.map(([name, value]) => [name.toUpperCase(), value])),
      { ...published.headers, ":path": "/hook", "x-list": ["a", "b"], "x-none": undefined },
    ];
    const bytes = new TextEncoder().encode(`--${published.body}--`).slice(2, -2);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const bodies = [published.body, bytes, bytes.buffer, Buffer.from(bytes), shared];
    for (const each of headers) {
      for (const body of bodies) {
        assertEquals((await verify({ headers: each, body })).text(), published.body);
      }
    }
  });

  it("verifies bytes that are not text", async () => {
    const body = Uint8Array.from([0, 255, 10, 13, 10]);
    const message = { ...withSignature(signed(body, Buffer.from("key"))), body };
    message.headers["webhook-id"] = "msg_1";
    const webhook = await verify(requestOf(message), Buffer.from("key"));
    assertEquals([...webhook.body], [...body]);
  });

  it("refuses a body that was changed, and one for another id or time", async () => {
    const { headers } = published;
    const changes = [
      { ...published, body: '{"test": 2432232315}' },
      { ...published, body: "" },
      { ...published, headers: { ...headers, "webhook-id": "msg_2" } },
      { ...published, headers: { ...headers, "webhook-timestamp": "1614265331" } },
      withSignature(`v1,${"A".repeat(43)}=`),
    ];
    for (const each of changes) {
      const error = await assertRejects(() => verify(each), WebhookSignatureError);
      assert(error instanceof WebhookError);
      assertEquals(error.header, "webhook-signature");
    }
  });

  it("takes one of several signatures, and skips versions that it does not know", async () => {
    const right = published.headers["webhook-signature"];
    const wrong = `v1,${"A".repeat(43)}=`;
    const listed = [
      `${wrong} ${right}`,
      `v2,${right.slice(3)} v1,!!! v1 ${right} v1a,AAAA`,
      `${wrong}, ${right}`,
    ];
    for (const each of listed) {
      assertEquals((await verify(withSignature(each))).json(), { test: 2432232314 });
    }
    for (const each of [`v2,${right.slice(3)}`, right.slice(3), "", `v1a,${right.slice(3)}`]) {
      await assertRejects(() => verify(withSignature(each)), WebhookSignatureError);
    }
  });

  it("takes one of several secrets, while one replaces another", async () => {
    assert(await verify(published, ["whsec_b2xk", secret]));
    assert(await verify(published, secret.slice("whsec_".length)));
    assert(await verify(published, Buffer.from(secret.slice("whsec_".length), "base64")));
    await assertRejects(() => verify(published, ["whsec_b2xk"]), WebhookSignatureError);
  });

  it("verifies signatures of a private key by the public one", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
    const data = Buffer.from(`msg_1.${sentAt}.${published.body}`);
    const signature = sign(null, data, privateKey).toString("base64");
    const message = withSignature(`v1,AAAA v1a,${signature}`);
    message.headers["webhook-id"] = "msg_1";
    assertEquals((await verify(message, [secret, `whpk_${raw}`])).id, "msg_1");
    await assertRejects(
      () => verify({ ...message, body: "{}" }, `whpk_${raw}`),
      WebhookSignatureError,
    );
    // Anybody can know a public key: an HMAC with it proves nothing.
    const forged = withSignature(signed(published.body, Buffer.from(raw, "base64")));
    forged.headers["webhook-id"] = "msg_1";
    await assertRejects(() => verify(forged, `whpk_${raw}`), WebhookSignatureError);
  });

  it("refuses a public key that was passed as the secret of an HMAC", async () => {
    const { publicKey } = generateKeyPairSync("ed25519");
    const spki = publicKey.export({ format: "der", type: "spki" });
    const pem = publicKey.export({ format: "pem", type: "spki" }).toString();
    for (const each of [spki, spki.toString("base64"), Buffer.from(pem), Buffer.from("whpk_AA")]) {
      const key = typeof each === "string" ? spki : each;
      const forged = withSignature(signed(published.body, key));
      forged.headers["webhook-id"] = "msg_1";
      for (const secrets of [each, ["whsec_b2xk", each]]) {
        const error = await assertRejects(() => verify(forged, secrets), UnexpectedValueError);
        assert(error.message.includes("takes a public key as a string: whpk_"), error.message);
      }
    }
  });

  it("refuses a webhook that is too old, or from the future", async () => {
    assert(await verify(published, secret, after(300)));
    assert(await verify(published, secret, after(-300)));
    for (const age of [301, -301]) {
      const error = await assertRejects(
        () => verify(published, secret, after(age)),
        WebhookTimestampError,
      );
      assertEquals([error.age, error.tolerance, error.sentAt.getTime()], [age, 300, sentAt * 1000]);
      assertEquals(JSON.parse(JSON.stringify(error)).age, age);
    }
    assert(await verify(published, secret, { ...after(100_000), tolerance: null }));
    assert(await verify(published, secret, { ...after(400), tolerance: 400 }));
    await assertRejects(() => verifyWebhook(published, secret), WebhookTimestampError);
    // Its time says nothing if somebody else sent it.
    const forged = withSignature(`v1,${"A".repeat(43)}=`);
    await assertRejects(() => verify(forged, secret, after(301)), WebhookSignatureError);
  });

  it("refuses a time that is none, of a scheme or of the clock", async () => {
    const schemeOf = (date: Date): WebhookScheme => ({
      read: () => ({ header: "x", sentAt: date, isMadeWith: () => Promise.resolve(true) }),
    });
    const [right, wrong] = [new Date(sentAt * 1000), new Date("soon")];
    assert(await verify(published, secret, { ...after(0), scheme: schemeOf(right) }));
    for (
      const options of [
        { ...after(0), scheme: schemeOf(wrong) },
        { clock: { now: () => NaN }, scheme: schemeOf(right) },
        { clock: { now: () => NaN } },
      ]
    ) {
      const error = await assertRejects(
        () => verify(published, secret, options),
        WebhookTimestampError,
        "the age of the webhook is not a number",
      );
      assertEquals(error.age, NaN);
    }
  });

  it("reads a body only if the headers of the scheme are there", async () => {
    for (const name of Object.keys(published.headers)) {
      const { [name]: _, ...headers } = published.headers as Record<string, string>;
      const request = requestOf({ ...published, headers });
      await assertRejects(() => verify(request), WebhookHeaderError);
      assert(!request.bodyUsed);
      assertEquals(await request.text(), published.body);
    }
    const requiredHeaders = ["x-token"];
    const scheme: WebhookScheme = {
      requiredHeaders,
      read: () => ({ header: "x-token", isMadeWith: () => Promise.resolve(true) }),
    };
    const request = requestOf(published);
    const error = await assertRejects(
      () => verify(request, secret, { scheme }),
      WebhookHeaderError,
    );
    assertEquals([error.header, request.bodyUsed], ["x-token", false]);
    await request.text();
  });

  it("reads a body up to a limit, and cancels the rest", async () => {
    let [sent, isCancelled] = [0, false];
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1000;
        controller.enqueue(new Uint8Array(1000));
      },
      cancel() {
        isCancelled = true;
      },
    }, { highWaterMark: 0 });
    const { headers } = published;
    const init = { ...{ method: "POST", headers, body: stream }, duplex: "half" };
    const endless = new Request("https://example.com/hook", init);
    const error = await assertRejects(
      () => verify(endless, secret, { ...after(0), maxBodyBytes: 5000 }),
      WebhookTooLargeError,
    );
    assert(error instanceof WebhookError);
    assertEquals([error.limit, JSON.parse(JSON.stringify(error)).limit], [5000, 5000]);
    assert(isCancelled);
    assert(sent < 20_000, `${sent} bytes were read`);

    const { length } = published.body;
    for (const make of [requestOf, (message: typeof published) => message]) {
      for (const maxBodyBytes of [length, null, Infinity, undefined]) {
        assert(await verify(make(published), secret, { ...after(0), maxBodyBytes }));
      }
      await assertRejects(
        () => verify(make(published), secret, { ...after(0), maxBodyBytes: length - 1 }),
        WebhookTooLargeError,
        `longer than maxBodyBytes (${length - 1} bytes)`,
      );
      const large = { ...published, body: "a".repeat(2 ** 20 + 1) };
      await assertRejects(() => verify(make(large)), WebhookTooLargeError);
    }
  });

  it("reads a body of many small chunks, and one of none", async () => {
    const key = Buffer.from("key");
    for (const body of [new Uint8Array(3000).map((_, at) => at), new Uint8Array()]) {
      let at = 0;
      const stream = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (at === body.length) return controller.close();
          controller.enqueue(body.slice(at, ++at));
        },
      });
      const headers = { ...withSignature(signed(body, key)).headers, "webhook-id": "msg_1" };
      const init = { ...{ method: "POST", headers, body: stream }, duplex: "half" };
      const webhook = await verify(new Request("https://example.com/hook", init), key);
      assertEquals([...webhook.body], [...body]);
      assertEquals(webhook.body.buffer.byteLength, body.length);
    }
    const headers = { ...withSignature(signed("", key)).headers, "webhook-id": "msg_1" };
    const empty = new Request("https://example.com/hook", { method: "POST", headers });
    assertEquals((await verify(empty, key)).body.length, 0);
  });

  it("skips headers that cannot be sent", async () => {
    const others = { "x-note": "日", "x-list": ["a", "日"], "no token": "a", "x-line": "a\nb" };
    assert(await verify({ ...published, headers: { ...published.headers, ...others } }));
    const headers = { ...published.headers, "webhook-id": "日" };
    await assertRejects(() => verify({ ...published, headers }), WebhookHeaderError, "webhook-id");
  });

  it("names a header that is missing or cannot be read", async () => {
    for (const name of Object.keys(published.headers)) {
      const { [name]: _, ...headers } = published.headers as Record<string, string>;
      const error = await assertRejects(
        () => verify({ ...published, headers }),
        WebhookHeaderError,
      );
      assertEquals([error.header, error.message], [name, `the webhook has no header ${name}`]);
    }
    for (
      const time of ["soon", "1614265330.5", "-1", "99999999999999999999", "2021-02-25T15:02:10Z"]
    ) {
      const headers = { ...published.headers, "webhook-timestamp": time };
      const error = await assertRejects(
        () => verify({ ...published, headers }),
        WebhookHeaderError,
      );
      assertEquals(error.header, "webhook-timestamp");
      assert(!error.message.includes(time), error.message);
    }
  });

  it("refuses what was parsed or read already, with the reason", async () => {
    const parsed = { ...published, body: JSON.parse(published.body) };
    const error = await assertRejects(() => verify(parsed), UnexpectedValueError);
    assert(error.message.includes("has other bytes than those that were signed"), error.message);
    const request = requestOf(published);
    await request.text();
    await assertRejects(() => verify(request), UnexpectedValueError, "one whose body was read");
    const locked = requestOf(published);
    const reader = locked.body!.getReader();
    await assertRejects(() => verify(locked), UnexpectedValueError, "one whose body was read");
    await reader.cancel();
    for (const wrong of [null, 5, "text", { body: "" }, { headers: null, body: "" }]) {
      await assertRejects(() => verify(wrong as unknown as Request), UnexpectedValueError);
    }
  });

  it("refuses secrets and options that are wrong, and shows no secret", async () => {
    const wrong = ["", [], undefined, [secret, ""], 5, new Uint8Array()] as unknown[];
    for (const each of wrong) {
      await assertRejects(
        () => verifyWebhook(published, each as string, after(0)),
        UnexpectedValueError,
      );
    }
    for (const each of ["whsec_no base 64!", "whsk_AAAA", "whpk_AAAA"]) {
      const error = await assertRejects(() => verify(published, each), UnexpectedValueError);
      assert(!error.message.includes(each), error.message);
    }
    const options = [{ tolerance: -1 }, { tolerence: 5 }, { tolerance: "5" }, { maxBodyBytes: 0 }];
    for (const each of options) {
      await assertRejects(
        () => verifyWebhook(published, secret, each as VerifyWebhookOptions),
        UnexpectedValueError,
      );
    }
    assertThrows(() => new StandardWebhooks({ prefix: "a b" }), UnexpectedValueError);
  });

  it("reads the names of headers that other senders have", async () => {
    const headers = Object.fromEntries(
      Object.entries(published.headers).map(([name, value]) => [
        name.replace("webhook-", "svix-"),
        value,
      ]),
    );
    const scheme = new StandardWebhooks({ prefix: "svix-" });
    assert(await verify({ ...published, headers }, secret, { ...after(0), scheme }));
  });

  it("takes a scheme of the program's own", async () => {
    const scheme: WebhookScheme = {
      read: ({ headers }) => ({
        header: "x-token",
        isMadeWith: (each) => Promise.resolve(headers.get("x-token") === each),
      }),
    };
    const message = { headers: { "X-Token": "t" }, body: "{}" };
    const webhook = await verifyWebhook(message, "t", { scheme });
    assertEquals([webhook.id, webhook.sentAt, webhook.json()], [undefined, undefined, {}]);
    await assertRejects(() => verifyWebhook(message, "u", { scheme }), WebhookSignatureError);
  });
});
