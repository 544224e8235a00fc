/** A token store in a folder, for the processes of one machine. */
import { check } from "../../base/checks.ts";
import { builtinModule } from "../../base/runtime.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { type SharedTokenStore, tokenIn, tokenText } from "./shared_token_store.ts";

/** The part of `node:fs/promises` that is used. Deno and Bun have this module, too. */
interface FileSystem {
  link(from: string, to: string): Promise<void>;
  lstat(path: string): Promise<{ readonly mtimeMs: number; isFile(): boolean }>;
  mkdir(path: string, options: { recursive: boolean; mode: number }): Promise<unknown>;
  open(path: string): Promise<{ sync(): Promise<void>; close(): Promise<void> }>;
  readdir(path: string): Promise<string[]>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  rm(path: string, options: { force: boolean }): Promise<void>;
  writeFile(path: string, text: string, options: { mode: number; flush: boolean }): Promise<void>;
}

/** Milliseconds after which a temporary file is that of a process that was killed. */
const ABANDONED = 60_000;

/** The attempts to add a file whose temporary file disappears, and to read one that disappears. */
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
 * its lifetime. Old files are removed. Only their owner can read them. Other entries of the folder are left
 * alone: links, pipes, folders, and other names, such as `token-07`. The folder must be on a local
 * file system with hard links, not on a network drive.
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
      const { number, file } = await tokens.newest();
      return file === undefined ? null : tokenIn(file.text, number, file.path);
    },
    async save(token) {
      let isWritten = false;
      while (!isWritten) {
        const { number } = await tokens.newest();
        isWritten = await tokens.add(number + 1, tokenText(token));
      }
    },
    async lock(seconds) {
      const { number, file } = await locks.newest();
      if (file !== undefined && isHeld(file.text)) return null;
      if (!await locks.add(number + 1, lockText(seconds))) return null;
      // The next number is a lock that is free. If another process has it by now, nothing happens.
      return () => locks.add(number + 2, lockText(0));
    },
    async replace(token, version) {
      if (version !== undefined) return await tokens.add(Number(version) + 1, tokenText(token));
      const { number, file } = await tokens.newest();
      return file === undefined && await tokens.add(number + 1, tokenText(token));
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

/** The place and the text of a file. */
interface NumberedFile {
  readonly path: string;
  readonly text: string;
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

  /**
   * Returns the highest number, 0 if there is none, and the file with the highest number, if there is one.
   * They differ if that number belongs to a link, a pipe or a folder: no file can be added with it.
   *
   * @throws The error of the file system, such as that of a file that is listed and cannot be found
   */
  async newest(): Promise<{ readonly number: number; readonly file: NumberedFile | undefined }> {
    let [highest, tries] = [0, 0];
    for (;;) {
      const numbers = (await this.#numbers()).sort((a, b) => b - a);
      const number = numbers[0] ?? 0;
      if (number > highest) [highest, tries] = [number, 0];
      try {
        for (const each of numbers) {
          const path = this.#path(each);
          if (!(await this.#fs.lstat(path)).isFile()) continue; // reading a pipe may never end
          return { number, file: { path, text: await this.#fs.readFile(path, "utf8") } };
        }
        return { number, file: undefined };
      } catch (error) {
        // It was removed because there are newer ones.
        if (codeOf(error) !== "ENOENT" || ++tries === TRIES) throw error;
      }
    }
  }

  /**
   * Adds the file with a number. A link appears in one step with its content, and only once.
   *
   * @returns False if there is or was one with this number
   * @throws The error of the file system
   */
  async add(number: number, text: string): Promise<boolean> {
    if (!isNumber(number)) {
      const option = `the number of the next ${this.#name} in ${this.#folder}`;
      throw new UnexpectedValueError(option, "a whole number below 2 ** 53", number);
    }
    for (let tries = 1;; tries++) {
      try {
        await this.#link(number, text);
        break;
      } catch (error) {
        const code = codeOf(error);
        // If it is not in the list, it has a name that this file system takes for the same one.
        if (code === "EEXIST" && Math.max(...await this.#numbers()) >= number) return false;
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
    const removed = old.map((other) => this.#removeFile(this.#path(other)));
    await Promise.all([...removed, this.#tidy()]);
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

  /** Returns the numbers of all entries whose name is that of a number: not `token-07`. */
  async #numbers(): Promise<number[]> {
    const start = this.#name.length + 1;
    return (await this.#names()).flatMap((name) => {
      const number = Number(name.slice(start));
      return isNumber(number) && name === `${this.#name}-${number}` ? [number] : [];
    });
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
      await this.#removeFile(`${this.#folder}/${name}`, ABANDONED);
    }
  }

  #path(number: number): string {
    return `${this.#folder}/${this.#name}-${number}`;
  }

  /** Removes an entry if it is a file, and as old as that. */
  async #removeFile(path: string, age = -Infinity): Promise<void> {
    const found = await this.#fs.lstat(path).catch(() => undefined);
    if (found?.isFile() && Date.now() - found.mtimeMs > age) await this.#remove(path);
  }

  async #remove(path: string): Promise<void> {
    await this.#fs.rm(path, { force: true });
  }
}

/** Reports if a value can be the number of a file. */
function isNumber(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** Returns the code of an error of the file system, such as `ENOENT`. */
function codeOf(error: unknown): unknown {
  return Object(error).code;
}
