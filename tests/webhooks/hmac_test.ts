import { createHmac } from "node:crypto";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { UnexpectedValueError } from "../../mod.ts";
import {
  HmacWebhooks,
  type HmacWebhooksOptions,
  verifyWebhook,
  WebhookHeaderError,
  WebhookSignatureError,
  WebhookTimestampError,
} from "../../src/webhooks/mod.ts";

/** The forms of some APIs. */
const github = new HmacWebhooks({ signatureHeader: "X-Hub-Signature-256", prefix: "sha256=" });
const shopify = new HmacWebhooks({ signatureHeader: "X-Shopify-Hmac-SHA256", encoding: "base64" });
const slack = new HmacWebhooks({
  signatureHeader: "X-Slack-Signature",
  prefix: "v0=",
  timestampHeader: "X-Slack-Request-Timestamp",
  signed: "v0:{timestamp}:{body}",
});
const stripe = new HmacWebhooks({
  signatureHeader: "Stripe-Signature",
  signatureField: "v1",
  timestampField: "t",
  signed: "{timestamp}.{body}",
});

const at = (seconds: number) => ({ clock: { now: () => seconds * 1000 } });

describe("HmacWebhooks", () => {
  it("verifies the webhooks of GitHub, by the example of its documentation", async () => {
    const message = {
      headers: {
        "X-Hub-Signature-256":
          "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
      },
      body: "Hello, World!",
    };
    const options = { scheme: github };
    const webhook = await verifyWebhook(message, "It's a Secret to Everybody", options);
    assertEquals([webhook.text(), webhook.sentAt], ["Hello, World!", undefined]);
    await assertRejects(
      () => verifyWebhook({ ...message, body: "Hello, World." }, "It's a Secret", options),
      WebhookSignatureError,
      "X-Hub-Signature-256",
    );
  });

  it("verifies the webhooks of Slack, by the example of its documentation", async () => {
    const message = {
      headers: {
        "X-Slack-Request-Timestamp": "1531420618",
        "X-Slack-Signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
      },
      body: "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow" +
        "&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner" +
        "&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands" +
        "%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN" +
        "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
    };
    const secret = "8f742231b10e8888abcd99yyyzzz85a5";
    const webhook = await verifyWebhook(message, secret, { scheme: slack, ...at(1531420618) });
    assertEquals(webhook.sentAt?.getTime(), 1531420618_000);
    assertEquals(new URLSearchParams(webhook.text()).get("channel_name"), "foobar");
    await assertRejects(
      () => verifyWebhook(message, secret, { scheme: slack, ...at(1531420919) }),
      WebhookTimestampError,
    );
  });

  it("verifies the webhooks of Stripe, with several signatures in a list", async () => {
    const [secret, body, time] = ["whsec_test", '{"id":"evt_1"}', 1700000000];
    const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
    const wrong = "0".repeat(64);
    const lists = [
      `t=${time},v1=${signature}`,
      `t=${time},v1=${wrong},v1=${signature},v0=${wrong}`,
      `t=${time}, v1=${signature}`,
    ];
    for (const list of lists) {
      const message = { headers: { "Stripe-Signature": list }, body };
      const webhook = await verifyWebhook(message, secret, { scheme: stripe, ...at(time) });
      assertEquals(webhook.json(), { id: "evt_1" });
    }
    for (const list of [`t=${time},v0=${signature}`, `t=${time}`, `t=${time},v1=${signature}0`]) {
      await assertRejects(
        () =>
          verifyWebhook({ headers: { "Stripe-Signature": list }, body }, secret, {
            ...{ scheme: stripe, ...at(time) },
          }),
        WebhookSignatureError,
      );
    }
    await assertRejects(
      () =>
        verifyWebhook({ headers: { "Stripe-Signature": `v1=${signature}` }, body }, secret, {
          ...{ scheme: stripe, ...at(time) },
        }),
      WebhookHeaderError,
      "must be a list with t",
    );
  });

  it("verifies the webhooks of Shopify, whose signatures are Base64", async () => {
    const [secret, body] = ["hush", '{"id":820982911946154508}'];
    const signature = createHmac("sha256", secret).update(body).digest("base64");
    const headers = { "x-shopify-hmac-sha256": signature };
    assert(await verifyWebhook({ headers, body }, secret, { scheme: shopify }));
    await assertRejects(
      () => verifyWebhook({ headers, body }, "hush!", { scheme: shopify }),
      WebhookSignatureError,
    );
  });

  it("signs other texts, too: ids, URLs, times of RFC 3339, and other hash functions", async () => {
    const twitch = new HmacWebhooks({
      signatureHeader: "Twitch-Eventsub-Message-Signature",
      prefix: "sha256=",
      idHeader: "Twitch-Eventsub-Message-Id",
      timestampHeader: "Twitch-Eventsub-Message-Timestamp",
      signed: "{id}{timestamp}{body}",
    });
    const [id, time, body] = ["m-1", "2026-11-20T10:00:00.123456789Z", "{}"];
    const signature = createHmac("sha256", "key").update(id + time + body).digest("hex");
    const headers = {
      "Twitch-Eventsub-Message-Signature": `sha256=${signature}`,
      "Twitch-Eventsub-Message-Id": id,
      "Twitch-Eventsub-Message-Timestamp": time,
    };
    const clock = { now: () => Date.UTC(2026, 10, 20, 10) };
    const webhook = await verifyWebhook({ headers, body }, "key", { scheme: twitch, clock });
    assertEquals(webhook.id, id);
    for (const hash of ["SHA-1", "SHA-384", "SHA-512"] as const) {
      const url = "https://example.com/hook";
      const scheme = new HmacWebhooks({ signatureHeader: "X-Sum", hash, signed: `${url}{body}` });
      const sum = createHmac(hash.replace("-", ""), "key").update(url + body).digest("hex");
      assert(await verifyWebhook({ headers: { "X-Sum": sum }, body }, "key", { scheme }));
    }
  });

  it("requires the time zone of a time of RFC 3339", async () => {
    const scheme = new HmacWebhooks({
      ...{ signatureHeader: "X-Sum", timestampHeader: "X-Time", signed: "{timestamp}.{body}" },
    });
    const verify = (time: string) => {
      const sum = createHmac("sha256", "key").update(`${time}.{}`).digest("hex");
      const message = { headers: { "X-Sum": sum, "X-Time": time }, body: "{}" };
      return verifyWebhook(message, "key", { scheme, ...at(Date.UTC(2026, 10, 20, 10) / 1000) });
    };
    const times = ["2026-11-20T10:00:00Z", "2026-11-20T10:00:00.5z", "2026-11-20T05:00:00-05:00"];
    for (const time of times) assert(await verify(time));
    for (const time of ["2026-11-20T10:00:00", "2026-11-20T10:00Z+", "2026-11-20", "2026-11-20Z"]) {
      await assertRejects(() => verify(time), WebhookHeaderError, "X-Time");
      await assertRejects(() => verify(time), WebhookHeaderError, "with its time zone");
    }
  });

  it("keeps its options if the object of them changes", async () => {
    const options: { signatureHeader: string; timestampHeader?: string } = {
      signatureHeader: "X-Sum",
    };
    const scheme = new HmacWebhooks(options);
    options.timestampHeader = "X-Time";
    const sum = createHmac("sha256", "key").update("{}").digest("hex");
    const message = { headers: { "X-Sum": sum, "X-Time": "1" }, body: "{}" };
    assertEquals((await verifyWebhook(message, "key", { scheme })).sentAt, undefined);
    assertEquals(scheme.requiredHeaders, ["X-Sum"]);
  });

  it("refuses a public key as the secret", async () => {
    for (const key of ["whpk_AAAA", "-----BEGIN PUBLIC KEY-----\nAAAA", "MCowBQYDK2VwAyEAAAAA"]) {
      const sum = createHmac("sha256", key).update("{}").digest("hex");
      const headers = { "X-Hub-Signature-256": `sha256=${sum}` };
      await assertRejects(
        () => verifyWebhook({ headers, body: "{}" }, key, { scheme: github }),
        UnexpectedValueError,
        "is a public key",
      );
    }
  });

  it("refuses options that are wrong, and a timestamp that is not signed", () => {
    const wrong: readonly object[] = [
      {},
      { signatureHeader: "no token" },
      { signatureHeader: "X-Sum", encoding: "base32" },
      { signatureHeader: "X-Sum", hash: "MD5" },
      { signatureHeader: "X-Sum", prefix: 5 },
      { signatureHeader: "X-Sum", timestampHeader: "X-Time" },
      { signatureHeader: "X-Sum", signed: "{timestamp}.{body}" },
      { signatureHeader: "X-Sum", signed: "body" },
      { signatureHeader: "X-Sum", signed: "{id}{body}" },
      { signatureHeader: "X-Sum", header: "X-Sum" },
    ];
    for (const each of wrong) {
      assertThrows(() => new HmacWebhooks(each as HmacWebhooksOptions), UnexpectedValueError);
    }
  });
});
