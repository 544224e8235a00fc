/** Warns of options that are valid but probably meant differently, such as milliseconds. */
import { definitions, type OptionName } from "./definitions.ts";

/** The longest time in seconds that is probably right: a week. */
const LONGEST = 604_800;

/** The same for options with shorter times: a day, 2.8 hours, and three minutes. */
const longestOf: Readonly<Record<string, number>> = {
  deadline: 86_400,
  timeout: 10_000,
  backoff: 180,
};

/**
 * Reports if a time was probably meant in milliseconds: if it is longer than any that is useful, or
 * thousands of seconds that are not whole hours. People write 1800 and 3600 seconds, but 5000 and 60000
 * milliseconds.
 *
 * @param option The name of the option
 * @param seconds The value of the option
 */
export function isLikelyMilliseconds(option: string, seconds: unknown): seconds is number {
  return Number.isFinite(seconds) && (
    (seconds as number) > (longestOf[option] ?? LONGEST) ||
    (seconds as number) % 1000 === 0 && (seconds as number) % 3600 !== 0
  );
}

/** The names of the options that are times in seconds. */
const secondsOptions = Object.keys(definitions).filter((name) =>
  "isSeconds" in definitions[name as OptionName]
);

/**
 * Returns a warning for each time that was probably meant in milliseconds.
 *
 * @param times The values of options, by their names
 * @param options The names of those that are times in seconds. Default: those of sessions and calls
 */
export function likelyMilliseconds(
  times: object,
  options: readonly string[] = secondsOptions,
): string[] {
  return options.flatMap((option) => {
    const seconds: unknown = Reflect.get(times, option);
    if (!isLikelyMilliseconds(option, seconds)) return [];
    return `"${option}" is ${seconds} seconds: times are in seconds, not in milliseconds. ` +
      `Pass ${seconds / 1000} for ${seconds / 1000} seconds`;
  });
}

/** The statics that an SDK may also have as fields, for its own use. */
const ownFields = ["url", "baseUrl", "basePath", "logger"];

/**
 * Returns a warning for each field that has the name of a static of the toolkit. Such a field has no
 * effect, because the constructor reads the statics before there are fields.
 *
 * @param client The session or client
 * @param statics The toolkit's class with the statics
 */
export function fieldsLikeStatics(client: object, statics: object): string[] {
  const isStatic = Object.prototype.propertyIsEnumerable.bind(statics);
  return Object.keys(client).filter((name) => isStatic(name) && !ownFields.includes(name))
    .map((name) =>
      `"${name}" is a field of ${client.constructor.name}, and has no effect: declare it with ` +
      `"static override readonly ${name}"`
    );
}
