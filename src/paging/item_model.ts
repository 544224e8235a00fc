/** Decodes each item of a page with a model or a schema. */
import type { BodyModel } from "../models/model_class.ts";
import type { StandardResult, StandardSchema } from "../base/standard_schema.ts";
import { decodeItems } from "../content/decode.ts";
import { namesIn, valueAt } from "./body_field.ts";

/**
 * The model of an item: a model class, a union or a schema of any library.
 *
 * @category Paging
 */
export type ItemModel = BodyModel<unknown> | StandardSchema;

/** A body whose items have been decoded. */
export interface DecodedPage {
  /** The body, as JSON. */
  readonly body: unknown;
  /** The items; undefined if the body has no array of them. */
  readonly items: readonly unknown[] | undefined;
}

/**
 * Returns a schema for the bodies of pages. As the model of a call, it decodes inside of the call, so
 * that the errors have the request and the body.
 *
 * @param model The model of an item
 * @param field The place of the items; undefined if the body is the array
 */
export function pageSchema(
  model: ItemModel,
  field: string | ((body: unknown) => unknown) | undefined,
): StandardSchema<unknown, DecodedPage> {
  const itemsOf = (body: unknown) =>
    typeof field === "string" ? valueAt(body, field) : field === undefined ? body : field(body);
  const validate = async (body: unknown): Promise<StandardResult<DecodedPage>> => {
    const items = itemsOf(body);
    if (!Array.isArray(items)) return { value: { body, items: undefined } };
    const decoded = await decodeItems(model, items);
    if (decoded.issues === undefined) {
      return { value: { body, items: decoded.value as readonly unknown[] } };
    }
    const parents = typeof field === "string" ? namesIn(body, field) : [];
    return {
      issues: decoded.issues.map(({ message, path }) => ({ message, path: [...parents, ...path] })),
    };
  };
  return { "~standard": { version: 1, vendor: "restwright", validate } };
}
