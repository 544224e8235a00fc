import { NotFoundError } from "@restwright/restwright";
import type { Problem } from "./models.ts";

/** 404: the shop does not have the book. `data.message` has the reason. */
export class BookNotFoundError extends NotFoundError {
  declare readonly data: Problem | undefined;
}
