import { nameKey } from "../xml/name.ts";
import type { XmlAttributes } from "../xml/reader.ts";
import type { ModelClass } from "./model_class.ts";
import { type UnionChoice, unionChoices } from "./union_choices.ts";
import type { ScalarShape, UnionShape } from "./value_type.ts";
import { xmlPlanOf } from "./xml_plan.ts";
import { XSI_NAMESPACE } from "./xsi.ts";

/** The attribute that says that an element is null. */
const NIL = nameKey(XSI_NAMESPACE, "nil");

/** Whether they say that the element is null. */
export function isNil({ names, values }: XmlAttributes): boolean {
  const index = names.findIndex(({ key }) => key === NIL);
  return index >= 0 && /^[ \t\r\n]*(?:true|1)[ \t\r\n]*$/.test(values[index]!);
}

/**
 * Which model of a union an element is, by the value of the attribute that tells them apart;
 * undefined where it is none.
 *
 * @param shape The union
 * @param models The models that the element can be by its name
 * @param attributes Its attributes
 */
export function chosenModel(
  shape: UnionShape,
  models: readonly ModelClass<object>[],
  attributes: XmlAttributes,
): ModelClass<object> | undefined {
  if (models.length === 1) return models[0];
  return unionChoices(shape).find((choice) =>
    models.includes(choice.model) && matches(choice, shape.by, attributes)
  )?.model;
}

/** Whether the attribute that tells models apart has a value of one of them. */
function matches(
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
