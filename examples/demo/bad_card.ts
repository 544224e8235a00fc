import { ValidationError } from "../../mod.ts";
import { errorOf, type Scene } from "./scene.ts";

/** Shows how a validation error describes each problem in an XML response. */
export const badCard: Scene = {
  title: "A validation error lists all problems, with line and column",

  async play({ library, stage }) {
    stage.call("library.cards.get(1)");
    const card = await library.cards.get(1);
    const years = card.copies.map(({ bought }) => bought.getUTCFullYear());
    stage.result(
      `${card.title} (${card.year}), bought in ${years.join(", ")}: a Date, not a string`,
    );

    stage.call("library.cards.get(2), a card with mistakes");
    const error = await errorOf(library.cards.get(2), ValidationError);
    const { method, url } = error.request ?? {};
    stage.error(`${error.name}: ${error.issues.length} problems`);
    stage.details({ request: `${method} ${url}` });
    const lines = error.body.split("\n");
    for (const { where, line = 1, column = 1, message } of error.issues) {
      const source = `${line} | ${lines[line - 1]}`;
      const caret = " ".repeat(`${line} | `.length + column - 1);
      stage.line(`${where}, line ${line}, column ${column}:`);
      stage.line(message);
      stage.line(`  ${source}`);
      stage.line(`  ${caret}^`);
    }
  },
};
