/** Where an error keeps the model that made its `data`; all copies of the toolkit share it. */
const DATA_MODEL: unique symbol = Symbol.for("restwright.dataModel");

/**
 * Remembers which model made the `data` of an error; nothing that prints the error shows it.
 *
 * @param error The error; one that is frozen is left as it is
 * @param model The model
 */
export function keepDataModel(error: object, model: unknown): void {
  Reflect.defineProperty(error, DATA_MODEL, { value: model });
}

/** The model that made the `data` of an error, if one did. */
export function dataModelOf(error: object): unknown {
  return Reflect.get(error, DATA_MODEL);
}
