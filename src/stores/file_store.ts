/** A token store in a folder, for the processes of one machine. */
import { check } from "../base/checks.ts";
import { builtinModule } from "../base/runtime.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { type SharedTokenStore, tokenText } from "./shared_token_store.ts";

/** The part of `node:fs/promises` that is used. Deno and Bun have this module, too. */
interface FileSystem {
  link(from: string, to: string): Promise<void>;
  mkdir(path: string, options: { recursive: boolean; mode: number }): Promise<unknown>;
  readdir(path: string): Promise<string[]>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  rm(path: string, options: { force: boolean }): Promise<void>;
  stat(path: string): Promise<{ readonly mtimeMs: number }>;
  writeFile(path: string, text: string, options: { mode: number; flush: boolean }): Promise<void>;
}

/** Milliseconds after which a temporary file is that of a process that was killed. */
const ABANDONED = 60_000;

const checkedFolder: <T>(option: string, value: unknown) => T = check(
  "the path of a folder",
  (value) => typeof value === "string" && value !== "",
);

/**
 * Returns a token store in a folder, with a lock and with versions, for the processes of one machine.
 *
 * Each version of the token is a file, `token-1`, `token-2` and so on, that is created in one step and
 * never changed, so that no process can overwrite a newer token. The lock is made of files in the same
 * way. Old files are removed. Only their owner can read them. The folder must be on a local file system
 * with hard links, not on a network drive.
 *
 * @param folder The path of the folder, which is created if it does not exist
 *
 * @example
 * ```ts
 * import { mkdtemp } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { fileStore } from "@restwright/restwright/stores";
 *
 * // A folder for this example. Yours is one that stays, which only your service can read.
 * const store = fileStore(await mkdtemp(`${tmpdir()}/orders-`));
 * await store.save({ accessToken: "a-1" });
 * console.log((await store.load())?.accessToken); // a-1
 * ```
 *
 * @throws {UnexpectedValueError} If the path is not valid, or if the runtime has no files
 *
 * @category Authentication
 */
export function fileStore(folder: string): SharedTokenStore {
  checkedFolder("folder", folder);
  const fs = builtinModule<FileSystem>("node:fs/promises");
  if (fs === undefined) {
    const expected = "left out, because this runtime has no files; use another store";
    throw new UnexpectedValueError("folder", expected, folder);
  }
  const tokens = new Generations(fs, folder, "token");
  const locks = new Generations(fs, folder, "lock");
  return {
    async load() {
      const newest = await tokens.newest();
      return newest === undefined ? null : { ...JSON.parse(newest.text), version: newest.number };
    },
    async save(token) {
      let isWritten = false;
      while (!isWritten) {
        const newest = await tokens.newest();
        isWritten = await tokens.add((newest?.number ?? 0) + 1, tokenText(token));
      }
    },
    async lock(seconds) {
      const newest = await locks.newest();
      if (newest !== undefined && isHeld(newest.text)) return null;
      const number = (newest?.number ?? 0) + 1;
      const lock: Lock = { since: Date.now(), lifetime: seconds * 1000 };
      if (!await locks.add(number, JSON.stringify(lock))) return null;
      // The next number is a lock that is free. If another process has it by now, nothing happens.
      return () => locks.add(number + 1, JSON.stringify({ ...lock, lifetime: 0 }));
    },
    async replace(token, version = 0) {
      return await tokens.add(Number(version) + 1, tokenText(token));
    },
  };
}

/** The content of a file with a lock, in milliseconds. */
interface Lock {
  /** The time when it was taken, since 1970 UTC. */
  readonly since: number;
  readonly lifetime: number;
}

/** Reports if a lock is not free. Its time may be in the future, because a clock can be set back. */
function isHeld(text: string): boolean {
  const { since, lifetime } = JSON.parse(text) as Lock;
  return Math.abs(Date.now() - since) < lifetime;
}

/** Files with numbers, of which the highest counts. Each is created once, and never changed. */
class Generations {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #name: string;

  constructor(fs: FileSystem, folder: string, name: string) {
    this.#fs = fs;
    this.#folder = folder;
    this.#name = name;
  }

  /** Returns the file with the highest number; undefined if there is none. */
  async newest(): Promise<{ readonly number: number; readonly text: string } | undefined> {
    for (;;) {
      const number = Math.max(0, ...await this.#numbers());
      if (number === 0) return undefined;
      try {
        return { number, text: await this.#fs.readFile(this.#path(number), "utf8") };
      } catch (error) {
        // It was removed because there are newer ones.
        if (codeOf(error) !== "ENOENT") throw error;
      }
    }
  }

  /**
   * Adds the file with a number. A link appears in one step with its content, and only once.
   *
   * @returns False if there is one with this number or a higher one
   */
  async add(number: number, text: string): Promise<boolean> {
    await this.#fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = `${this.#folder}/temporary-${crypto.randomUUID()}`;
    try {
      await this.#fs.writeFile(temporary, text, { mode: 0o600, flush: true });
      await this.#fs.link(temporary, this.#path(number));
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    } finally {
      await this.#remove(temporary);
    }
    // A process that was paused may add a number that had been added and removed before.
    const others = await this.#numbers();
    if (others.some((other) => other > number)) {
      await this.#remove(this.#path(number));
      return false;
    }
    // The one before stays, for a process that has just seen that it is the newest.
    const old = others.filter((other) => other < number - 1);
    await Promise.all([...old.map((other) => this.#remove(this.#path(other))), this.#tidy()]);
    return true;
  }

  async #numbers(): Promise<number[]> {
    const prefix = `${this.#name}-`;
    return (await this.#names()).filter((name) => name.startsWith(prefix))
      .map((name) => Number(name.slice(prefix.length))).filter(Number.isInteger);
  }

  async #names(): Promise<string[]> {
    try {
      return await this.#fs.readdir(this.#folder);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return [];
      throw error;
    }
  }

  /** Removes the temporary files of processes that were killed. */
  async #tidy(): Promise<void> {
    for (const name of await this.#names()) {
      if (!name.startsWith("temporary-")) continue;
      const path = `${this.#folder}/${name}`;
      const { mtimeMs } = await this.#fs.stat(path).catch(() => ({ mtimeMs: Infinity }));
      if (Date.now() - mtimeMs > ABANDONED) await this.#remove(path);
    }
  }

  #path(number: number): string {
    return `${this.#folder}/${this.#name}-${number}`;
  }

  async #remove(path: string): Promise<void> {
    await this.#fs.rm(path, { force: true });
  }
}

/** Returns the code of an error of the file system, such as `ENOENT`. */
function codeOf(error: unknown): unknown {
  return Object(error).code;
}
