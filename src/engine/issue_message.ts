/**
 * What a schema says is wrong, without the strings of the body that some libraries quote in it
 * (valibot: `received "…"`, arktype: `was "…"`), so that an error can be printed.
 *
 * @param message What the schema says
 * @param checked What it was given
 * @param path Where it says that it is wrong
 */
export function issueMessage(
  message: string,
  checked: unknown,
  path: readonly (string | number)[],
): string {
  if (!message.includes('"')) return message;
  let shown = message;
  const nested: unknown[] = [valueAt(checked, path)];
  for (const value of nested) {
    if (typeof value === "string" && value !== "") {
      shown = shown.replaceAll(`"${value}"`, () => HIDDEN);
      shown = shown.replaceAll(JSON.stringify(value), () => HIDDEN);
    } else if (typeof value === "object" && value !== null) {
      for (const each of Object.values(value)) nested.push(each);
    }
  }
  return shown;
}

const HIDDEN = '"…"';

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string | number, unknown>)[key];
  }
  return found;
}
