/** Starts a process on the same runtime that prints lines of JSON. */
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "../../../scripts/shared/build_folder.ts";
import { sourceRoot } from "../contract_page.ts";

/** The flags that run a program on this runtime. */
function flags(): string[] {
  return "Deno" in globalThis ? ["run", "-q", "-A", "--no-check"] : [];
}

/** A process of a test. */
export class TestProcess<E extends { readonly event: string }> {
  readonly #child: ChildProcess;
  /** The events that it has printed. */
  readonly events: E[] = [];
  /** Ends with its exit code, or null if it was killed. */
  readonly ended: Promise<number | null>;

  /**
   * Starts a program of this folder.
   *
   * @param program The name of the file
   * @param args Its arguments
   */
  constructor(program: string, ...args: readonly string[]) {
    const path = fileURLToPath(new URL(program, import.meta.url));
    this.#child = spawn(process.execPath, [...flags(), path, ...args], {
      cwd: fileURLToPath(sourceRoot()),
      // Node compiles the toolkit for each process otherwise, which takes most of its time.
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
      stdio: ["pipe", "pipe", "inherit"],
    });
    // It may be killed while it is asked to end.
    this.#child.stdin!.on("error", () => {});
    const lines = createInterface({ input: this.#child.stdout! });
    lines.on("line", (line) => void this.events.push(JSON.parse(line)));
    this.ended = new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      this.#child.once("close", (code) => resolve(code));
    });
  }

  /** Returns the last event of a kind; undefined if there is none. */
  last<K extends E["event"]>(kind: K): Extract<E, { event: K }> | undefined {
    return this.events.findLast((each): each is Extract<E, { event: K }> => each.event === kind);
  }

  has(kind: E["event"]): boolean {
    return this.events.some(({ event }) => event === kind);
  }

  /** Writes a line to its standard input. */
  tell(line: string): void {
    this.#child.stdin!.write(`${line}\n`);
  }

  /** Ends its standard input, so that it ends. */
  close(): void {
    this.#child.stdin!.end();
  }

  signal(name: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
    // In Deno, a child that has got a signal by `kill` gets no other one.
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      process.kill(this.#child.pid!, name);
    }
  }
}
