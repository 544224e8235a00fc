import { inspect } from "node:util";
import { CookieJar } from "../../src/http/cookies/mod.ts";
import { HttpSession } from "../../src/http/mod.ts";

/** Returns all texts that the runtime can show for a value. */
export function shownOf(value: unknown): string {
  const { Deno, Bun } = globalThis as {
    Deno?: { inspect(value: unknown, options: object): string };
    Bun?: { inspect(value: unknown, options: object): string };
  };
  const deep = { depth: 30, showHidden: true };
  const shown = [
    inspect(value, deep),
    inspect(value, { depth: 30 }),
    Deno?.inspect(value, deep),
    Bun?.inspect(value, { depth: 30 }),
    jsonOf(value),
    textOf(value),
    value instanceof HttpSession ? inspect(value, { ...deep, getters: true }) : "",
    value instanceof Error ? `${value.stack}${inspect(value.cause, deep)}` : "",
  ];
  const written: string[] = [];
  const { log } = console;
  // The runtime formats all arguments of console.log; here each is formatted alone.
  console.log = (...all: unknown[]) => void written.push(...all.map((each) => inspect(each)));
  try {
    console.log(value);
  } finally {
    console.log = log;
  }
  return [...shown, ...written].join("\n");
}

function jsonOf(value: unknown): string {
  // A program saves the JSON of a jar to use its cookies again, so it has to contain them.
  if (value instanceof CookieJar) return "";
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // A circular object has no JSON.
    return "";
  }
}

function textOf(value: unknown): string {
  return typeof value === "object" && value !== null && "toString" in value ? String(value) : "";
}
