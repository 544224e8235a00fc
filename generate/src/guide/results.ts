/** The sections on results that are more than one value: pages, files and streams. */

import type { Method, Type } from "../model/mod.ts";
import { variableOf } from "../print/example_call.ts";
import { type GuideContext, needsClient, pick, type SectionOf } from "./context.ts";
import { callLayout, type Example, modelsOf, propertiesOf, shownOf } from "./examples.ts";
import { writeCall } from "./first_steps.ts";
import { type Program, ProgramWriter } from "./program.ts";
import { replyAs } from "./replies.ts";

/** Lists that come in pages. */
export const pages: SectionOf = (context) => {
  const example = pick(context, ({ test }) => test.outcome.kind === "pages");
  if (example === undefined) return undefined;
  const all = new ProgramWriter();
  const isReady = needsClient(context, all, example);
  writeCall(context, all, example);
  const one = new ProgramWriter();
  const isReadyForOne = needsClient(context, one, example);
  one.statement("const page = await ", callLayout(example));
  replyAs(one, example);
  const isClasses = context.model.form === "classes";
  one.add(
    isClasses
      ? "console.log(page.items.length, page.hasNextPage());"
      : "console.log(page.getPaginatedItems().length, page.hasNextPage());",
    isClasses
      ? "if (page.hasNextPage()) console.log((await page.nextPage())?.items.length);"
      : "if (page.hasNextPage()) console.log((await page.getNextPage()).getPaginatedItems().length);",
  );
  return {
    title: "Pages",
    blocks: [
      "A list that comes in pages is iterated as a whole. The client requests a page when you need the " +
      "first item of it, and `break` ends the requests:",
      all.program("reads the items of all pages", { needsClient: isReady }),
      "Await the call for one page:",
      one.program("reads a page", { needsClient: isReadyForOne }),
      ...isClasses
        ? [
          "`page.body` is the whole body. `collect({ maxItems: 100 })` of the call returns an array of " +
          "at most 100 items.",
        ]
        : [],
    ],
  };
};

/** Files that are sent. */
export const uploads: SectionOf = (context) => {
  const example = pick(context, ({ method }) => isUpload(context, method));
  if (example === undefined) return undefined;
  const { method, test } = example;
  const writer = new ProgramWriter();
  const isReady = needsClient(context, writer, example);
  for (const name of modelsOf([...test.path, test.body, test.params])) writer.use("sdk", name);
  const isForm = method.body?.kind === "multipart";
  writer.statement("await ", callLayout(example));
  replyAs(writer, example);
  const isResources = context.model.form === "resources";
  const what = isForm ? "A file is a `File` or a `Blob`" : "The body is bytes";
  const from = isForm || isResources
    ? [
      "- Node: `await openAsBlob(path)` of `node:fs`, which does not read the file into memory",
      "- Bun: `Bun.file(path)`",
      "- Deno: `new File([await Deno.readFile(path)], name)`",
      "- browsers: an element of `input.files`",
    ]
    : [
      "- Node: `await readFile(path)` of `node:fs/promises`",
      "- Bun: `await Bun.file(path).bytes()`",
      "- Deno: `await Deno.readFile(path)`",
      "- browsers: `new Uint8Array(await file.arrayBuffer())`",
    ];
  return {
    title: "Uploads",
    blocks: [
      `${what}:`,
      writer.program("uploads a file", { needsClient: isReady }),
      `From a disk:\n\n${from.join("\n")}`,
      ...isResources
        ? ["`await toFile(content, name)` makes a file of bytes, a stream, or a `Response`."]
        : [],
    ],
  };
};

/** Reports if a method sends a file. */
function isUpload({ model }: GuideContext, { body }: Method): boolean {
  if (body === undefined) return false;
  if (body.kind === "bytes") return true;
  if (body.kind !== "multipart") return false;
  const isFile = (type: Type): boolean =>
    type.kind === "file" || type.kind === "upload" ||
    type.kind === "array" && isFile(type.items) ||
    type.kind === "union" && type.members.some(isFile);
  return [...propertiesOf(model, body.type).values()].some(isFile);
}

/** Files that are received. */
export const downloads: SectionOf = (context) => {
  const example = pick(context, ({ method }) => method.result.kind === "bytes");
  if (example === undefined) return undefined;
  const { toolkit, model } = context;
  const writer = new ProgramWriter();
  const isReady = needsClient(context, writer, example);
  writer.statement("const response = await ", callLayout(example));
  writer.add("const bytes = new Uint8Array(await response.arrayBuffer());");
  writer.add("console.log(bytes.length);");
  replyAs(writer, example);
  const blocks: (string | Program)[] = [
    "A method that downloads returns the `Response`. Its body is not read yet, so that you can also " +
    "stream it:",
    writer.program("downloads a file", { needsClient: isReady }),
  ];
  if (model.form === "classes") {
    blocks.push(
      `To save a large file, pass \`{ format: saveTo(target) }\` with the call. \`saveTo\` is in ` +
        `\`${toolkit}/files\`; it continues after a lost connection, and reports the progress. The ` +
        "target is a `WritableStream`, or a function that opens one: on Deno `async () => " +
        "(await Deno.create(path)).writable`, on Node and Bun `() => Writable.toWeb(" +
        "createWriteStream(path))`, in browsers `() => fileHandle.createWritable()`.",
    );
  }
  return { title: "Downloads", blocks };
};

/** Responses that are read while they arrive. */
export const streams: SectionOf = (context) => {
  const found = context.examples.flatMap((each) => {
    const test = each.method.tests?.find(({ outcome }) => outcome.kind === "stream");
    return test === undefined ? [] : [{ ...each, test }];
  });
  const example = pick({ ...context, examples: found }, () => true);
  if (example === undefined || example.test.outcome.kind !== "stream") return undefined;
  const { stream } = example.method;
  const { form } = example.test.outcome;
  const writer = new ProgramWriter();
  const isReady = needsClient(context, writer, example);
  for (const name of modelsOf([example.test.body, example.test.params])) writer.use("sdk", name);
  writer.statement("const stream = await ", callLayout(example));
  writer.add(...loopOf(context, example, form));
  replyAs(writer, example);
  const choice = stream?.choice === undefined
    ? ""
    : ` Without \`${stream.choice.name}: true\`, the call returns the result as a whole.`;
  return {
    title: "Streams",
    blocks: [
      "The items of a stream come as soon as the server sends them:",
      writer.program("reads a stream", { needsClient: isReady }),
      `\`break\` closes the connection, and so does an aborted \`signal\` of the call.${choice} A stream ` +
      "is not tried again after its first item.",
    ],
  };
};

function loopOf(
  { model }: GuideContext,
  { method }: Example,
  form: "items" | "data" | "events",
): string[] {
  const { item } = method.stream!;
  switch (form) {
    case "items": {
      const variable = variableOf(item, "item");
      return [
        `for await (const ${variable} of stream) {`,
        `  console.log(${shownOf(model, item, variable)});`,
        "}",
      ];
    }
    case "data":
      return [
        "for await (const { data } of stream) {",
        `  console.log(${shownOf(model, item, "data")});`,
        "}",
      ];
    case "events":
      return ["for await (const { event, data } of stream) {", "  console.log(event, data);", "}"];
  }
}
