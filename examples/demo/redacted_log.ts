import { inspect } from "node:util";
import { RequestConflictError } from "../../src/entries/errors.ts";
import { errorOf, type Scene } from "./scene.ts";

/** A password that the demo must not print. */
export const SECRET = "rear-admiral-1906";

/** Shows the debug log with a redacted field. */
export const redactedLog: Scene = {
  title: "The log shows every request, but no secrets",

  async play({ library, stage }) {
    stage.call('library.members.join("grace", password)');
    const member = await library.members.join("grace", SECRET);
    stage.result(`${member.username} is a member: the password is sent, but not logged`);

    stage.call('library.members.join("grace", password)');
    const conflict = await errorOf(library.members.join("grace", SECRET), RequestConflictError);
    stage.error(`${conflict.name}: ${conflict.message}`);
    const printed = [String(conflict), inspect(conflict), JSON.stringify(conflict)].join("\n");
    if (printed.includes(SECRET)) throw new Error("the error shows the password");
    stage.details({ printed: "no password, as a string, as JSON or with console.log" });
  },
};
