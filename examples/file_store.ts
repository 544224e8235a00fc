/** A client of a file server: downloads that continue where an earlier program ended, and uploads. */
import { createReadStream } from "node:fs";
import { open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { APISession, path, voidFormat } from "../mod.ts";
import {
  DownloadError,
  type DownloadProgress,
  type DownloadStart,
  type FileSource,
  multipart,
  type Progress,
  saveTo,
  withProgress,
} from "../src/files/mod.ts";

export interface DownloadOptions {
  /** The SHA-256 of the file. Default: not checked */
  readonly checksum?: string;
  readonly onProgress?: (progress: Progress) => void;
}

export class FileStore extends APISession {
  /** Downloads a file. While it is incomplete, its state is in a file beside it. */
  async download(
    name: string,
    target: string,
    { checksum, onProgress }: DownloadOptions = {},
  ): Promise<number> {
    const stateFile = `${target}.state`;
    const from = await earlierDownload(target, stateFile);
    const flags = from === undefined ? "w" : "a";
    let state: DownloadProgress | undefined;
    const format = saveTo(() => writableTo(target, flags), {
      from,
      digest: checksum === undefined ? undefined : { sha256: checksum },
      onProgress(progress: DownloadProgress) {
        onProgress?.(progress);
        state = progress;
      },
    });
    try {
      const { transferred } = await this.get(path`files/${name}`, { format });
      await rm(stateFile, { force: true });
      return transferred;
    } catch (error) {
      // A download that cannot be continued, such as of a file that changed, begins again.
      if (error instanceof DownloadError) await rm(stateFile, { force: true });
      else if (state !== undefined) await writeFile(stateFile, JSON.stringify(state));
      throw error;
    }
  }

  /** Uploads files in one form, which is read from disk while it is sent. */
  async upload(paths: readonly string[], onProgress: (progress: Progress) => void): Promise<void> {
    const files = await Promise.all(paths.map(async (each) => {
      const { size } = await stat(each);
      const file: FileSource = { name: basename(each), size, stream: () => createReadStream(each) };
      return ["files", file] as const;
    }));
    const content = withProgress(multipart(files), onProgress);
    await this.post("files", { content, format: voidFormat });
  }
}

/** Opens a file. A chunk counts as written when the system has it, so that an error loses none. */
async function writableTo(target: string, flags: "w" | "a"): Promise<WritableStream<Uint8Array>> {
  const file = await open(target, flags);
  return new WritableStream({
    write: (chunk) => file.writeFile(chunk),
    close: () => file.close(),
    abort: () => file.close(),
  });
}

/** Returns the state of an earlier download; undefined if there is none that can be continued. */
async function earlierDownload(
  target: string,
  stateFile: string,
): Promise<DownloadStart | undefined> {
  const text = await readFile(stateFile, "utf8").catch(() => undefined);
  const file = await stat(target).catch(() => undefined);
  if (text === undefined || file === undefined) return undefined;
  const state = JSON.parse(text) as DownloadProgress;
  if (state.validator === undefined) return undefined;
  return { ...state, transferred: file.size, content: contentOf(target) };
}

/** Reads a file, which is opened only if somebody reads it: to check a digest. */
async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}
