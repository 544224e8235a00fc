// Where the demo is shown: the marks that tell its voices apart, with or without colours.

import type { Clock, Logger, LogLevel } from "../../mod.ts";

/** What the stage is made of. */
export interface StageOptions {
  /** Takes each line. */
  readonly print: (line: string) => void;
  /** Whether lines may have colours. */
  readonly colours: boolean;
  /** What the times in the log are measured by. Default: the system's clock */
  readonly clock?: Clock | undefined;
}

/** Shows a demo scene by scene: what is called, what comes of it, what the toolkit logs meanwhile. */
export interface Stage {
  /** Says what the marks mean. */
  open(title: string, about: readonly string[]): void;
  /** Begins a scene, and its time. */
  scene(title: string): void;
  /** A call that the client is about to make. */
  call(code: string): void;
  /** What came of it. */
  result(text: string): void;
  /** The error that came of it. */
  error(text: string): void;
  /** More of the last result or error. */
  details(facts: Readonly<Record<string, unknown>>): void;
  /** One more line of it, as it is. */
  line(text: string): void;
  /** The last line. */
  close(text: string): void;
  /** Seconds since the scene began. */
  elapsed(): number;
  /** Shows the records of a session. */
  readonly logger: Logger;
}

/** Sets up a stage. */
export function makeStage({ print, colours, clock }: StageOptions): Stage {
  const style = (code: number) => (text: string) => colours ? `\x1b[${code}m${text}\x1b[0m` : text;
  const [bold, dim, red, green, cyan] = [1, 2, 31, 32, 36].map(style) as Styles;
  const now = () => clock?.now() ?? Date.now();
  let scenes = 0;
  let began = now();
  const elapsed = () => (now() - began) / 1000;
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
      const marks = `${cyan("▸")} a call   ${green("✓")} what came of it   ${red("✗")} its error`;
      print(`  ${marks}   ${dim("│ what the toolkit logged, when")}`);
    },
    scene(title) {
      began = now();
      print("");
      print(bold(`${++scenes}  ${title}`));
    },
    call: (code) => print(`  ${cyan("▸")} ${code}`),
    result: (text) => print(`  ${green("✓")} ${text}`),
    error: (text) => print(`  ${red("✗")} ${text}`),
    details(facts) {
      const width = Math.max(...Object.keys(facts).map((name) => name.length));
      for (const [name, fact] of Object.entries(facts)) {
        print(`      ${name.padEnd(width)}  ${fact}`);
      }
    },
    line: (text) => print(`      ${text}`),
    close(text) {
      print("");
      print(text);
    },
    elapsed,
    logger: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
  };
}

type Style = (text: string) => string;
type Styles = [bold: Style, dim: Style, red: Style, green: Style, cyan: Style];

/** A record of the toolkit as lines: those that are JSON are laid out. */
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
