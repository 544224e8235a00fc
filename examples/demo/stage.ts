// The output of the demo. Marks, with or without colours, show the source of each line.

import { type Clock, type Logger, type LogLevel, systemClock } from "../../mod.ts";
import { PAUSE } from "./demo_options.ts";

/** Options of {@linkcode makeStage}. */
export interface StageOptions {
  /** Prints a line. */
  readonly print: (line: string) => void;
  /** True if lines may contain colour codes. */
  readonly colours: boolean;
  /** The clock for the times in the log. Default: the system's clock */
  readonly clock?: Clock | undefined;
  /** True to pause after each scene. Default: false */
  readonly slow?: boolean | undefined;
}

/** The output of the demo. It shows each scene's calls, their results, and the toolkit's log. */
export interface Stage {
  /** Shows the title, and explains the marks. */
  open(title: string, about: readonly string[]): void;
  /** Begins a scene, and restarts its timer. */
  scene(title: string): void;
  /** Shows a call that the client is about to make. */
  call(code: string): void;
  /** Shows lines of code that are about to run. */
  code(lines: readonly string[]): void;
  /** Shows a line of the SDK, and its place. */
  source(place: string, line: string): void;
  /** Shows the result of the call. */
  result(text: string): void;
  /** Shows the error of the call. */
  error(text: string): void;
  /** Shows details of the last result or error. */
  details(facts: Readonly<Record<string, unknown>>): void;
  /** Shows one more line, without a name in front. */
  line(text: string): void;
  /** Pauses after a scene if the options ask for it. */
  pause(): Promise<void>;
  /** Shows the last line. */
  close(text: string): void;
  /** Returns the seconds since the scene began. */
  elapsed(): number;
  /** A logger that shows the records of a session. */
  readonly logger: Logger;
}

/** Creates a stage. */
export function makeStage(options: StageOptions): Stage {
  const { print, colours, clock = systemClock, slow = false } = options;
  const style = (code: number) => (text: string) => colours ? `\x1b[${code}m${text}\x1b[0m` : text;
  const [bold, dim, red, green, cyan] = [1, 2, 31, 32, 36].map(style) as Styles;
  let scenes = 0;
  let began = clock.now();
  const elapsed = () => (clock.now() - began) / 1000;
  const log = (level: LogLevel) => (message: string) => {
    const start = `${elapsed().toFixed(2)} s  ${level.padEnd(5)}  `;
    recordLines(message).forEach((line, index) => {
      print(dim(`    │ ${index === 0 ? start : " ".repeat(start.length)}${line}`));
    });
  };
  return {
    open(title, about) {
      print(bold(title));
      for (const line of about) print(line);
      const marks = `${cyan("▸")} a call   ${green("✓")} its result   ${red("✗")} its error`;
      print(`  ${marks}   ${dim("│ the log of the toolkit")}`);
    },
    scene(title) {
      began = clock.now();
      print("");
      print(bold(`${++scenes}  ${title}`));
    },
    call: (code) => print(`  ${cyan("▸")} ${code}`),
    code(lines) {
      lines.forEach((line, index) => print(`  ${index === 0 ? cyan("▸") : " "} ${line}`));
    },
    source(place, line) {
      const shown = dim(`in ${place}:`);
      if (`    in ${place}: ${line}`.length <= 80) return print(`    ${shown} ${line}`);
      print(`    ${shown}`);
      print(`    ${line}`);
    },
    result: (text) => print(`  ${green("✓")} ${text}`),
    error: (text) => print(`  ${red("✗")} ${text}`),
    details(facts) {
      const width = Math.max(...Object.keys(facts).map((name) => name.length));
      for (const [name, fact] of Object.entries(facts)) {
        print(`      ${name.padEnd(width)}  ${fact}`);
      }
    },
    line: (text) => print(`      ${text}`),
    pause: () => slow ? new Promise((resolve) => void clock.after(PAUSE, resolve)) : noPause,
    close(text) {
      print("");
      print(text);
    },
    elapsed,
    logger: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
  };
}

const noPause = Promise.resolve();

type Style = (text: string) => string;
type Styles = [bold: Style, dim: Style, red: Style, green: Style, cyan: Style];

/** Formats a record of the toolkit as lines. Records in JSON become readable text. */
function recordLines(message: string): string[] {
  const { method, url, params, body, attempt, of, reason, wait, error } = fieldsOf(message);
  if (reason !== undefined) return [`attempt ${attempt} of ${of}: ${reason}, next in ${wait} s`];
  if (error !== undefined) return [`attempt ${attempt}: ${error}`];
  if (method === undefined) return [message];
  const lines = [`${method} ${url}`];
  for (const [name, value] of Object.entries({ params, body })) {
    const text = JSON.stringify(value);
    if (text !== undefined && text !== "{}") lines.push(`${name} ${text}`);
  }
  return lines;
}

function fieldsOf(message: string): Record<string, unknown> {
  try {
    return JSON.parse(message);
  } catch {
    return {};
  }
}
