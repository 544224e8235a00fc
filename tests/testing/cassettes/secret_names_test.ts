import { assertEquals, describe, it } from "#test";
import {
  type CassetteData,
  type RecordedMessage,
  redactCassette,
} from "../../../src/testing/mod.ts";

const url = "https://api.example.com/a";

function cassetteOf(
  query: string,
  body: object,
  headers: RecordedMessage["headers"] = {},
): CassetteData {
  return {
    version: 1,
    interactions: [{
      request: { method: "POST", url: `${url}?${query}`, headers: {} },
      response: { status: 200, headers, ...body },
    }],
  };
}

/** Reports if the value of a field is hidden: in a query, JSON, XML, and a script. */
function placesThatHide(name: string, value: string): string[] {
  const bodies: Readonly<Record<string, object>> = {
    JSON: { json: { [name]: value } },
    "nested JSON": { json: { [name]: { of: [{ value }] } } },
    XML: { text: `<a><${name}>${value}</${name}><b ${name}="${value}"/></a>` },
    "XML-RPC": { text: `<m><name>${name}</name><value><string>${value}</string></value></m>` },
    "a script": { text: `const a = { ${name}: "${value}" };` },
    "a form in a text": { text: `a=1&${name}=${value}` },
  };
  const places = Object.entries(bodies).filter(([, body]) =>
    !JSON.stringify(redactCassette(cassetteOf("", body))).includes(value)
  );
  const { request } = redactCassette(cassetteOf(`${name}=${value}`, {})).interactions[0]!;
  return [...places.map(([place]) => place), ...(request.url.includes(value) ? [] : ["query"])];
}

const places = ["JSON", "nested JSON", "XML", "XML-RPC", "a script", "a form in a text", "query"];

describe("the name of a field", () => {
  const secrets = [
    ...["user_password", "userPassword", "passwordHash", "passwordhash", "PASSWORD", "password2"],
    ...["db-passwd", "sshPassphrase", "pin", "userPIN", "card_pin", "otp", "OTPCode", "totp"],
    ...[
      "client-secret",
      "webhook_secret",
      "clientSECRET",
      "appsecret",
      "bot_token",
      "access-token",
    ],
    ...["accesstoken", "refreshTokens", "page_access_token", "credential", "awsCredentials"],
    ...["request_signature", "cvv", "cvv2", "card_number", "creditCardNumber", "session_id"],
    ...["sessionID", "api-key", "APIKey", "X-APIKeys", "access_key", "aws_access_key_id"],
    ...["privateKey", "secret_key_base", "signing_key", "encryption_key", "AccountKey"],
  ];
  for (const name of secrets) {
    it(`is that of a secret: ${name}`, () => {
      assertEquals(placesThatHide(name, "v4l-ue"), places);
    });
  }

  const harmless = [
    ...["pinned", "spinner", "opinion", "shipping", "key", "keyboard", "public_key", "card"],
    ...["session", "secretary", "tokenizer", "compass", "signatures_required", "passwordPolicy"],
    ...["token_type", "token_endpoint", "tokenUrl", "token_expires_in", "password_updated_at"],
    ...["oauth_signature_method", "nextPageToken", "page_token", "continuation-token"],
  ];
  for (const name of harmless) {
    it(`is not that of a secret: ${name}`, () => {
      // A parameter `key` often is one.
      assertEquals(placesThatHide(name, "v4l-ue"), name === "key" ? ["query"] : []);
    });
  }

  it("may be that of a number of tokens, which is not secret", () => {
    const json = {
      max_tokens: 256,
      usage: { completion_tokens: 12, prompt_tokens_details: { cached: 0 }, tokens_used: 7 },
      tokens: [1, 2, "t-4711"],
      pin: 1234,
    };
    const headers = {
      "x-ratelimit-remaining-tokens": "149984",
      "x-ratelimit-reset-tokens": "6m0s",
      "x-tokens": "t-4711",
    };
    const { request, response } = redactCassette(cassetteOf("max_tokens=256", { json }, headers))
      .interactions[0]!;

    assertEquals(request.url, `${url}?max_tokens=256`);
    assertEquals(response.headers, { ...headers, "x-tokens": "REDACTED-1" });
    assertEquals(response.json, {
      ...json,
      tokens: [1, 2, "REDACTED-1"],
      pin: "REDACTED-2-number",
    });
    const text = "<usage><input_tokens>7</input_tokens></usage>";
    assertEquals(redactCassette(cassetteOf("", { text })).interactions[0]!.response.text, text);
  });

  it("in an attribute for the id of an element must be the whole name", () => {
    const text = '<a id="reset-password">Forgot it?</a><input id="password" value="x-1">';
    assertEquals(
      redactCassette(cassetteOf("", { text })).interactions[0]!.response.text,
      '<a id="reset-password">Forgot it?</a><input id="password" value="REDACTED-1">',
    );
  });
});
