/** The imports of a generated file. */

import { quoted } from "./literals.ts";
import { WIDTH } from "./comments.ts";

/** The names that a file imports, by their modules. */
export class Imports {
  readonly #modules = new Map<string, Map<string, boolean>>();
  readonly #root: string;

  /** @param root The way to the folder of the output, for which `../` stands in the names of modules */
  constructor(root: string = "../") {
    this.#root = root;
  }

  /** Adds a value. */
  value(module: string, name: string): string {
    this.#names(module).set(name, false);
    return name;
  }

  /** Adds a type. A value of the same name stays one. */
  type(module: string, name: string): string {
    const names = this.#names(module);
    if (!names.has(name)) names.set(name, true);
    return name;
  }

  /** Returns the statements, those of packages first, with a blank line at their end. */
  print(): string {
    const placed = Array.from(this.#modules, ([module, names]) => {
      const isOfOutput = module.startsWith("../");
      return [isOfOutput ? this.#root + module.slice("../".length) : module, names] as const;
    });
    const modules = placed.sort(([a], [b]) =>
      Number(a.startsWith(".")) - Number(b.startsWith(".")) || (a < b ? -1 : 1)
    );
    const statements = modules.map(([module, names]) => statement(module, names));
    return statements.length === 0 ? "" : `${statements.join("")}\n`;
  }

  #names(module: string): Map<string, boolean> {
    let names = this.#modules.get(module);
    if (names === undefined) this.#modules.set(module, names = new Map());
    return names;
  }
}

function statement(module: string, names: ReadonlyMap<string, boolean>): string {
  const sorted = [...names].sort(([a], [b]) => compareNames(a, b));
  const isTypes = sorted.every(([, isType]) => isType);
  const list = sorted.map(([name, isType]) => isType && !isTypes ? `type ${name}` : name);
  const start = isTypes ? "import type {" : "import {";
  const line = `${start} ${list.join(", ")} } from ${quoted(module)};\n`;
  if (line.length <= WIDTH + 1) return line;
  return `${start}\n${list.map((name) => `  ${name},\n`).join("")}} from ${quoted(module)};\n`;
}

/** Compares names without regard to case, as formatters sort them. */
function compareNames(a: string, b: string): number {
  const [lowerA, lowerB] = [a.toLowerCase(), b.toLowerCase()];
  return lowerA < lowerB ? -1 : lowerA > lowerB ? 1 : a < b ? -1 : 1;
}
