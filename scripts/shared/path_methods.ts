/** The methods of the operations in an OpenAPI document. */

/** The HTTP methods that a path item can have. */
export const METHODS: readonly string[] = [
  "delete",
  "get",
  "head",
  "options",
  "patch",
  "post",
  "put",
  "trace",
];
