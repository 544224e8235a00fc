/**
 * The styles of OpenAPI for single parameters: in the query, the path, headers, cookies and forms.
 *
 * @example
 * ```ts
 * import { APIClient, path } from "@restwright/restwright";
 * import { cookie, deepObject, label, pipeDelimited, simple } from "@restwright/restwright/styles";
 * import { mockTransport } from "@restwright/restwright/testing";
 *
 * class Pets extends APIClient {
 *   static override readonly baseUrl: string = "https://pets.example.com";
 *
 *   async find(ids: number[], kind: string): Promise<void> {
 *     await this._get(path`/pets/${label(ids, { explode: true })}`, {
 *       params: { filter: deepObject({ kind }), fields: pipeDelimited(["id", "name"]) },
 *       headers: { "X-Regions": simple(["eu", "us"]) },
 *       cookies: { seen: cookie([1, 2]) },
 *     });
 *   }
 * }
 *
 * const fetch = mockTransport({ "GET /pets/.3.4": [] });
 * await new Pets({ fetch }).find([3, 4], "cat");
 * const [call] = fetch.calls;
 * console.log(call?.url); // https://pets.example.com/pets/.3.4?filter%5Bkind%5D=cat&fields=id%7Cname
 * console.log(call?.headers["x-regions"]); // eu,us
 * console.log(call?.headers["cookie"]); // seen=1; seen=2
 * ```
 *
 * @module
 */

export type { ParameterPlace, StyledValue } from "../../base/styled_value.ts";
export {
  asJson,
  cookie,
  deepObject,
  form,
  label,
  matrix,
  pipeDelimited,
  reserved,
  simple,
  spaceDelimited,
  type Styled,
  type StyleOptions,
} from "./styles.ts";
