import { isJsrEdition } from "./edition.ts";

/** The records that the handler "recording" has received, as level and text. */
export type HandledRecords = string[];

/** Loggers, as `setup()` of `@std/log` takes them. */
export type StdLoggers = Readonly<
  Record<string, { readonly level?: string; readonly handlers?: readonly string[] }>
>;

/**
 * Configures loggers in `@std/log`, with a handler named "recording". Does nothing in the npm
 * edition.
 */
export async function setUpStdLog(loggers: StdLoggers): Promise<HandledRecords> {
  const records: string[] = [];
  if (!isJsrEdition) return records;
  // The npm edition would resolve a literal specifier, and fail without JSR.
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
