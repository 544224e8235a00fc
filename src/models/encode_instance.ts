import { toXml } from "./encode_xml.ts";
import type { ModelInstance } from "./target.ts";

/** The body that an instance is sent as, and its content type. */
export interface EncodedBody {
  readonly content: string;
  readonly type: string;
}

/**
 * An instance as a body of XML that is to be sent. That of another copy of the toolkit is written by
 * its class's descriptor, as this one's are.
 *
 * @throws {ModelError} Where a value is not what its field says: with every issue
 */
export function encodeInstance(instance: ModelInstance): EncodedBody {
  return { content: toXml(instance), type: "application/xml" };
}
