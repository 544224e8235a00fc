import type { ModelClass } from "./model_class.ts";
import type { Shape } from "./value_type.ts";

/** A shape without `nullable` around it. */
export type PlainShape = Exclude<Shape, { readonly kind: "nullable" }>;

/** A shape without `nullable` around it. */
export function unwrapped(shape: Shape): PlainShape {
  return shape.kind === "nullable" ? unwrapped(shape.inner) : shape;
}

/** The models that the value of a shape can be an instance of. */
export function modelsOf(shape: Shape): readonly ModelClass<object>[] {
  if (shape.kind === "model") return [shape.model()];
  return shape.kind === "union" ? shape.models() : [];
}
