/** Shows how far a run is: in a terminal on one line that is rewritten, in a log line by line. */
import process from "node:process";

/** Receives the output. */
export interface ProgressOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The steps of a run. Several can run at a time. */
export class Progress {
  readonly #total: number;
  readonly #output: ProgressOutput;
  readonly #running = new Set<string>();
  #done = 0;

  /**
   * @param total The number of steps
   * @param output Receives the lines. Default: stdout
   */
  constructor(total: number, output: ProgressOutput = process.stdout) {
    this.#total = total;
    this.#output = output;
  }

  /**
   * Runs a step.
   *
   * @param name The name of the step
   * @param step Runs it, and returns the lines to print; none if only its end is worth a line in a log
   */
  async run(name: string, step: () => Promise<readonly string[]>): Promise<void> {
    this.#running.add(name);
    this.#show();
    const lines = await step();
    this.#running.delete(name);
    this.#done++;
    if (this.#output.isTTY) {
      this.#output.write("\r\x1b[K" + lines.map((line) => `${line}\n`).join(""));
    } else {
      const place = `[${String(this.#done).padStart(2)}/${this.#total}]`;
      for (const line of lines.length === 0 ? [`  ${name} is done`] : lines) {
        this.#output.write(`${place}${line}\n`);
      }
    }
    this.#show();
  }

  /** Shows the running steps on the last line of a terminal. */
  #show(): void {
    if (!this.#output.isTTY || this.#running.size === 0) return;
    const text = `  ${this.#done} of ${this.#total} steps done, running: ${
      [...this.#running].join(", ")
    }`;
    this.#output.write(`\r\x1b[K${text.slice(0, (this.#output.columns ?? 80) - 1)}`);
  }
}
