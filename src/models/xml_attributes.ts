import { nameKey } from "../xml/name.ts";
import type { XmlAttributes } from "../xml/reader.ts";
import type { UnionChoice } from "./union_choices.ts";
import type { ScalarShape } from "./value_type.ts";
import { xmlPlanOf } from "./xml_plan.ts";
import { XSI_NAMESPACE } from "./xsi.ts";

/** The attribute that says that an element is null. */
const NIL = nameKey(XSI_NAMESPACE, "nil");

/** Whether they say that the element is null. */
export function isNil({ names, values }: XmlAttributes): boolean {
  const index = names.findIndex(({ key }) => key === NIL);
  return index >= 0 && /^\s*(?:true|1)\s*$/.test(values[index]!);
}

/** Whether the attribute that tells models apart has a value of one of them. */
export function matches(
  { model, values }: UnionChoice,
  by: string,
  attributes: XmlAttributes,
): boolean {
  const field = xmlPlanOf(model).fields.find(({ name }) => name === by)!;
  const key = nameKey(field.namespace ?? "", field.tag ?? field.name);
  const index = attributes.names.findIndex((name) => name.key === key);
  if (field.place !== "attr" || index < 0) return false;
  return values.includes((field.shape as ScalarShape).fromText(attributes.values[index]!));
}
