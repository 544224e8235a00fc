/** The replies to the calls of programs, which are those of the tests of methods. */

import { wireOf } from "../algebra/samples.ts";
import type { Method, Outcome } from "../model/mod.ts";
import { call, type Layout, render } from "../print/layout.ts";
import { quoted } from "../print/literals.ts";
import { jsonReply, replyWith } from "../print/replies.ts";
import { jsonLayout, sampleLayout } from "../print/samples.ts";
import { type Example, modelsOf } from "./examples.ts";
import type { ProgramReply, ProgramWriter } from "./program.ts";

/** Lets a program get the reply that a test of a method has. */
export function replyAs(
  writer: ProgramWriter,
  { method, test }: Pick<Example, "method" | "test">,
  outcome: Outcome = test.outcome,
): void {
  writer.reply(`${method.verb} ${test.url}`, replyTo(method, outcome));
}

/** Returns the reply that leads to an outcome. */
export function replyTo(method: Method, outcome: Outcome): ProgramReply {
  switch (outcome.kind) {
    case "json": {
      const { reply = outcome.data, status } = outcome;
      return plain(jsonReply(jsonLayout(wireOf(reply)), status));
    }
    case "xml": {
      const { data, status } = outcome;
      const isList = typeof data === "object" && data?.kind === "list";
      const sample = render(sampleLayout(data), 2);
      const xml = `toXml(${sample}${isList ? ', { root: "list" }' : ""})`;
      const { accept = "application/xml" } = method.result;
      const type = accept.includes("*") ? "application/xml" : accept;
      return {
        expression: replyWith(xml, status, [["content-type", type]]),
        imports: [
          { from: "toolkit/models", name: "toXml" },
          ...Array.from(modelsOf([data]), (name) => ({ from: "sdk", name }) as const),
        ],
      };
    }
    case "text":
    case "bytes": {
      const { text, status, contentType } = outcome;
      return plain(replyWith(quoted(text), status, [["content-type", contentType]]));
    }
    case "pages": {
      const pages = outcome.pages.map(({ body, headers }) =>
        jsonReply(jsonLayout(wireOf(body)), 200, headers)
      );
      const imports = [{ from: "toolkit/testing", name: "replies" }] as const;
      return { expression: call("replies", pages), imports };
    }
    case "stream": {
      const { text, contentType } = outcome;
      return plain(replyWith(quoted(text), 200, [["content-type", contentType]]));
    }
    case "error":
      return plain(jsonReply(jsonLayout(wireOf(outcome.data)), outcome.status));
    case "redirect":
      return plain("200");
    default:
      return plain(String(outcome.status));
  }
}

function plain(expression: Layout): ProgramReply {
  return { expression, imports: [] };
}
