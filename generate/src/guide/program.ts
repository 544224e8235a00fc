/** Programs of a guide: code with its imports, and the replies with which the tests of the SDK run it. */

import { type Layout, render } from "../print/layout.ts";

/** A program that calls `client`, or creates a client itself. */
export interface Program {
  /** The end of the name of its test, such as `reads the items of all pages`. */
  readonly name: string;
  /** The names that it imports. */
  readonly imports: readonly ProgramImport[];
  /** The statements, with `await` outside of functions. */
  readonly code: string;
  /** True if it calls a `client` that it does not make. */
  readonly needsClient: boolean;
  /** The names of the environment variables that it reads, with values that the API accepts. */
  readonly environment: ReadonlyMap<string, string>;
  /** The replies of the API by their routes: `GET https://api.example.com/pets`. */
  readonly replies: ReadonlyMap<string, ProgramReply>;
  /** Statements that only its test has, such as a call of a function that the program declares. */
  readonly check?: string | undefined;
}

/** A name that a program imports. */
export interface ProgramImport {
  /** The package of the SDK, or the toolkit with one of its entry points: `toolkit/testing`. */
  readonly from: "sdk" | `toolkit${string}`;
  /** The name. */
  readonly name: string;
  /** True for a type. */
  readonly isType?: true | undefined;
}

/** A reply of the API as an expression, with the names that it imports. */
export interface ProgramReply {
  /** The expression, such as `Response.json({ id: 1 })`. */
  readonly expression: Layout;
  /** The names that the expression needs. */
  readonly imports: readonly ProgramImport[];
}

/** Collects the parts of a program. */
export class ProgramWriter {
  readonly #imports: ProgramImport[] = [];
  readonly #lines: string[] = [];
  readonly #environment = new Map<string, string>();
  readonly #replies = new Map<string, ProgramReply>();

  /** Imports a name, and returns it. */
  use(from: ProgramImport["from"], name: string): string {
    const isKnown = this.#imports.some((each) => each.from === from && each.name === name);
    if (!isKnown) this.#imports.push({ from, name });
    return name;
  }

  /** Imports a type, and returns its name. */
  useType(from: ProgramImport["from"], name: string): string {
    this.#imports.push({ from, name, isType: true });
    return name;
  }

  /** Adds lines as they are. */
  add(...lines: readonly string[]): this {
    this.#lines.push(...lines);
    return this;
  }

  /** Adds a statement that is laid out. */
  statement(start: string, layout: Layout, end = ";", indent = 0): this {
    const pad = " ".repeat(indent);
    const code = render(layout, indent, indent + start.length + end.length);
    this.#lines.push(`${pad}${start}${code}${end}`);
    return this;
  }

  /** Reads an environment variable, and returns the expression. */
  env(name: string, value: string): string {
    this.#environment.set(name, value);
    return `process.env.${name}`;
  }

  /** Sets the reply to a route. */
  reply(route: string, reply: ProgramReply | Layout): this {
    const isWhole = typeof reply === "object" && "expression" in reply;
    this.#replies.set(route, isWhole ? reply : { expression: reply, imports: [] });
    return this;
  }

  /** Returns the program. */
  program(
    name: string,
    { needsClient = true, check }: {
      readonly needsClient?: boolean;
      readonly check?: string | undefined;
    } = {},
  ): Program {
    return {
      ...{ name, needsClient, check },
      code: this.#lines.map((line) => `${line}\n`).join(""),
      imports: this.#imports,
      environment: this.#environment,
      replies: this.#replies,
    };
  }
}
