/** The names that people try for options, because other libraries have them, and the hints for them. */

/**
 * The hints, by such a name: the name of the right option, or code that begins with it. A bar
 * separates options of different places: the first one that is known there counts.
 *
 * The table is in the bundle of every client, so it has only names that are usual elsewhere.
 */
export const optionHints: Readonly<Record<string, string>> = {
  agent: "fetchOptions: { dispatcher }, or the client's proxies, cert and ca",
  apiKey: "auth: new ApiKeyAuth(key)",
  basePath: "baseUrl, with the path at its end",
  baseURL: "baseUrl|url",
  baseUrl: "url",
  body: "json",
  defaultHeaders: "headers",
  dispatcher: "fetchOptions: { dispatcher }",
  errorModel: "errorFrom: errorsBy({ model })",
  form: "data",
  idempotencyKey: 'idempotencyHeader: "Idempotency-Key", or the key itself in headers',
  logLevel: 'logger: consoleLogger({ level: "debug" })',
  maxRetries: "retries",
  model: "responseModel",
  proxy: "proxies: { all: url }",
  qs: "params",
  query: "params",
  redirect: "followRedirects",
  responseFormat: "format: xmlFormat(Model)",
  responseType: "convJson: true for JSON, or in a call format: textFormat",
  retry: "retries",
  schema: "responseModel",
  searchParams: "params",
  sslVerify: "verify",
  stream: "format: sse()",
  throwHttpErrors: "okStatuses: [404]",
  token: "auth: new BearerAuth(token)",
  url: "baseUrl",
  validateStatus: "okStatuses: [404]",
  verify: "sslVerify",
};

/**
 * Returns the remedy for a name that is not a known option; undefined if nothing is like it.
 *
 * @param name The name
 * @param known The names of the options that are known
 * @param placeOf Returns the other place where an option of a name can be set, as in "to each call";
 * undefined if there is none. Default: there is no other place
 */
export function optionHint(
  name: string,
  known: readonly string[],
  placeOf: (option: string) => string | undefined = () => undefined,
): string | undefined {
  const found = Object.hasOwn(optionHints, name) ? optionHints[name]!.split("|") : [];
  const here = found.find((hint) => known.includes(optionOf(hint)));
  if (here !== undefined) return isName(here) ? `did you mean "${here}"?` : `pass ${here}`;
  const place = placeOf(name);
  if (place !== undefined) return `pass it ${place}`;
  for (const hint of found) {
    const other = placeOf(optionOf(hint));
    if (other !== undefined) return `pass ${isName(hint) ? `"${hint}"` : hint} ${other}`;
  }
  const similar = known.find((option) => isSimilar(name, option));
  return similar && `did you mean "${similar}"?`;
}

/** Returns the name of the option with which a hint begins. */
function optionOf(hint: string): string {
  return /^\w+/.exec(hint)![0];
}

function isName(hint: string): boolean {
  return hint === optionOf(hint);
}

/** Reports if two names are the same but for the case, and one letter or two that are swapped. */
function isSimilar(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  if (Math.min(a.length, b.length) < 3 || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [x, y] = [a.slice(start), b.slice(start)];
  const isSwapped = x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2);
  return isSwapped || x.slice(1) === y || x === y.slice(1) || x.slice(1) === y.slice(1);
}
