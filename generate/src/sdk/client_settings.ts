/** The client in a configuration: its options, defaults, environments and settings of queries. */
import type { ClientOptionShape, QueryShape, SdkShape } from "./shape.ts";
import type { Casing } from "./casing.ts";
import type { Setting } from "../read/settings.ts";

/** The settings of the client. */
export type ClientSettings = Pick<
  SdkShape,
  | "className"
  | "options"
  | "maxRetries"
  | "timeout"
  | "backoff"
  | "maxBackoff"
  | "idempotencyHeader"
  | "headers"
>;

/** The name of an environment variable. */
const VARIABLE = /^[A-Za-z_]\w{0,199}$/;

/** Values of headers (RFC 9110): text without line breaks. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]{0,2000}$/;

/** Reads `client_settings`, and the name of the client. */
export function readClientSettings(root: Setting, casing: Casing): ClientSettings {
  const settings = root.child("client_settings");
  const retries = settings?.child("default_retries");
  const headers = settings?.child("default_headers")?.entries() ?? [];
  return {
    className: classNameOf(root, casing),
    options: (settings?.child("opts")?.entries() ?? []).map(([name, option]) =>
      readOption(name, option, casing)
    ),
    headers: new Map(headers.map(([name, value]) => {
      if (!/^[!#$%&'*+.^_`|~\w-]{1,200}$/.test(name)) value.fail("below the name of a header");
      return [name, value.matching(HEADER_VALUE, "the value of a header, without line breaks")];
    })),
    idempotencyHeader: settings?.child("idempotency")?.child("header")?.header(),
    maxRetries: retries?.child("max_retries")?.amount(),
    backoff: retries?.child("initial_delay_seconds")?.amount(),
    maxBackoff: retries?.child("max_delay_seconds")?.amount(),
    timeout: timeoutOf(settings?.child("default_timeout")),
  };
}

/** Returns the name of the client's class: a stated one, or else the name of the organization. */
function classNameOf(root: Setting, casing: Casing): string | undefined {
  const stated = root.child("client_settings")?.child("default_client_name");
  if (stated !== undefined) {
    const name = casing.pascal(stated.text());
    return CLASS.test(name) ? name : stated.fail("the name of a class");
  }
  const organization = root.child("organization")?.child("name")?.text();
  const name = organization === undefined ? "" : casing.pascal(organization);
  return CLASS.test(name) ? name : undefined;
}

const CLASS = /^[A-Z][A-Za-z0-9_]{0,79}$/;

function readOption(name: string, setting: Setting, casing: Casing): ClientOptionShape {
  setting.ownName();
  const stated = setting.child("type")?.oneOf(["string", "number", "integer", "boolean"]) ??
    "string";
  const type = stated === "integer" ? "number" : stated;
  const fallback = setting.child("default");
  const isNullable = setting.child("nullable")?.flag() ?? false;
  const auth = setting.child("auth");
  const scheme = auth?.child("security_scheme");
  if (auth !== undefined && scheme === undefined) auth.fail("an object with `security_scheme`");
  return {
    name: casing.camel(name),
    type,
    isNullable,
    isRequired: !isNullable && fallback === undefined,
    description: setting.child("description")?.text(),
    default: fallback === undefined ? undefined : defaultOf(fallback, type),
    env: setting.child("read_env")?.matching(VARIABLE, "the name of an environment variable"),
    auth: scheme && {
      scheme: scheme.wireName(),
      role: auth!.child("role")?.oneOf([
        "value",
        "username",
        "password",
        "client_id",
        "client_secret",
      ]),
    },
    header: setting.child("send_in_header")?.header(),
    query: setting.child("send_as_query_param")?.wireName(),
    serverVariable: setting.child("server_variable")?.wireName(),
  };
}

function defaultOf(setting: Setting, type: ClientOptionShape["type"]): string | number | boolean {
  const value = setting.whole();
  const stated: string = typeof value;
  if (stated === type) return value as string | number | boolean;
  // YAML reads an unquoted 2024 as a number.
  if (type === "string" && typeof value === "number") return String(value);
  return setting.fail(`a ${type}`);
}

/** Returns a timeout in milliseconds: a number of them, or a duration of ISO 8601 such as `PT1M`. */
function timeoutOf(setting: Setting | undefined): number | undefined {
  if (setting === undefined) return undefined;
  if (typeof setting.value !== "string") return setting.amount();
  const expected = "a number of milliseconds, or a duration such as PT1M30S";
  const text = setting.matching(/^PT(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?$/, expected);
  const [, hours, minutes, seconds] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(text)!;
  return (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * 1000;
}

/** Reads `environments`: their URLs by their names. Those without a host are left out. */
export function readEnvironments(settings: Setting | undefined): Map<string, string> {
  const environments = new Map<string, string>();
  for (const [name, setting] of settings?.entries() ?? []) {
    if (!/^[\w .-]{1,60}$/.test(name)) setting.fail("below a name of letters, digits and dashes");
    const text = setting.text("a URL").trim();
    if (/^\/(?!\/)[^\s\p{C}]*$/u.test(text)) {
      setting.problem("server", "the URL of an environment has no host", "left out");
      continue;
    }
    // Variables such as `{region}` are filled in later.
    const url = URL.parse(text.replace(/\{[\w-]+\}/g, "x"));
    const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "" &&
      url.username === "" && url.password === "" && url.search === "" && url.hash === "";
    if (!isPlain || !/^[!-~]+$/.test(text) || /["'`\\<>]/.test(text)) {
      setting.fail("a URL with http: or https:, without credentials, query and fragment");
    }
    environments.set(name, text.replace(/(?<!\/)\/+$/, ""));
  }
  return environments;
}

/** Reads `query_settings`. Without them, lists are joined by commas. */
export function readQuery(settings: Setting | undefined): QueryShape {
  return {
    lists: settings?.child("array_format")?.oneOf(["comma", "repeat", "brackets", "indices"]) ??
      "comma",
    objects: settings?.child("nested_format")?.oneOf(["brackets", "dots"]) ?? "brackets",
  };
}
