// The endpoint `exports`: jobs on the server that write their result in chunks.

import { APIEndpoint, path, RestwrightError } from "../../mod.ts";
import type { Box } from "../../src/box/mod.ts";
import { APIIterator, type IteratorOptions } from "../../src/paging/mod.ts";
import type { TenableIO } from "./tenable_io.ts";

/** The settings of the boxes: `box.exportUuid` finds the key `export_uuid`. */
const attrs = { camelCase: true } as const;
type Attrs = typeof attrs;

/** A finding. The server sends more fields than these. */
export interface Finding {
  readonly severity: string;
  readonly first_found: string;
  readonly plugin: { readonly id: number; readonly name: string };
  readonly asset: { readonly hostname: string };
}

export type ExportState = "QUEUED" | "PROCESSING" | "FINISHED" | "CANCELLED" | "ERROR";

export interface ExportStatus {
  readonly status: ExportState;
  readonly chunks_available: readonly number[];
}

/** The filters of an export of findings, and the settings of its iterator. */
export interface VulnsOptions {
  /** The severities to export. Default: all */
  readonly severity?: readonly string[];
  /** The number of assets in a chunk. Default: 500 */
  readonly numAssets?: number;
  /** The id of an export that was started earlier. Default: start a new one */
  readonly uuid?: string;
  /** Seconds to wait for a job that is queued, before it is cancelled. Default: no limit */
  readonly timeout?: number;
  /** The number of chunks to download ahead. Default: 0 */
  readonly prefetch?: number;
}

/** The export failed on the server. */
export class ExportError extends RestwrightError {
  readonly uuid: string;

  constructor(uuid: string, message = `the export ${uuid} has failed`) {
    super(message);
    this.uuid = uuid;
  }
}

/** The export was queued for too long, and has been cancelled. */
export class ExportTimeoutError extends ExportError {
  constructor(uuid: string, seconds: number) {
    super(uuid, `the export ${uuid} was still queued after ${seconds} s, and is cancelled`);
  }
}

export class ExportsAPI extends APIEndpoint<TenableIO> {
  protected override readonly _path: string = "vulns/export";
  override readonly _box = true;
  override readonly _boxAttrs = attrs;

  /** Returns the findings. The export is started when the first one is needed. */
  vulns(options: VulnsOptions = {}): ExportIterator {
    return new ExportIterator(this._api, options);
  }

  /** Starts an export, and returns its id. */
  async start({ severity, numAssets = 500 }: VulnsOptions = {}): Promise<string> {
    const json = { num_assets: numAssets, filters: { severity } };
    return (await this._post<{ export_uuid: string }>({ json })).exportUuid;
  }

  status(uuid: string): Promise<Box<ExportStatus, Attrs>> {
    return this._get<ExportStatus>(path`${uuid}/status`);
  }

  downloadChunk(uuid: string, chunk: number): Promise<Box<Finding[], Attrs>> {
    return this._get<Finding[]>(path`${uuid}/chunks/${chunk}`);
  }

  async cancel(uuid: string): Promise<string> {
    return (await this._post<{ status: string }>(path`${uuid}/cancel`)).status;
  }
}

/** Iterates over the findings of an export. Each chunk is a page. */
export class ExportIterator extends APIIterator<Box<Finding, Attrs>, TenableIO> {
  readonly #options: VulnsOptions;
  readonly #processed: Set<number> = new Set();
  #uuid: string | undefined;
  #status: ExportState | undefined;
  #waited = 0;

  constructor(api: TenableIO, options: VulnsOptions) {
    const { prefetch }: IteratorOptions = options;
    super({ api, prefetch });
    this.#options = options;
    this.#uuid = options.uuid;
  }

  /** The id of the export; undefined before the first element. */
  get uuid(): string | undefined {
    return this.#uuid;
  }

  /** The last status of the export; undefined before the first element. */
  get status(): ExportState | undefined {
    return this.#status;
  }

  /** Cancels the export. */
  async cancel(): Promise<void> {
    if (this.#uuid !== undefined) await this._api.exports.cancel(this.#uuid);
    await this.return();
  }

  protected override async _getPage(): Promise<void> {
    const uuid = this.#uuid ??= await this._api.exports.start(this.#options);
    const chunks = await this.#chunks(uuid);
    const [chunk] = chunks;
    this.page = chunk === undefined ? [] : await this._api.exports.downloadChunk(uuid, chunk);
    this.hasMore = chunks.length > 1 || !this.#isOver();
    this.currentPage++;
    if (chunk !== undefined) this.#processed.add(chunk);
  }

  #isOver(): boolean {
    return this.#status === "FINISHED" || this.#status === "CANCELLED";
  }

  /** Polls the job until a chunk is ready that was not processed yet, or until it is over. */
  async #chunks(uuid: string): Promise<number[]> {
    for (let seconds = 1;; seconds = Math.min(seconds + 1, 30)) {
      const { status, chunksAvailable } = await this._api.exports.status(uuid);
      this.#status = status;
      if (status === "ERROR") throw new ExportError(uuid);
      const chunks = chunksAvailable.filter((chunk) => !this.#processed.has(chunk));
      if (chunks.length > 0 || this.#isOver()) return chunks;
      const { timeout = Infinity } = this.#options;
      if (status === "QUEUED" && this.#waited >= timeout) {
        await this._api.exports.cancel(uuid);
        throw new ExportTimeoutError(uuid, this.#waited);
      }
      await this._sleep(seconds);
      this.#waited += seconds;
    }
  }
}
