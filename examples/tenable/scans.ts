// The endpoint `scans`: a list, a paged history, and reports to download.

import { APIEndpoint, path } from "../../mod.ts";
import { type DownloadProgress, type DownloadTarget, saveTo } from "../../src/files/mod.ts";
import { APIIterator, type IteratorOptions } from "../../src/paging/mod.ts";
import { every } from "../../src/polling/mod.ts";
import type { TenableIO } from "./tenable_io.ts";

export interface Scan {
  readonly id: number;
  readonly name: string;
  readonly status: string;
}

/** One run of a scan. */
export interface ScanRun {
  readonly id: number;
  readonly status: string;
}

/** The settings of a report. */
export interface ReportOptions {
  /** The format of the file. Default: "nessus" */
  readonly format?: "nessus" | "html" | "pdf" | "csv";
  /** The parts of the report. Default: the findings of each host */
  readonly chapters?: readonly string[];
  /** The run to report on. Default: the last one */
  readonly historyId?: number;
}

export class ScansAPI extends APIEndpoint<TenableIO> {
  protected override readonly _path: string = "scans";
  override readonly _convJson = true;

  async list(options: { readonly folderId?: number } = {}): Promise<Scan[]> {
    const params = { folder_id: options.folderId };
    return (await this._get<{ scans: Scan[] | null }>({ params })).scans ?? [];
  }

  /** Returns the runs of a scan, page by page. */
  history(id: number, options: IteratorOptions<TenableIO> = {}): ScanHistory {
    return new ScanHistory(id, { ...options, api: this._api });
  }

  /** Writes a report on the server, waits until it is ready, and downloads it to a file. */
  async export(
    id: number,
    target: DownloadTarget,
    { format = "nessus", chapters = ["vuln_by_host"], historyId }: ReportOptions = {},
  ): Promise<DownloadProgress> {
    const json = { format, chapters: chapters.join(";") };
    const params = { history_id: historyId };
    const { file } = await this._post<{ file: number }>(path`${id}/export`, { json, params });
    const report = path`${id}/export/${file}`;
    await this._poll(() => this._get<{ status: string }>(`${report}/status`), {
      until: ({ status }) => status === "ready",
      interval: every(0.5),
    });
    return await this._get(`${report}/download`, { format: saveTo(target) });
  }
}

/** Iterates over the runs of a scan, by offset and limit. */
export class ScanHistory extends APIIterator<ScanRun, TenableIO> {
  static override readonly size: number = 50;

  readonly #id: number;

  constructor(id: number, options: IteratorOptions<TenableIO>) {
    super(options);
    this.#id = id;
  }

  protected override async _getPage(): Promise<void> {
    const params = { limit: this.size, offset: this.currentPage * this.size };
    const { history, pagination } = await this._api.get<
      { history: ScanRun[]; pagination: { total: number } }
    >(path`scans/${this.#id}/history`, { params, convJson: true });
    this.page = history;
    this.total = pagination.total;
    this.currentPage++;
  }
}
