/** The key of the model that decoded an error's `data`. All copies of the toolkit share it. */
const DATA_MODEL: unique symbol = Symbol.for("restwright.dataModel");

/**
 * Stores the model that decoded an error's `data`. Printing the error does not show it.
 *
 * @param error The error; a frozen one is not changed
 * @param model The model
 */
export function keepDataModel(error: object, model: unknown): void {
  Reflect.defineProperty(error, DATA_MODEL, { value: model });
}

/** Returns the model that decoded an error's `data`, if there is one. */
export function dataModelOf(error: object): unknown {
  return Reflect.get(error, DATA_MODEL);
}
