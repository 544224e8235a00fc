/** Parses the text of a cassette, and checks its content. */
import { isPlain } from "../../base/checks.ts";
import type { CassetteData } from "./cassette_data.ts";
import { CassetteError } from "./cassette_error.ts";

/**
 * Parses the text of a cassette.
 *
 * @param text The JSON
 * @param name The name of the cassette in errors
 * @throws {CassetteError} If it is not a cassette
 */
export function parseCassette(text: string, name: string): CassetteData {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw new CassetteError(`${name} is not JSON`, { reason: "invalid", cause });
  }
  return checkedCassette(value, name);
}

/**
 * Checks a cassette.
 *
 * @param value The value
 * @param name The name of the cassette in errors
 * @throws {CassetteError} If it is not a cassette
 */
export function checkedCassette(value: unknown, name: string): CassetteData {
  const fail = (place: string, expected: string): never => {
    throw new CassetteError(`${name} is not a cassette: ${place} must be ${expected}`, {
      reason: "invalid",
    });
  };
  if (!isObject(value)) fail("it", "an object with version and interactions");
  const { version, interactions, log } = value as Record<string, unknown>;
  if (isObject(log) && Array.isArray(log["entries"])) {
    fail("a HAR", "read with readHar()");
  }
  if (version !== 1) fail("version", "1");
  if (!Array.isArray(interactions)) return fail("interactions", "an array");
  for (const [index, interaction] of interactions.entries()) {
    const place = `interactions[${index}]`;
    const { request, response } = Object(interaction);
    for (const [key, message] of Object.entries({ request, response })) {
      if (!isObject(message)) fail(`${place}.${key}`, "an object");
      checkBody(message, `${place}.${key}`, fail);
    }
    if (typeof request.method !== "string") fail(`${place}.request.method`, "a string");
    if (typeof request.url !== "string" || !URL.canParse(request.url)) {
      fail(`${place}.request.url`, "a full URL");
    }
    const { status } = response;
    if (!Number.isInteger(status) || status < 100 || status > 999) {
      fail(`${place}.response.status`, "a whole number from 100 to 999");
    }
  }
  return value as unknown as CassetteData;
}

/** The fields of a body. */
const bodyFields = ["json", "text", "base64", "parts"] as const;

function checkBody(
  message: Record<string, unknown>,
  place: string,
  fail: (place: string, expected: string) => never,
): void {
  const { headers, text, base64, parts } = message;
  if (!isObject(headers) || !Object.values(headers).every(isTextOrTexts)) {
    fail(`${place}.headers`, "a mapping from names to strings or arrays of strings");
  }
  const found = bodyFields.filter((field) => message[field] !== undefined);
  if (found.length > 1) fail(place, `an object with only one of ${found.join(" and ")}`);
  if (text !== undefined && !isTextOrTexts(text)) fail(`${place}.text`, "a string or its lines");
  if (base64 !== undefined && !isBase64(base64)) fail(`${place}.base64`, "a string of Base64");
  if (parts === undefined) return;
  if (!Array.isArray(parts)) return fail(`${place}.parts`, "an array");
  for (const [index, part] of parts.entries()) {
    if (!isObject(part)) fail(`${place}.parts[${index}]`, "an object");
    checkBody(part, `${place}.parts[${index}]`, fail);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return isPlain(value) && !Array.isArray(value);
}

function isTextOrTexts(value: unknown): boolean {
  return typeof value === "string" ||
    Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isBase64(value: unknown): boolean {
  try {
    return typeof value === "string" && atob(value) !== undefined;
  } catch {
    return false;
  }
}
