/** Frozen SDKs: what their sources say. This is the room's one way in. */

export type { FrozenSdk, SdkFile } from "./frozen_sdk.ts";
export { type FrozenShape, frozenShape } from "./frozen_shape.ts";
export { documentIn, hasDocument } from "./mock_document.ts";
export { readFrozen, readSdk } from "./read_frozen.ts";
