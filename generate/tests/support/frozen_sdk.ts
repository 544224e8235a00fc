/** The sources of an invented SDK in both layouts of Stainless, written by hand. */
import type { SdkFile } from "../../src/frozen/mod.ts";

/** The first line of generated files. */
const MARK =
  "// File generated from our OpenAPI spec by Stainless. See CONTRIBUTING.md for details.\n\n";

const OPTIONS = `
export interface ClientOptions {
  /**
   * The key of the workshop.
   *
   * Defaults to process.env['LAMPS_API_KEY'].
   */
  apiKey?: string | undefined;
  /** Defaults to process.env['LAMPS_ORG'] */
  organizationID?: string | null | undefined;
  apiVersion?: string | undefined;
  /** Defaults to process.env['LAMPS_SDK_BASE_URL']. */
  baseURL?: string | null | undefined;
  timeout?: number | undefined;
  maxRetries?: number | undefined;
}
`;

const MISSING = "The LAMPS_API_KEY environment variable is missing or empty";

const NEW_CLIENT = `${MARK}import { readEnv } from './internal/utils/env';
import * as Opts from './internal/request-options';
import * as Errors from './core/error';
import * as API from './resources/index';
${OPTIONS}
export class Lamps {
  apiKey: string;
  constructor({
    baseURL = readEnv('LAMPS_SDK_BASE_URL'),
    apiKey = readEnv('LAMPS_API_KEY'),
    organizationID = readEnv('LAMPS_ORG') ?? null,
    apiVersion = '2024-05-01',
    ...opts
  }: ClientOptions = {}) {
    if (apiKey === undefined) {
      throw new Errors.LampsError("${MISSING}");
    }
    const options: ClientOptions = {
      apiKey,
      organizationID,
      apiVersion,
      ...opts,
      baseURL: baseURL || \`https://api.lamps.example/v1\`,
    };
    this.baseURL = options.baseURL!;
    this.timeout = options.timeout ?? Lamps.DEFAULT_TIMEOUT /* 1 minute */;
    this.logLevel = parseLogLevel(readEnv('LAMPS_LOG'), "process.env['LAMPS_LOG']", this);
    this.maxRetries = options.maxRetries ?? 3;
    const customHeadersEnv = readEnv('LAMPS_CUSTOM_HEADERS');
    this.idempotencyHeader = 'Idempotency-Key';
    this.apiKey = apiKey;
  }
  protected defaultQuery(): Record<string, string | undefined> | undefined {
    return this._options.defaultQuery;
  }
  protected validateHeaders({ values, nulls }: NullableHeaders) {
    return;
  }
  protected async authHeaders(opts: Opts.FinalRequestOptions): Promise<NullableHeaders | undefined> {
    return buildHeaders([{ Authorization: \`Bearer \${this.apiKey}\` }]);
  }
  private calculateDefaultRetryTimeoutMillis(retriesRemaining: number, maxRetries: number): number {
    const initialRetryDelay = 0.5;
    const maxRetryDelay = 8.0;
    return initialRetryDelay;
  }
  private async buildHeaders({ options, retryCount }: { options: any; retryCount: number }): Promise<Headers> {
    const headers = buildHeaders([
      {
        Accept: 'application/json',
        'User-Agent': this.getUserAgent(),
        'X-Stainless-Retry-Count': String(retryCount),
        'Lamps-Version': this.apiVersion,
        'Lamps-Edition': 'pro',
      },
      await this.authHeaders(options),
      options.headers,
    ]);
    return headers.values;
  }
  static Lamps = this;
  static DEFAULT_TIMEOUT = 60000; // 1 minute

  lamps: API.Lamps = new API.Lamps(this);
  bulbIdsForRoom: API.BulbIDsForRoom = new API.BulbIDsForRoom(this);
}
`;

const OLD_CLIENT = `${MARK}import * as Core from './core';
import * as Errors from './error';
import * as API from './resources/index';
${OPTIONS}
export class Lamps extends Core.APIClient {
  apiKey: string;
  constructor({
    baseURL = Core.readEnv('LAMPS_SDK_BASE_URL'),
    apiKey = Core.readEnv('LAMPS_API_KEY'),
    organizationID = Core.readEnv('LAMPS_ORG') ?? null,
    apiVersion = '2024-05-01',
    ...opts
  }: ClientOptions = {}) {
    if (apiKey === undefined) {
      throw new Errors.LampsError("${MISSING}");
    }
    const options: ClientOptions = {
      apiKey,
      organizationID,
      apiVersion,
      ...opts,
      baseURL: baseURL || \`https://api.lamps.example/v1\`,
    };
    super({
      baseURL: options.baseURL!,
      timeout: options.timeout ?? 60000 /* 1 minute */,
      maxRetries: options.maxRetries ?? 3,
    });
    const log = Core.readEnv('LAMPS_LOG');
    const customHeadersEnv = Core.readEnv('LAMPS_CUSTOM_HEADERS');
    this.idempotencyHeader = 'Idempotency-Key';
    this.apiKey = apiKey;
  }

  lamps: API.Lamps = new API.Lamps(this);
  bulbIdsForRoom: API.BulbIDsForRoom = new API.BulbIDsForRoom(this);

  protected override defaultQuery(): Core.DefaultQuery | undefined {
    return this._options.defaultQuery;
  }
  protected override defaultHeaders(opts: Core.FinalRequestOptions): Core.Headers {
    return {
      ...super.defaultHeaders(opts),
      'Lamps-Version': this.apiVersion,
      'Lamps-Edition': 'pro',
      ...this._options.defaultHeaders,
    };
  }
  protected override authHeaders(opts: Core.FinalRequestOptions): Core.Headers {
    return { Authorization: \`Bearer \${this.apiKey}\` };
  }
  protected override stringifyQuery(query: Record<string, unknown>): string {
    return qs.stringify(query, { allowDots: true, arrayFormat: 'comma' });
  }
  static Lamps = this;
  static DEFAULT_TIMEOUT = 60000; // 1 minute
}

export default Lamps;
export { LampsError } from './error';
export { toFile } from './uploads';
`;

const ERROR =
  `${MARK}export class LampsError extends Error {}\nexport class APIError extends LampsError {}\n`;

/** The page classes, with the function for the next page in the form of a layout. */
function pagination(name: string, sent: (pair: string) => string): string {
  return `${MARK}import { AbstractPage } from './core';

export interface CursorPageResponse<Item> {
  data: Array<Item>;
  paging: CursorPageResponse.Paging;
}
export interface CursorPageParams {
  cursor?: string;
  limit?: number;
}
export class CursorPage<Item> extends AbstractPage<Item> implements CursorPageResponse<Item> {
  data: Array<Item>;
  paging: CursorPageResponse.Paging;
  constructor(client: Lamps, response: Response, body: CursorPageResponse<Item>, options: any) {
    super(client, response, body, options);
    this.data = body.data || [];
    this.paging = body.paging || {};
  }
  getPaginatedItems(): Item[] {
    return this.data ?? [];
  }
  ${name}() {
    const cursor = this.paging?.next;
    if (!cursor) {
      return null;
    }

    ${sent("cursor")}
  }
}
export class NumberPage<Item> extends AbstractPage<Item> {
  items: Array<Item>;
  constructor(client: Lamps, response: Response, body: Item[], options: any) {
    super(client, response, body, options);
    this.items = body || [];
  }
  getPaginatedItems(): Item[] {
    return this.items ?? [];
  }
  ${name}() {
    const query = this.options.query as NumberPageParams;
    const currentPage = query?.page ?? 1;

    ${sent("page: currentPage + 1")}
  }
}
export class OddPage<Item> extends AbstractPage<Item> {
  data: Array<Item>;
  constructor(client: Lamps, response: Response, body: any, options: any) {
    super(client, response, body, options);
    this.data = body.data || [];
  }
  getPaginatedItems(): Item[] {
    return this.data ?? [];
  }
  ${name}() {
    return this.guess();
  }
}
`;
}

const INDEX =
  `${MARK}export { BulbIDsForRoom, type BulbIDsForRoomListResponse } from './bulb-ids-for-room';
export { Lamps, type Lamp, type LampListParams } from './lamps/lamps';
`;

/** The types of the lamps, and the namespace of their class. */
const LAMP_TYPES = `
export type LampsCursorPage = CursorPage<Lamp>;
export interface Lamp { id: string }
export interface LampCreateParams { name: string; dry_run?: boolean; trace?: string }
export interface LampListParams extends CursorPageParams { colours?: Array<string> }
export interface LampUploadParams { file: Uploadable }

Lamps.Events = Events;

export declare namespace Lamps {
  export {
    type Lamp as Lamp,
    type LampsCursorPage as LampsCursorPage,
    type LampCreateParams as LampCreateParams,
    type LampListParams as LampListParams,
    type LampUploadParams as LampUploadParams,
  };
  export { Events as Events, type EventListResponse as EventListResponse };
}
`;

const NEW_LAMPS = `${MARK}import { APIResource } from '../../core/resource';
import * as EventsAPI from './events';
import { EventListResponse, Events } from './events';
import { path } from '../../internal/utils/path';

export class BaseLamps extends APIResource {
  create(params: LampCreateParams, options?: RequestOptions): APIPromise<Lamp> {
    const { dry_run, trace, ...body } = params;
    return (
      this._client.post('/lamps', {
        query: { dry_run },
        body,
        ...options,
        headers: buildHeaders([
          { ...(trace != null ? { 'X-Trace': trace } : undefined), 'X-Fixed': '1' },
          options?.headers,
        ]),
      }) as APIPromise<{ result: Lamp }>
    )._thenUnwrap((obj) => obj.result);
  }
  retrieve(lampID: string, options?: RequestOptions): APIPromise<Lamp> {
    return this._client.get(path\`/lamps/\${lampID}\`, options);
  }
  list(
    query: LampListParams | null | undefined = {},
    options?: RequestOptions,
  ): PagePromise<LampsCursorPage, Lamp> {
    return this._client.getAPIList('/lamps', CursorPage<Lamp>, { query, ...options });
  }
  delete(lampID: string, options?: RequestOptions): APIPromise<void> {
    return this._client.delete(path\`/lamps/\${lampID}\`, {
      defaultBaseURL: 'https://api.lamps.example/v2',
      ...options,
      headers: buildHeaders([{ Accept: '*/*' }, options?.headers]),
      __security: { bearerAuth: true },
    });
  }
  upload(params: LampUploadParams, options?: RequestOptions): APIPromise<Lamp> {
    const { ...body } = params;
    return this._client.post('/lamps/upload', multipartFormRequestOptions({ body, ...options }, this._client));
  }
  picture(lampID: string, options?: RequestOptions): APIPromise<Response> {
    return this._client.get(path\`/lamps/\${lampID}/picture\`, {
      ...options,
      headers: buildHeaders([{ Accept: 'image/png' }, options?.headers]),
      __binaryResponse: true,
    });
  }
  /** Written by hand. */
  async blink(lampID: string): Promise<void> {
    for (let times = 0; times < 3; times++) await this.retrieve(lampID);
  }
  /** @deprecated use \`retrieve\` instead */
  fetch = this.retrieve;
}

export class Lamps extends BaseLamps {
  events: EventsAPI.Events = new EventsAPI.Events(this._client);
}
${LAMP_TYPES}`;

const OLD_LAMPS = `${MARK}import { APIResource } from '../../resource';
import { isRequestOptions } from '../../core';
import * as Core from '../../core';
import * as EventsAPI from './events';
import { EventListResponse, Events } from './events';

export class Lamps extends APIResource {
  events: EventsAPI.Events = new EventsAPI.Events(this._client);

  create(params: LampCreateParams, options?: Core.RequestOptions): Core.APIPromise<Lamp> {
    const { dry_run, trace, ...body } = params;
    return (
      this._client.post('/lamps', {
        query: { dry_run },
        body,
        ...options,
        headers: {
          ...(trace != null ? { 'X-Trace': trace } : undefined),
          'X-Fixed': '1',
          ...options?.headers,
        },
      }) as Core.APIPromise<{ result: Lamp }>
    )._thenUnwrap((obj) => obj.result);
  }
  retrieve(lampID: string, options?: Core.RequestOptions): Core.APIPromise<Lamp> {
    return this._client.get(\`/lamps/\${lampID}\`, options);
  }
  list(query?: LampListParams, options?: Core.RequestOptions): Core.PagePromise<LampsCursorPage, Lamp>;
  list(options?: Core.RequestOptions): Core.PagePromise<LampsCursorPage, Lamp>;
  list(
    query: LampListParams | Core.RequestOptions = {},
    options?: Core.RequestOptions,
  ): Core.PagePromise<LampsCursorPage, Lamp> {
    if (isRequestOptions(query)) {
      return this.list({}, query);
    }
    return this._client.getAPIList('/lamps', LampsCursorPage, { query, ...options });
  }
  delete(lampID: string, options?: Core.RequestOptions): Core.APIPromise<void> {
    return this._client.delete(\`/lamps/\${lampID}\`, {
      defaultBaseURL: 'https://api.lamps.example/v2',
      ...options,
      headers: { Accept: '*/*', ...options?.headers },
      __security: { bearerAuth: true },
    });
  }
  upload(params: LampUploadParams, options?: Core.RequestOptions): Core.APIPromise<Lamp> {
    const { ...body } = params;
    return this._client.post('/lamps/upload', Core.multipartFormRequestOptions({ body, ...options }));
  }
  picture(lampID: string, options?: Core.RequestOptions): Core.APIPromise<Response> {
    return this._client.get(\`/lamps/\${lampID}/picture\`, {
      ...options,
      headers: { Accept: 'image/png', ...options?.headers },
      __binaryResponse: true,
    });
  }
  /** Written by hand. */
  async blink(lampID: string): Promise<void> {
    for (let times = 0; times < 3; times++) await this.retrieve(lampID);
  }
  /** @deprecated use \`retrieve\` instead */
  fetch = this.retrieve;
}

export class LampsCursorPage extends CursorPage<Lamp> {}
${LAMP_TYPES.replace("export type LampsCursorPage = CursorPage<Lamp>;\n", "")}`;

/** Returns the resource in another one, and one whose name has its own casing. */
function others(options: string): readonly SdkFile[] {
  return [
    {
      file: "src/resources/lamps/events.ts",
      text: `${MARK}import { APIResource } from '../../resource';
export class Events extends APIResource {
  list(
    eventID: string,
    params: EventListParams,
    options?: ${options},
  ): APIPromise<EventListResponse> {
    const { lamp_id, ...query } = params;
    return this._client.get(path\`/lamps/\${lamp_id}/events/\${eventID}\`, { query, ...options });
  }
}
export interface EventListResponse { id: string }
export declare namespace Events {
  export { type EventListResponse as EventListResponse, type EventListParams as EventListParams };
}
`,
    },
    {
      file: "src/resources/bulb-ids-for-room.ts",
      text: `${MARK}import { APIResource } from '../resource';
export class BulbIDsForRoom extends APIResource {
  list(
    roomId: string,
    params: BulbIDsForRoomListParams | null | undefined = {},
    options?: ${options},
  ): APIPromise<BulbIDsForRoomListResponse> {
    const { account_id, zone_id } = params ?? {};
    if (!account_id && !zone_id) {
      throw new LampsError('You must provide either account_id or zone_id.');
    }
    const { accountOrZone, accountOrZoneId } =
      account_id ?
        { accountOrZone: 'accounts', accountOrZoneId: account_id }
      : { accountOrZone: 'zones', accountOrZoneId: zone_id };
    return this._client.get(path\`/\${accountOrZone}/\${accountOrZoneId}/rooms/\${roomId}/bulbs\`, options);
  }
}
export interface BulbIDsForRoomListResponse { ids: Array<string> }
export declare namespace BulbIDsForRoom {
  export { type BulbIDsForRoomListResponse as BulbIDsForRoomListResponse };
}
`,
    },
    { file: "src/resources/index.ts", text: INDEX },
    { file: "src/resources/shared.ts", text: `${MARK}export interface Colour { name: string }\n` },
    { file: "src/lib/blinking.ts", text: "export const times = 3;\n" },
    { file: "package.json", text: `{"name": "lamps", "version": "1.4.0"}` },
  ];
}

/** The layout with \`client.ts\`, and the folders \`core\` and \`internal\`. */
export const newSdk: readonly SdkFile[] = [
  { file: "src/client.ts", text: NEW_CLIENT },
  {
    file: "src/index.ts",
    text: `${MARK}export { Lamps as default } from './client';
export { toFile } from './core/uploads';
export { Lamps, type ClientOptions } from './client';
export { LampsError } from './core/error';
`,
  },
  {
    file: "src/internal/utils/query.ts",
    text: `${MARK}import * as qs from '../qs/stringify';
export function stringifyQuery(query: object | Record<string, unknown>) {
  return qs.stringify(query, { allowDots: true, arrayFormat: 'comma' });
}
`,
  },
  { file: "src/core/error.ts", text: ERROR },
  { file: "src/tree-shakable.ts", text: MARK },
  {
    file: "src/core/pagination.ts",
    text: pagination(
      "nextPageRequestOptions",
      (pair) =>
        `return {
      ...this.options,
      query: {
        ...maybeObj(this.options.query),
        ${pair},
      },
    };`,
    ),
  },
  {
    file: "src/pagination.ts",
    text:
      "/** @deprecated Import from ./core/pagination instead */\nexport * from './core/pagination';\n",
  },
  { file: "src/resources/lamps/lamps.ts", text: NEW_LAMPS },
  ...others("RequestOptions"),
];

/** The layout with \`index.ts\`, \`core.ts\` and \`error.ts\`. */
export const oldSdk: readonly SdkFile[] = [
  { file: "src/index.ts", text: OLD_CLIENT },
  {
    file: "src/core.ts",
    text: `export abstract class APIClient {
  private calculateDefaultRetryTimeoutMillis(retriesRemaining: number, maxRetries: number): number {
    const initialRetryDelay = 0.5;
    const maxRetryDelay = 8.0;
    return initialRetryDelay;
  }
}
`,
  },
  { file: "src/error.ts", text: ERROR },
  {
    file: "src/pagination.ts",
    text: pagination("nextPageInfo", (pair) => `return { params: { ${pair} } };`),
  },
  { file: "src/resources/lamps/lamps.ts", text: OLD_LAMPS },
  ...others("Core.RequestOptions"),
];
