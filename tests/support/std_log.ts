import process from "node:process";
import { editionFromConditions } from "../../scripts/edition.ts";

/** The records that reach the handler "recording", as level and text. */
export type HandledRecords = string[];

/** The loggers that `setup()` of `@std/log` takes. */
export type StdLoggers = Readonly<
  Record<string, { readonly level?: string; readonly handlers?: readonly string[] }>
>;

/** If this is the JSR edition, whose default logger is that of `@std/log`. */
export const hasStdLog: boolean = "Deno" in globalThis &&
  editionFromConditions(process.env["DENO_CONDITIONS"]) !== "npm";

/**
 * Sets loggers up in `@std/log`, with a handler that is called "recording". In the npm edition there
 * is nothing to set up.
 */
export async function setUpStdLog(loggers: StdLoggers): Promise<HandledRecords> {
  const records: string[] = [];
  if (!hasStdLog) return records;
  // The npm edition would look for a literal specifier too, and fail without JSR.
  const specifier: string = "@std/log/setup";
  const { setup } = await import(specifier) as { setup: (config: unknown) => void };
  const recording = {
    setup: () => {},
    destroy: () => {},
    handle: ({ levelName, msg }: { levelName: string; msg: string }) =>
      void records.push(`${levelName} ${msg}`),
  };
  setup({ handlers: { recording }, loggers });
  return records;
}
