/** Checks the options of a program by the table of options. */

import { OptionError } from "../base/errors.ts";
import type { GenerateOptions } from "./generate_options.ts";
import { type OptionName, type OptionRow, optionTable, SECONDS } from "./table.ts";

/**
 * Checks options.
 *
 * @throws {OptionError} If an option is unknown, or has a wrong value
 */
export function checkOptions(options: GenerateOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(optionTable, name)) {
      const names = Object.keys(optionTable).join(", ");
      throw new OptionError(`generate has no option ${JSON.stringify(name)}; it has ${names}`);
    }
    if (value !== undefined) checkValue(name, value, optionTable[name as OptionName]);
  }
  for (const other of ["stainless", "sdk"] as const) {
    if (options[other] === undefined || options.apiMd === undefined) continue;
    throw new OptionError(`${other} and apiMd state the same: pass one of them`);
  }
}

function checkValue(name: string, value: unknown, { type, values, form }: OptionRow): void {
  if (type === "seconds") {
    if (value === "none" || typeof value === "number" && value > 0 && value < Infinity) return;
    throw new OptionError(`${name} must be ${SECONDS}, not ${JSON.stringify(value)}`);
  }
  const found: string = Array.isArray(value) ? "list" : typeof value;
  if (found !== type) throw new OptionError(`${name} must be a ${type}`);
  const expected = values !== undefined && !values.includes(value as string)
    ? values.map((each) => JSON.stringify(each)).join(" or ")
    : form !== undefined && !form.pattern.test(value as string)
    ? form.expected
    : undefined;
  if (expected !== undefined) {
    throw new OptionError(`${name} must be ${expected}, not ${JSON.stringify(value)}`);
  }
}
