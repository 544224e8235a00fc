/** A token store in a folder, for the processes of one machine. */
import { check } from "../base/checks.ts";
import { builtinModule } from "../base/runtime.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { type SharedTokenStore, tokenIn, tokenText } from "./shared_token_store.ts";

/** The part of `node:fs/promises` that is used. Deno and Bun have this module, too. */
interface FileSystem {
  link(from: string, to: string): Promise<void>;
  mkdir(path: string, options: { recursive: boolean; mode: number }): Promise<unknown>;
  open(path: string): Promise<{ sync(): Promise<void>; close(): Promise<void> }>;
  readdir(path: string): Promise<string[]>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  rm(path: string, options: { force: boolean }): Promise<void>;
  stat(path: string): Promise<{ readonly mtimeMs: number }>;
  writeFile(path: string, text: string, options: { mode: number; flush: boolean }): Promise<void>;
}

/** Milliseconds after which a temporary file is that of a process that was killed. */
const ABANDONED = 60_000;

/** The attempts to add a file whose temporary file disappears. */
const TRIES = 3;

const checkedFolder: <T>(option: string, value: unknown) => T = check(
  "the path of a folder",
  (value) => typeof value === "string" && value !== "",
);

/**
 * Returns a token store in a folder, with a lock and with versions, for the processes of one machine.
 *
 * Each version of the token is a file, `token-1`, `token-2` and so on, that is created in one step and
 * never changed, so that no process can overwrite a newer token, and none reads a half of one. It is on
 * the disk before the token is used. The lock is made of files in the same way, and is free at the end of
 * its lifetime. Old files are removed. Only their owner can read them. The folder must be on a local file
 * system with hard links, not on a network drive.
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
  const tokens = new Generations(fs, folder, "token", true);
  // After a power failure, no process is there that could have a lock.
  const locks = new Generations(fs, folder, "lock", false);
  return {
    async load() {
      const newest = await tokens.newest();
      if (newest === undefined) return null;
      return tokenIn(newest.text, newest.number, `${folder}/token-${newest.number}`);
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
      if (!await locks.add(number, lockText(seconds))) return null;
      // The next number is a lock that is free. If another process has it by now, nothing happens.
      return () => locks.add(number + 1, lockText(0));
    },
    async replace(token, version = 0) {
      return await tokens.add(Number(version) + 1, tokenText(token));
    },
  };
}

/** Returns the text of a lock that is taken now: the time since 1970 UTC, and its lifetime, in ms. */
function lockText(seconds: number): string {
  return `${Date.now()} ${seconds * 1000}`;
}

/** Reports if a lock is not free. Its time may be in the future, because a clock can be set back. */
function isHeld(text: string): boolean {
  const [since, lifetime] = text.split(" ").map(Number);
  return Math.abs(Date.now() - since!) < lifetime!;
}

/** Files with numbers, of which the highest counts. Each is created once, and never changed. */
class Generations {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #name: string;
  /** True if a file has to be on the disk when it is there, so that it survives a power failure. */
  readonly #isDurable: boolean;

  constructor(fs: FileSystem, folder: string, name: string, isDurable: boolean) {
    this.#fs = fs;
    this.#folder = folder;
    this.#name = name;
    this.#isDurable = isDurable;
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
   * @returns False if there is or was one with this number
   */
  async add(number: number, text: string): Promise<boolean> {
    for (let tries = 1;; tries++) {
      try {
        await this.#link(number, text);
        break;
      } catch (error) {
        const code = codeOf(error);
        if (code === "EEXIST") return false;
        // This process was paused, and its temporary file was removed as that of one that was killed.
        if (code !== "ENOENT" || tries === TRIES) throw error;
      }
    }
    // A process that was paused may add a number that had been added and removed before. Only the one
    // that adds number + 2 removes it. If there is only number + 1, it came after this one.
    const others = await this.#numbers();
    if (Math.max(...others) > number + 1) {
      await this.#remove(this.#path(number));
      return false;
    }
    // The one before stays, for a process that has just seen that it is the newest.
    const old = others.filter((other) => other < number - 1);
    await Promise.all([...old.map((other) => this.#remove(this.#path(other))), this.#tidy()]);
    if (this.#isDurable) await this.#flushFolder();
    return true;
  }

  async #link(number: number, text: string): Promise<void> {
    await this.#fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = `${this.#folder}/temporary-${crypto.randomUUID()}`;
    try {
      await this.#fs.writeFile(temporary, text, { mode: 0o600, flush: this.#isDurable });
      await this.#fs.link(temporary, this.#path(number));
    } finally {
      await this.#remove(temporary);
    }
  }

  /** Writes the names of the files to the disk. Windows cannot, and need not. */
  async #flushFolder(): Promise<void> {
    const folder = await this.#fs.open(this.#folder).catch(() => undefined);
    try {
      await folder?.sync();
    } catch {
      // Some file systems cannot, either. The token is there, and only a power failure could lose it.
    } finally {
      await folder?.close();
    }
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
