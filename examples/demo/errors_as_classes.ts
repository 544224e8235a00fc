import { NotFoundError } from "../../mod.ts";
import { RejectedError } from "../library_client.ts";
import { errorOf, type Scene } from "./scene.ts";

/** Shows errors by status: a class of the toolkit, and one of the client. */
export const errorsAsClasses: Scene = {
  title: "Every error status has an error class",

  async play({ library, stage }) {
    stage.call("library.books.get(999)");
    const missing = await errorOf(library.books.get(999), NotFoundError);
    stage.error(`${missing.name}: ${missing.message}`);
    stage.details({
      ".status": missing.status,
      ".body": missing.body,
      ".retries": `${missing.retries}, because .retryable is ${missing.retryable}`,
    });

    stage.call('library.books.add({ title: "", author: "Ada Moss", year: 2026 })');
    const book = { title: "", author: "Ada Moss", year: 2026 };
    const rejected = await errorOf(library.books.add(book), RejectedError);
    stage.error(`${rejected.name}, the client's own class for a 422`);
    const problems = rejected.problems.map(({ field, expected }) => `${field} must be ${expected}`);
    stage.details({ ".problems": problems.join(", ") });
  },
};
